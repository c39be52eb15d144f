import { type FSWatcher, watch } from 'node:fs';
import { join, sep } from 'node:path';
import type { HomeRoot } from '../paths/folder-handle.ts';

/**
 * Reports changes that other programs make in folders: which folder, but not what, so the receiver has to compare. Changes may be
 * reported twice, or without a cause; and an overloaded system loses some.
 */
export interface FolderWatch {
  /**
   * Watches a folder whose parent is watched. Earlier changes are not reported.
   * @param identity of the folder: another one of its name is another folder
   * @returns `known` when it is watched already; `none` when it cannot be: the limit is reached, or it is gone; `whole` if the
   * whole tree is watched, so that it is unknown since when this folder is in it
   */
  add(segments: readonly string[], identity: string): 'added' | 'known' | 'none' | 'whole';
  /** Stops watching subfolders of this folder that are not among these, by name and identity, and everything below them. */
  keepOnly(segments: readonly string[], folders: ReadonlyMap<string, string>): void;
  close(): void;
}

/** The limit of watches over all homes: they need memory, and are a shared resource of the system. */
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
 * @param ended called when the watch has ended because the root is gone
 */
export function watchFolders(
  { root }: HomeRoot,
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

/** Linux watches single folders: each has its own watch, in a tree that mirrors the folders. */
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
      // It is gone, or the system allows no more.
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
          // An event without a name means that events were lost: the root is compared now, the rest at the next scan.
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
