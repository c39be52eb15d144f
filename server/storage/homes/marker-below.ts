import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { foldName } from '../../lib/names/names.ts';
import { MARKER_FILE } from '../paths/folder-handle.ts';
import { readMarker } from './marker.ts';

/**
 * Searches a folder and all folders below it, without following links, for the marker of one of these homes.
 * @param ids of homes
 * @returns the id of the home that was found first; null if there is none
 * @throws the reason of the signal; the system's error if a folder cannot be read, StorageError for a marker that cannot
 */
export async function markerBelow(
  folder: string,
  ids: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<string | null> {
  const unread = [folder];
  for (let path = unread.pop(); path !== undefined; path = unread.pop()) {
    signal?.throwIfAborted();
    for await (const entry of await opendir(path)) {
      if (entry.isDirectory()) unread.push(join(path, entry.name));
      if (!entry.isFile() || foldName(entry.name) !== MARKER_FILE) continue;
      const id = readMarker(join(path, entry.name));
      if (ids.has(id)) return id;
    }
  }
  return null;
}
