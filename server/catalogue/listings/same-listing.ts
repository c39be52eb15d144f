import type { DiskListing } from '../../storage/disk/disk.ts';

/** Whether two listings of a folder are equal: names, types, inodes, sizes and all times, in nanoseconds. */
export function isSameListing(a: DiskListing, b: DiskListing): boolean {
  if (a.names.length !== b.names.length || a.folderCount !== b.folderCount) return false;
  for (const column of ['inodes', 'births', 'changes', 'touches', 'sizes'] as const) {
    if (Buffer.compare(bytesOf(a[column]), bytesOf(b[column])) !== 0) return false;
  }
  return isSameFolder(a, b) && a.names.every((name, index) => name === b.names[index]);
}

/** Whether two listings are of the same folder, by names and identities of all folders on the path. */
export function isSameFolder({ folders: a }: DiskListing, { folders: b }: DiskListing): boolean {
  return (
    a.length === b.length && a.every(({ name, identity }, at) => name === b[at]?.name && identity === b[at].identity)
  );
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}
