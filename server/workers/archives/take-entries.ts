import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createInflateRaw } from 'node:zlib';
import { type OpenInherited, readAt, streamAt } from '../inherited-file.ts';
import type { ListedEntry } from './archive-jobs.ts';
import { newFile } from './write-entry.ts';

/** The header before each content (APPNOTE 4.3.7): its signature, its length, and where its fields are. */
const HEADER = { signature: 0x04034b50, length: 30, method: 8, nameLength: 26, extraLength: 28 } as const;
const STORED = 0;
const DEFLATED = 8;

/** A content that is not what the archive states. */
class DamagedEntry extends Error {}

/**
 * Writes entries of an archive that was listed into a folder that nothing else writes, each under its position. They are found by
 * their offsets, and their sizes and checksums are those of the listing.
 * @returns for each whether its content was intact; otherwise there may be a part of it
 * @throws errors of the disk
 */
export async function takeEntries(
  archive: OpenInherited,
  entries: readonly ListedEntry[],
  folder: string,
): Promise<boolean[]> {
  const intact: boolean[] = [];
  for (const [index, entry] of entries.entries()) {
    intact.push(
      await ifIntact(
        async (streams) => {
          const target = newFile(join(folder, String(index)));
          await pipeline([...streams, target] as never);
        },
        contentOf(archive, entry),
      ),
    );
  }
  return intact;
}

/** Small texts of an archive that was listed. @returns null for a damaged one, or one that is not UTF-8 */
export async function readTexts(archive: OpenInherited, entries: readonly ListedEntry[]): Promise<(string | null)[]> {
  const texts: (string | null)[] = [];
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for (const entry of entries) {
    const pieces: Buffer[] = [];
    const isIntact = await ifIntact(
      async (streams) => {
        await pipeline([
          ...streams,
          async (source: AsyncIterable<Buffer>) => {
            for await (const piece of source) pieces.push(piece);
          },
        ] as never);
      },
      contentOf(archive, entry),
    );
    texts.push(isIntact ? decoded(decoder, Buffer.concat(pieces)) : null);
  }
  return texts;
}

function decoded(decoder: { decode(bytes: Buffer): string }, bytes: Buffer): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

/** Errors of the disk are passed on. */
async function ifIntact(
  work: (streams: readonly (Readable | Transform)[]) => Promise<void>,
  streams: readonly (Readable | Transform)[] | null,
): Promise<boolean> {
  if (streams === null) return false;
  try {
    await work(streams);
    return true;
  } catch (error) {
    const { code = '', syscall } = error as NodeJS.ErrnoException;
    const isDamaged = error instanceof DamagedEntry || code.startsWith('Z_') || code === 'ERR_STREAM_PREMATURE_CLOSE';
    if (isDamaged && syscall === undefined) return false;
    throw error;
  }
}

/** The streams that give the content of an entry. @returns null if there is none */
function contentOf(
  { fd, size: archiveSize }: OpenInherited,
  { offset, size, packedSize, crc }: ListedEntry,
): (Readable | Transform)[] | null {
  const header = readAt(fd, offset, HEADER.length);
  if (header.length < HEADER.length || header.readUInt32LE(0) !== HEADER.signature) return null;
  const method = header.readUInt16LE(HEADER.method);
  const start =
    offset + HEADER.length + header.readUInt16LE(HEADER.nameLength) + header.readUInt16LE(HEADER.extraLength);
  if ((method !== STORED && method !== DEFLATED) || start + packedSize > archiveSize) return null;
  const packed = streamAt(fd, start, packedSize);
  return [packed, ...(method === DEFLATED ? [createInflateRaw()] : []), counted(size, crc)];
}

/** Passes a content on that has this size and checksum; not a byte more. */
function counted(size: number, crc: number): Transform {
  let bytes = 0;
  let sum = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      sum = crc32(chunk, sum);
      if (bytes > size) done(new DamagedEntry());
      else done(null, chunk);
    },
    flush(done) {
      done(bytes === size && sum === crc ? null : new DamagedEntry());
    },
  });
}
