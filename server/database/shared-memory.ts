import { type FileHandle, open } from 'node:fs/promises';

/** Bytes: the index of a log of 128 MB. SQLite maps it in parts of 32 KB. */
const INDEX = 256 * 1024;
/** Bytes: no block is smaller than that. */
const HEADER = 1_024;

/**
 * Gives the index of the write-ahead log real blocks. SQLite maps it into memory and only writes the last byte of every 4 KB of
 * it: where blocks are smaller, or on a file system that allocates memory pages, the rest is allocated when it is first touched,
 * and on a full disk the system ends the process for that (SIGBUS). To be called while a transaction
 * keeps everybody else from writing.
 * @returns the open file, to be closed after every connection: closing any descriptor of a file gives up the locks that this
 * process has on it (POSIX)
 * @throws the system's error, such as ENOSPC
 */
export async function allocateIndex(database: string): Promise<FileHandle | null> {
  // Windows allocates what it maps, and locks others out.
  if (process.platform === 'win32') return null;
  const file = await open(`${database}-shm`, 'r+').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (file === null) return null;
  const content = Buffer.alloc(INDEX);
  // Existing content is written back unchanged; the header, which readers write to, always has blocks.
  await file.read(content, 0, INDEX, 0);
  for (let at = HEADER; at < INDEX; ) at += (await file.write(content, at, INDEX - at, at)).bytesWritten;
  return file;
}
