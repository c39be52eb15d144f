import { type FSWatcher, watch } from 'node:fs';
import { join, sep } from 'node:path';
import type { Place } from '../paths/folder-handle.ts';

/**
 * Tells of changes in folders that other programs make. It says in which folder, and nothing about what: whoever hears it
 * looks for himself. Changes may be told twice, or for nothing; and a system that is overrun loses some.
 */
export interface FolderWatch {
  /**
   * Watches a folder, whose parent is watched. What happened in it before is not told.
   * @param identity of the folder: another one of its name is another folder
   * @returns `known` when it is watched already; `none` when it cannot be: there are as many as there may be, or it is gone;
   * `whole` where the whole tree is watched, and nobody knows since when this folder is in it
   */
  add(segments: readonly string[], identity: string): 'added' | 'known' | 'none' | 'whole';
  /** Ends the watch of folders in this one that are not among these, by name and identity, and of all that is below them. */
  keepOnly(segments: readonly string[], folders: ReadonlyMap<string, string>): void;
  close(): void;
}

/** What may be watched in all, over all homes: memory of ours, and a share of what the system lends to everybody. */
export class WatchAllowance {
  #left: number;
  constructor(folders: number) {
    this.#left = folders;
  }
  take(): boolean {
    if (this.#left <= 0) return false;
    this.#left -= 1;
    return true;
  }
  giveBack(): void {
    this.#left += 1;
  }
}

/**
 * @param changed called with the segments of the folder in which something changed
 * @param ended called when nothing is told any more: the root has gone
 */
export function watchFolders(
  { root }: Place,
  allowance: WatchAllowance,
  changed: (segments: readonly string[]) => void,
  ended: () => void,
): FolderWatch {
  return process.platform === 'linux' ? watchEach(root, allowance, changed, ended) : watchWhole(root, changed, ended);
}

interface Watched {
  readonly identity: string;
  readonly watcher: FSWatcher;
  readonly below: Map<string, Watched>;
}

/** Linux watches single folders: each has its own watch, in a tree like that of the folders. */
function watchEach(
  root: string,
  allowance: WatchAllowance,
  changed: (segments: readonly string[]) => void,
  ended: () => void,
): FolderWatch {
  let top: Watched | null = null;

  function find(segments: readonly string[]): Watched | undefined {
    let node = top ?? undefined;
    for (const segment of segments) node = node?.below.get(segment);
    return node;
  }

  function close(node: Watched): void {
    node.watcher.close();
    allowance.giveBack();
    for (const child of node.below.values()) close(child);
    node.below.clear();
  }

  function open(segments: readonly string[], identity: string): Watched | null {
    if (!allowance.take()) return null;
    try {
      const watcher = watch(join(root, ...segments), { persistent: false }, () => changed(segments));
      watcher.on('error', () => (segments.length === 0 ? ended() : changed(segments.slice(0, -1))));
      return { identity, watcher, below: new Map() };
    } catch {
      // Gone, or the system lends no more.
      allowance.giveBack();
      return null;
    }
  }

  return {
    add(segments, identity) {
      if (find(segments) !== undefined) return 'known';
      const name = segments.at(-1);
      if (name === undefined) {
        top = open(segments, identity);
        return top === null ? 'none' : 'added';
      }
      const parent = find(segments.slice(0, -1));
      const node = parent === undefined ? null : open([...segments], identity);
      if (node !== null) parent?.below.set(name, node);
      return node === null ? 'none' : 'added';
    },
    keepOnly(segments, folders) {
      const node = find(segments);
      for (const [name, child] of node?.below ?? []) {
        if (folders.get(name) === child.identity) continue;
        close(child);
        node?.below.delete(name);
      }
    },
    close() {
      if (top !== null) close(top);
      top = null;
    },
  };
}

/** Windows and macOS watch a whole tree at once. */
function watchWhole(root: string, changed: (segments: readonly string[]) => void, ended: () => void): FolderWatch {
  let watcher: FSWatcher | null = null;
  return {
    add() {
      if (watcher !== null) return 'whole';
      try {
        watcher = watch(root, { persistent: false, recursive: true }, (_, path) =>
          // Without a name it is said that too much happened: the root is looked at, and what is below at the next pass.
          changed(path === null ? [] : path.split(sep).slice(0, -1)),
        ).on('error', ended);
        return 'added';
      } catch {
        return 'none';
      }
    },
    keepOnly() {},
    close() {
      watcher?.close();
      watcher = null;
    },
  };
}
