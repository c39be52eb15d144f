// The division of files into chunks.

/** Bytes of a chunk. A file that is not larger is sent in one request. */
export const CHUNK_BYTES = 16 * 1024 * 1024;

interface Chunk {
  readonly start: number;
  /** The byte after its end. */
  readonly end: number;
}

export const needsChunks = (size: number): boolean => size > CHUNK_BYTES;

/** The next chunk of a file of which the server has `offset` bytes. */
export function nextChunk(offset: number, size: number): Chunk {
  const start = Math.min(Math.max(0, offset), size);
  return { start, end: Math.min(start + CHUNK_BYTES, size) };
}
