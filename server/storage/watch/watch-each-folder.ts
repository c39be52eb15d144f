import { type FSWatcher, watch } from 'node:fs';
import { basename, join } from 'node:path';
import { folderIdentityAt } from '../disk/disk-entry.ts';
import type { DiskListing } from '../disk/disk-protocol.ts';
import { MARKER_FILE } from '../paths/folder-handle.ts';
import type { FolderWatch, WatchListener, WatchMark, WatchParts } from './watch.ts';
import type { WatchOverflow } from './watch-limits.ts';

/** A watched folder, in a tree that mirrors the folders. */
interface WatchedFolder {
  readonly name: string;
  readonly identity: string;
  readonly parent: WatchedFolder | null;
  watcher: FSWatcher | null;
  readonly children: Map<string, WatchedFolder>;
  /** Counts the events that may have changed the listing of this folder. */
  events: number;
  /** The entries that the last events were about, with the number of the event. */
  readonly recent: { readonly event: number; readonly name: string }[];
  /** Counts the events that may have put another folder in its place, or closed this watch. */
  replacements: number;
}

/** Number of events whose names are remembered. */
const RECENT = 500;

function countEvent(folder: WatchedFolder, name: string | null): void {
  folder.events += 1;
  if (name === null) return;
  folder.recent.push({ event: folder.events, name });
  if (folder.recent.length > 2 * RECENT) folder.recent.splice(0, RECENT);
}

/** Linux watches single folders: each has its own watch. */
export function watchEachFolder(
  root: string,
  { allowance, overflow }: WatchParts,
  { changed, ended }: WatchListener,
): FolderWatch {
  let top: WatchedFolder | null = null;

  /** The watched folders from the root to this one. */
  function pathTo(segments: readonly string[]): [WatchedFolder, ...WatchedFolder[]] | null {
    if (top === null) return null;
    const path: [WatchedFolder, ...WatchedFolder[]] = [top];
    for (const segment of segments) {
      const folder = path.at(-1)?.children.get(segment);
      if (folder === undefined) return null;
      path.push(folder);
    }
    return path;
  }

  function find(segments: readonly string[]): WatchedFolder | undefined {
    return pathTo(segments)?.at(-1);
  }

  function close(folder: WatchedFolder): void {
    folder.replacements += 1;
    folder.watcher?.close();
    allowance.giveBack();
    for (const child of folder.children.values()) close(child);
    folder.children.clear();
  }

  /** @param name of the entry; null if the system does not say which */
  function count(folder: WatchedFolder, kind: 'rename' | 'change', name: string | null): void {
    overflow.count();
    countEvent(folder, name);
    // The listing of its parent has its modification time.
    if (kind === 'rename' && folder.parent !== null) countEvent(folder.parent, folder.name);
    // What happens to the folder itself is reported with its own name.
    const isOfItself = name === null || name === folder.name;
    if (isOfItself || (folder === top && name === MARKER_FILE)) folder.replacements += 1;
  }

  function open(segments: readonly string[], identity: string, parent: WatchedFolder | null): WatchedFolder | null {
    if (!allowance.take()) return null;
    const name = segments.at(-1) ?? basename(root);
    const folder: WatchedFolder = {
      ...{ name, identity, parent, watcher: null, children: new Map() },
      ...{ events: 0, recent: [], replacements: 0 },
    };
    try {
      folder.watcher = watch(join(root, ...segments), { persistent: false }, (kind, entry) => {
        count(folder, kind, entry);
        changed(segments);
      });
      folder.watcher.on('error', () => {
        folder.events += 1;
        folder.replacements += 1;
        if (segments.length === 0) ended();
        else changed(segments.slice(0, -1));
      });
      return folder;
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
      const folder = parent === undefined ? null : open([...segments], identity, parent);
      if (folder !== null) parent?.children.set(name, folder);
      return folder === null ? 'none' : 'added';
    },
    keepOnly(segments, folders) {
      const folder = find(segments);
      for (const [name, child] of folder?.children ?? []) {
        if (folders.get(name) === child.identity) continue;
        close(child);
        folder?.children.delete(name);
      }
    },
    mark(segments) {
      const path = pathTo(segments);
      return path === null ? null : markOf(path, overflow);
    },
    close() {
      if (top !== null) close(top);
      top = null;
    },
  };
}

function markOf(path: readonly [WatchedFolder, ...WatchedFolder[]], overflow: WatchOverflow): WatchMark {
  const target = path.at(-1) ?? path[0];
  // Counters only grow: their sum stays the same while each of them does.
  const replacements = () => path.reduce((sum, folder) => sum + folder.replacements, 0);
  const before = { replacements: replacements(), events: target.events, lost: overflow.lost };
  const isSamePath = () => overflow.lost === before.lost && replacements() === before.replacements;
  return {
    isUnchanged: () => target.events === before.events && isSamePath(),
    changedNames() {
      if (!isSamePath()) return null;
      const later = target.recent.filter(({ event }) => event > before.events);
      const isComplete = later.length === target.events - before.events;
      return isComplete ? [...new Set(later.map(({ name }) => name))] : null;
    },
    // The owner of the watch checks the identity of the root.
    covers: (listing) =>
      path.every(({ identity }, depth) => depth === 0 || listing.folders[depth]?.identity === identity) &&
      areWatched(listing, target),
  };
}

/** Whether the subfolders in a listing are the watched ones. */
function areWatched(listing: DiskListing, { children }: WatchedFolder): boolean {
  for (let index = 0; index < listing.folderCount; index += 1) {
    const child = children.get(listing.names[index] ?? '');
    if (child?.identity !== folderIdentityAt(listing, index)) return false;
  }
  return true;
}
