import { randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import ZipStream from 'zip-stream';
import { ZipSize } from '../../dist/server/files/zip/zip-size.js';
import { writeTimes } from '../../dist/server/files/zip/zip-times.js';

interface Entry {
  readonly name: string;
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly mtime?: number;
}

/** Bytes of the times of an entry in each of its headers, from 1970 to 2106 and at other times. */
const TIMES = 45;
const OTHER_TIMES = 36;
const YEARS = [1601, 1901, 1969, 1970, 1979, 1980, 2038, 2044, 2105, 2107, 2200];

/** The real output of the archive writer, with our settings. */
async function written(entries: readonly Entry[]): Promise<number> {
  const zip = new ZipStream({ store: true, forceLocalTime: true });
  let bytes = 0;
  let time = 0;
  writeTimes(zip as never, () => time);
  zip.on('data', (piece: Buffer) => {
    bytes += piece.length;
  });
  const ended = new Promise((resolve) => zip.on('end', resolve));
  for (const { name, size, mtime = 0 } of entries) {
    time = mtime;
    const { Readable } = await import('node:stream');
    const content = name.endsWith('/') ? Buffer.alloc(0) : Readable.from([Buffer.alloc(size)], { objectMode: false });
    await new Promise<void>((resolve, reject) => {
      zip.entry(content as never, { name, store: true }, (error?: Error | null) => (error ? reject(error) : resolve()));
    });
  }
  zip.finish();
  await ended;
  return bytes;
}

function planned(entries: readonly Entry[]): number {
  const size = new ZipSize();
  for (const { name, size: bytes, mtime = 0 } of entries) {
    if (name.endsWith('/')) size.addFolder(name, mtime);
    else size.addFile(name, bytes, mtime);
  }
  return size.total;
}

const NAMES = ['a', 'ünï.txt', '写真', 'x'.repeat(200), 'with space', "quote's", 'emoji 🍑', 'dots...', 'e\u0301'];

describe('the length of an archive', () => {
  it('equals the written bytes, for all kinds of names and sizes', async () => {
    for (let round = 0; round < 30; round += 1) {
      const entries = Array.from({ length: randomInt(0, 12) }, (_, number) => {
        const name = `${NAMES[randomInt(NAMES.length)]}${number}`;
        const mtime = Date.UTC(YEARS[randomInt(YEARS.length)] ?? 0, 5);
        return randomInt(3) === 0 ? { name: `${name}/`, size: 0, mtime } : { name, size: randomInt(0, 5_000), mtime };
      });
      expect(planned(entries), JSON.stringify(entries)).toBe(await written(entries));
    }
  });

  it('equals the written bytes with more entries than the old format supports', async () => {
    for (const count of [65_535, 65_536]) {
      const entries = Array.from({ length: count }, (_, number) => ({ name: `${number}/`, size: 0 }));
      expect(planned(entries)).toBe(await written(entries));
    }
  });

  it('includes the ZIP64 fields if a size or position needs them (APPNOTE 4.5.3)', () => {
    const max = 0xffff_ffff;
    // Header, name, content, descriptor; list entry with name; end.
    expect(planned([{ name: 'a', size: max }])).toBe(30 + 1 + TIMES + max + 16 + (46 + 1 + TIMES) + 76 + 22);
    expect(planned([{ name: 'a', size: max + 1 }])).toBe(
      30 + 1 + TIMES + max + 1 + 24 + (46 + 1 + TIMES + 28) + 76 + 22,
    );
    expect(planned([{ name: 'a', size: 0, mtime: -1 }])).toBe(30 + 1 + OTHER_TIMES + 16 + (46 + 1 + OTHER_TIMES) + 22);
    const before = planned([{ name: 'a', size: max }]);
    expect(
      planned([
        { name: 'a', size: max },
        { name: 'b', size: 0 },
      ]) - before,
    ).toBe(30 + 1 + TIMES + 16 + (46 + 1 + TIMES + 28));
  });
});
