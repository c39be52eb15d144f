import { type FSWatcher, watch } from 'node:fs';
import { sep } from 'node:path';
import type { FolderWatch, WatchListener } from './watch.ts';

/** Windows and macOS watch a whole tree at once. */
export function watchWholeTree(root: string, { changed, ended }: WatchListener): FolderWatch {
  let watcher: FSWatcher | null = null;
  return {
    add() {
      if (watcher !== null) return 'whole';
      try {
        watcher = watch(root, { persistent: false, recursive: true }, (_, path) =>
          // An event without a name means that events were lost: the root is compared now, the rest at the next scan.
          changed(path === null ? [] : path.split(sep).slice(0, -1)),
        ).on('error', ended);
        return 'added';
      } catch {
        return 'none';
      }
    },
    keepOnly() {},
    // Its events arrive late, and do not show which folder was watched.
    mark: () => null,
    close() {
      watcher?.close();
      watcher = null;
    },
  };
}
