import { type FSWatcher, readFileSync, watch } from 'node:fs';
import { basename, join, sep } from 'node:path';
import type { Unchanged } from '../../lib/unchanged.ts';
import { type HomeRoot, MARKER_FILE } from '../paths/folder-handle.ts';
import { folderIdentityAt } from './disk-entry.ts';
import type { DiskListing } from './disk-protocol.ts';

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
  /**
   * The present state of the watch on a folder.
   * @returns null when not every change there would be reported at once
   */
  mark(segments: readonly string[]): WatchMark | null;
  close(): void;
}

/** What had been reported about a folder, and about the folders on the path to it, when the mark was made. */
export interface WatchMark {
  /** Whether nothing has been reported since then that could change its listing. */
  readonly isUnchanged: Unchanged;
  /** The names of the entries that may have changed since then; null if any may. */
  changedNames(): readonly string[] | null;
  /** Whether the watched folders, by identity, are those of a listing taken after the mark: the path and the subfolders. */
  covers(listing: DiskListing): boolean;
}

/** What all watches of a process share. */
export interface WatchParts {
  readonly allowance: WatchAllowance;
  readonly overflow: WatchOverflow;
}

/** Length of the queue on other systems, and where it cannot be read. */
const USUAL_QUEUE = 16_384;

function queueLength(): number {
  try {
    return Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8')) || USUAL_QUEUE;
  } catch {
    return USUAL_QUEUE;
  }
}

/**
 * Notices when signs may have been lost. All homes share one queue of the system, which drops what exceeds it, and Node does not
 * say so. What is in the queue arrives within one turn of the event loop: as much as half of its length is taken as a loss.
 */
export class WatchOverflow {
  readonly #flood: number;
  #signs = 0;
  #lost = 0;
  #floods = 0;

  /** @param queue the number of signs that the system's queue holds */
  constructor(queue = queueLength()) {
    this.#flood = Math.ceil(queue / 2);
  }

  /** Grows with every sign that others may have been lost with. */
  get lost(): number {
    return this.#lost;
  }

  /** How often that has begun. */
  get floods(): number {
    return this.#floods;
  }

  sign(): void {
    if (this.#signs === 0) {
      setImmediate(() => {
        this.#signs = 0;
      }).unref();
    }
    this.#signs += 1;
    if (this.#signs === this.#flood) this.#floods += 1;
    if (this.#signs >= this.#flood) this.#lost += 1;
  }
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
  parts: WatchParts,
  changed: (segments: readonly string[]) => void,
  ended: () => void,
): FolderWatch {
  return process.platform === 'linux' ? watchEach(root, parts, changed, ended) : watchWhole(root, changed, ended);
}

interface Watched {
  readonly name: string;
  readonly identity: string;
  readonly parent: Watched | null;
  watcher: FSWatcher | null;
  readonly below: Map<string, Watched>;
  /** Counts what may have changed the listing of this folder. */
  signs: number;
  /** The entries that the last signs were about, with the number of the sign. */
  readonly named: { readonly sign: number; readonly name: string }[];
  /** Counts what may have put another folder in its place, or another one above it, or have closed this watch. */
  moves: number;
}

/** Number of signs whose names are remembered. */
const NAMED = 500;

function sign(node: Watched, name: string | null): void {
  node.signs += 1;
  if (name === null) return;
  node.named.push({ sign: node.signs, name });
  if (node.named.length > 2 * NAMED) node.named.splice(0, NAMED);
}

/** Linux watches single folders: each has its own watch, in a tree that mirrors the folders. */
function watchEach(
  root: string,
  { allowance, overflow }: WatchParts,
  changed: (segments: readonly string[]) => void,
  ended: () => void,
): FolderWatch {
  let top: Watched | null = null;

  function find(segments: readonly string[]): Watched | undefined {
    let node = top ?? undefined;
    for (const segment of segments) node = node?.below.get(segment);
    return node;
  }

  /** The watched folders from the root to this one. */
  function pathTo(segments: readonly string[]): Watched[] | null {
    const path = top === null ? [] : [top];
    for (const segment of segments) {
      const node = path.at(-1)?.below.get(segment);
      if (node === undefined) return null;
      path.push(node);
    }
    return path.length === 0 ? null : path;
  }

  function close(node: Watched): void {
    node.moves += 1;
    node.watcher?.close();
    allowance.giveBack();
    for (const child of node.below.values()) close(child);
    node.below.clear();
  }

  /** @param name of the entry; null if the system does not say which */
  function count(node: Watched, kind: 'rename' | 'change', name: string | null): void {
    overflow.sign();
    sign(node, name);
    // The listing of its parent has its modification time.
    if (kind === 'rename' && node.parent !== null) sign(node.parent, node.name);
    // What happens to the folder itself is reported with its own name.
    const isOfItself = name === null || name === node.name;
    if (isOfItself || (node === top && name === MARKER_FILE)) node.moves += 1;
  }

  function open(segments: readonly string[], identity: string, parent: Watched | null): Watched | null {
    if (!allowance.take()) return null;
    const name = segments.at(-1) ?? basename(root);
    const node: Watched = { name, identity, parent, watcher: null, below: new Map(), signs: 0, named: [], moves: 0 };
    try {
      node.watcher = watch(join(root, ...segments), { persistent: false }, (kind, entry) => {
        count(node, kind, entry);
        changed(segments);
      });
      node.watcher.on('error', () => {
        node.signs += 1;
        node.moves += 1;
        if (segments.length === 0) ended();
        else changed(segments.slice(0, -1));
      });
      return node;
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
        top = open(segments, identity, null);
        return top === null ? 'none' : 'added';
      }
      const parent = find(segments.slice(0, -1));
      const node = parent === undefined ? null : open([...segments], identity, parent);
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
    mark(segments) {
      const path = pathTo(segments);
      const target = path?.at(-1);
      if (path === null || target === undefined) return null;
      // Counters only grow: their sum stays the same while each of them does.
      const moves = () => path.reduce((sum, node) => sum + node.moves, 0);
      const before = { moves: moves(), signs: target.signs, lost: overflow.lost };
      return {
        isUnchanged: () => target.signs === before.signs && overflow.lost === before.lost && moves() === before.moves,
        changedNames() {
          if (overflow.lost !== before.lost || moves() !== before.moves) return null;
          const later = target.named.filter((one) => one.sign > before.signs);
          const isComplete = later.length === target.signs - before.signs;
          return isComplete ? [...new Set(later.map(({ name }) => name))] : null;
        },
        covers(listing) {
          // The owner of the watch checks the identity of the root.
          if (!path.every(({ identity }, depth) => depth === 0 || listing.folders[depth]?.identity === identity))
            return false;
          for (let index = 0; index < listing.folderCount; index += 1) {
            const child = target.below.get(listing.names[index] ?? '');
            if (child?.identity !== folderIdentityAt(listing, index)) return false;
          }
          return true;
        },
      };
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
    // Its signs come late, and it does not show what they are about.
    mark: () => null,
    close() {
      watcher?.close();
      watcher = null;
    },
  };
}
