import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Adler32 } from './adler32.ts';

/** Bytes read at a time. */
const BLOCK = 1024 * 1024;

/** A range of a file of the work area. */
interface StoredRange {
  readonly path: string;
  /** The first byte. */
  readonly from: number;
}

/** Whether two ranges of so many bytes have the same content. A shorter file does not match. */
export async function haveSameBytes(one: StoredRange, other: StoredRange, bytes: number): Promise<boolean> {
  if (bytes === 0) return true;
  const first = await open(one.path, 'r');
  try {
    const second = await open(other.path, 'r');
    try {
      return await compareFiles(first, one.from, second, other.from, bytes);
    } finally {
      await second.close();
    }
  } finally {
    await first.close();
  }
}

async function compareFiles(
  first: FileHandle,
  firstFrom: number,
  second: FileHandle,
  secondFrom: number,
  bytes: number,
): Promise<boolean> {
  const size = Math.min(BLOCK, bytes);
  const [left, right] = [Buffer.allocUnsafe(size), Buffer.allocUnsafe(size)];
  for (let done = 0; done < bytes; done += size) {
    const requested = Math.min(size, bytes - done);
    const [a, b] = await Promise.all([
      readFully(first, left, requested, firstFrom + done),
      readFully(second, right, requested, secondFrom + done),
    ]);
    if (a < requested || b < requested || !left.subarray(0, requested).equals(right.subarray(0, requested)))
      return false;
  }
  return true;
}

async function readFully(file: FileHandle, buffer: Buffer, bytes: number, position: number): Promise<number> {
  let done = 0;
  while (done < bytes) {
    const { bytesRead } = await file.read(buffer, done, bytes - done, position + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return done;
}

type DigestAlgorithm = 'sha256' | 'sha512' | 'sha1' | 'md5' | 'adler32';

/** The digest of a range up to the end of the file, in hex. @param algorithm as Node names it */
export async function digestOf({ path, from }: StoredRange, algorithm: DigestAlgorithm): Promise<string> {
  const hash = algorithm === 'adler32' ? new Adler32() : createHash(algorithm);
  for await (const block of createReadStream(path, { start: from, highWaterMark: BLOCK })) hash.update(block as Buffer);
  return hash instanceof Adler32 ? hash.hex() : hash.digest('hex');
}
