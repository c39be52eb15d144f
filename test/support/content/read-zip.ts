import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { type Entry, fromBuffer, fromBufferPromise, type ZipFile } from 'yauzl';

export interface ZipEntry {
  readonly size: number;
  readonly sha: string;
  readonly isUtf8: boolean;
  readonly isStored: boolean;
  readonly date: Date;
}

/** The contents according to an independent unzip program, entry by entry. @throws when a checksum is wrong */
export function readZip(zip: Buffer): Promise<Record<string, ZipEntry>> {
  return new Promise((resolve, reject) => {
    fromBuffer(zip, { lazyEntries: true }, (error, file) => {
      if (error) return reject(error);
      const entries: Record<string, ZipEntry> = {};
      file.on('error', reject);
      file.on('end', () => resolve(entries));
      file.on('entry', (entry: Entry) => {
        readEntry(file, entry).then((read) => {
          entries[entry.fileName] = read;
          file.readEntry();
        }, reject);
      });
      file.readEntry();
    });
  });
}

/** The directory, in its order. */
export async function entriesOf(zip: Buffer): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of (await fromBufferPromise(zip)).eachEntry()) entries.push(entry);
  return entries;
}

async function readEntry(file: ZipFile, entry: Entry): Promise<ZipEntry> {
  const stream = await new Promise<NodeJS.ReadableStream>((resolve, reject) =>
    file.openReadStream(entry, (error, opened) => (error ? reject(error) : resolve(opened))),
  );
  const content = await buffer(stream);
  if (crc32(content) !== entry.crc32) throw new Error(`${entry.fileName} is damaged`);
  return {
    size: content.length,
    sha: createHash('sha256').update(content).digest('hex'),
    isUtf8: (entry.generalPurposeBitFlag & 0x800) !== 0,
    isStored: entry.compressionMethod === 0,
    date: entry.getLastModDate(),
  };
}
