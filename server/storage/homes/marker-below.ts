import { opendir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { foldName } from '../../lib/names/names.ts';
import { MARKER_FILE } from '../paths/folder-handle.ts';
import { readMarker } from './marker.ts';

interface Search {
  readonly signal?: AbortSignal | undefined;
  /** Whether a file with the name of a marker is something else. @param path below the folder, with `/` between the names */
  isOther(path: string): Promise<boolean>;
}

/**
 * Searches a folder and all folders below it, without following links, for the marker of one of these homes.
 * @param ids of homes
 * @returns the id of the home that was found first; null if there is none
 * @throws the reason of the signal; the system's error if a folder cannot be read, StorageError for a marker that cannot
 */
export async function markerBelow(
  folder: string,
  ids: ReadonlySet<string>,
  { signal, isOther }: Search,
): Promise<string | null> {
  const unread = [folder];
  for (let path = unread.pop(); path !== undefined; path = unread.pop()) {
    signal?.throwIfAborted();
    for await (const entry of await opendir(path)) {
      const place = join(path, entry.name);
      if (entry.isDirectory()) unread.push(place);
      if (!entry.isFile() || foldName(entry.name) !== MARKER_FILE) continue;
      if (await isOther(relative(folder, place).split(sep).join('/'))) continue;
      const id = readMarker(place);
      if (ids.has(id)) return id;
    }
  }
  return null;
}
