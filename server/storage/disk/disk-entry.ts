import type { BigIntStats } from 'node:fs';
import type { DiskEntry, DiskListing } from './disk-protocol.ts';

export function diskEntry(name: string, stats: BigIntStats): DiskEntry {
  const isDir = stats.isDirectory();
  return {
    name,
    isDir,
    size: isDir ? 0 : Number(stats.size),
    mtime: Math.floor(Number(stats.mtimeMs)),
    created: createdAt(stats),
    identity: identityOf(isDir, stats.ino, stats.birthtimeNs, stats.size, stats.mtimeNs),
    touched: microseconds(stats.ctimeNs),
  };
}

/** @param time nanoseconds */
export function microseconds(time: bigint): number {
  return Number(time / 1_000n);
}

/** The creation time if the file system records one, otherwise the older of the times it does record. Milliseconds. */
export function createdAt({ birthtimeMs, mtimeMs }: Pick<BigIntStats, 'birthtimeMs' | 'mtimeMs'>): number {
  return Number(birthtimeMs > 0n && birthtimeMs <= mtimeMs ? birthtimeMs : mtimeMs);
}

/** The same from a stored row. @param mtime milliseconds since the epoch */
export function createdFrom(identity: string, mtime: number): number {
  const birth = BigInt(identity.split('.')[1] ?? 0);
  return createdAt({ birthtimeMs: birth / 1_000_000n, mtimeMs: BigInt(mtime) });
}

/**
 * A folder's size and time change with its contents, so only inode and creation time identify it. For a file all four must match,
 * because file systems reuse the inode of a removed file at once.
 */
export function identityOf(isDir: boolean, inode: bigint, birth: bigint, size: bigint, change: bigint): string {
  return isDir ? `d${inode}.${birth}` : `f${inode}.${birth}.${size}.${change}`;
}

/** Whether it is the identity of a folder. */
export function isFolderIdentity(identity: string): boolean {
  return identity.startsWith('d');
}

/** Without a recorded creation time, a folder's identity is its inode alone, and inodes are reused at once. */
export function isTelling(identity: string): boolean {
  return !/^d\d+\.0$/.test(identity);
}

/**
 * The entity tag of what nobody else writes, such as earlier versions, with its quotes. It does not tell changes by programs that set
 * size and time back.
 */
export function etagOf({ ino, size, mtimeNs }: Pick<BigIntStats, 'ino' | 'size' | 'mtimeNs'>): string {
  return `"${ino.toString(36)}-${size.toString(36)}-${mtimeNs.toString(36)}"`;
}

/** The identity of a folder in a listing. @param index below its `folderCount` */
export function folderIdentityAt({ inodes, births }: DiskListing, index: number): string {
  return identityOf(true, inodes[index] ?? 0n, births[index] ?? 0n, 0n, 0n);
}

/** One entry of a listing. */
export function listingEntry(listing: DiskListing, index: number): DiskEntry {
  const isDir = index < listing.folderCount;
  const size = listing.sizes[index] ?? 0;
  return {
    name: listing.names[index] ?? '',
    isDir,
    size,
    mtime: listing.mtimes[index] ?? 0,
    created: listing.created[index] ?? 0,
    identity: identityOf(
      isDir,
      listing.inodes[index] ?? 0n,
      listing.births[index] ?? 0n,
      BigInt(size),
      listing.changes[index] ?? 0n,
    ),
    touched: microseconds(listing.touches[index] ?? 0n),
  };
}
