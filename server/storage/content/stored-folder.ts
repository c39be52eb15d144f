import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { diskEntry } from '../disk/disk-entry.ts';
import type { DiskEntry, SeenFolder } from '../disk/disk-protocol.ts';
import { orNullIfGone } from '../errors.ts';

/**
 * The entries of a folder in the work area; null when it does not exist or is not a folder. Synchronous: for a thread of the
 * disk.
 */
export function storedFolder(path: string): SeenFolder | null {
  const names = orNullIfGone(() => readdirSync(path));
  if (names === null) return null;
  const entries = new Map<string, DiskEntry>();
  for (const name of names) {
    const stats = lstatSync(join(path, name), { bigint: true, throwIfNoEntry: false });
    if (stats?.isFile() || stats?.isDirectory()) entries.set(name, diskEntry(name, stats));
  }
  return { entries, hasOthers: entries.size < names.length };
}
