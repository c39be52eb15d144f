import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { diskEntry } from '../disk/disk-entry.ts';
import type { DiskEntry, SeenFolder } from '../disk/disk-protocol.ts';
import { orNullIfGone } from '../errors.ts';

/** What is in a folder of the work area; null when it is none, or nothing is there. Blocks: for a thread of the disk. */
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
