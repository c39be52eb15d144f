import { lstatSync, opendirSync } from 'node:fs';
import { nameSortKey } from '../../lib/names/names.ts';
import { type FolderHandle, isReserved } from '../paths/folder-handle.ts';
import { createdAt } from './disk-entry.ts';
import type { DiskListing } from './disk-protocol.ts';

/**
 * The entries of a folder, as columns from the start: as objects until they are sorted, they would take a kilobyte per entry.
 * @param only names that are listed if they exist; by default all
 */
export function listFolder(
  folder: FolderHandle,
  { isRoot, beat, only }: { isRoot: boolean; beat: () => void; only?: readonly string[] | undefined },
): Omit<DiskListing, 'folders' | 'stamp' | 'isReported'> {
  const found = only === undefined ? namesIn(folder) : [...only];
  const listing = { names: found, folderCount: 0, others: 0, ...columnsFor(found.length) };
  const names: string[] = [];
  const areFolders: boolean[] = [];
  for (const name of found) {
    beat();
    if (isRoot && isReserved(name)) continue;
    const stats = lstatSync(folder.at(name), { bigint: true, throwIfNoEntry: false });
    // It has disappeared since; or its name is not UTF-8 (the doctor lists those), which Node replaces with this character.
    if (stats === undefined && !name.includes('\ufffd')) continue;
    // An unreadable name, or a special file.
    if (stats === undefined || (!stats.isFile() && !stats.isDirectory())) {
      listing.others += 1;
      continue;
    }
    const at = names.length;
    const isDir = stats.isDirectory();
    listing.sizes[at] = isDir ? 0 : Number(stats.size);
    listing.mtimes[at] = Number(stats.mtimeMs);
    listing.created[at] = createdAt(stats);
    listing.inodes[at] = stats.ino;
    listing.births[at] = stats.birthtimeNs;
    listing.changes[at] = stats.mtimeNs;
    listing.touches[at] = stats.ctimeNs;
    names.push(name);
    areFolders.push(isDir);
    if (isDir) listing.folderCount += 1;
  }
  const keys = names.map(nameSortKey);
  const order = Uint32Array.from(names.keys()).sort((a, b) => {
    if (areFolders[a] !== areFolders[b]) return areFolders[a] ? -1 : 1;
    const [one = '', other = ''] = [keys[a], keys[b]];
    if (one !== other) return one < other ? -1 : 1;
    return (names[a] ?? '') < (names[b] ?? '') ? -1 : 1;
  });
  listing.names = Array.from(order, (at) => names[at] ?? '');
  listing.sizes = Float64Array.from(order, (at) => listing.sizes[at] ?? 0);
  listing.mtimes = Float64Array.from(order, (at) => listing.mtimes[at] ?? 0);
  listing.created = Float64Array.from(order, (at) => listing.created[at] ?? 0);
  listing.inodes = BigUint64Array.from(order, (at) => listing.inodes[at] ?? 0n);
  listing.births = BigInt64Array.from(order, (at) => listing.births[at] ?? 0n);
  listing.changes = BigInt64Array.from(order, (at) => listing.changes[at] ?? 0n);
  listing.touches = BigInt64Array.from(order, (at) => listing.touches[at] ?? 0n);
  return listing;
}

/** Names read from the disk per batch. */
const NAMES_BATCH = 1_024;

function namesIn(folder: FolderHandle): string[] {
  const names: string[] = [];
  const directory = opendirSync(folder.at('.'), { bufferSize: NAMES_BATCH });
  try {
    for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) names.push(entry.name);
  } finally {
    directory.closeSync();
  }
  return names;
}

function columnsFor(count: number) {
  return {
    sizes: new Float64Array(count),
    mtimes: new Float64Array(count),
    created: new Float64Array(count),
    inodes: new BigUint64Array(count),
    births: new BigInt64Array(count),
    changes: new BigInt64Array(count),
    touches: new BigInt64Array(count),
  };
}
