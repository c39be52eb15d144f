import { randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import ZipStream from 'zip-stream';
import { ZipSize } from '../../dist/server/files/zip/zip-size.js';

interface Entry {
  readonly name: string;
  readonly size: number;
}

/** The real output of the archive writer, with our settings. */
async function written(entries: readonly Entry[]): Promise<number> {
  const zip = new ZipStream({ store: true, forceLocalTime: true });
  let bytes = 0;
  zip.on('data', (piece: Buffer) => {
    bytes += piece.length;
  });
  const ended = new Promise((resolve) => zip.on('end', resolve));
  for (const { name, size } of entries) {
    const { Readable } = await import('node:stream');
    const content = name.endsWith('/') ? Buffer.alloc(0) : Readable.from([Buffer.alloc(size)], { objectMode: false });
    await new Promise<void>((resolve, reject) => {
      zip.entry(content as never, { name, date: new Date(), store: true }, (error?: Error | null) =>
        error ? reject(error) : resolve(),
      );
    });
  }
  zip.finish();
  await ended;
  return bytes;
}

function planned(entries: readonly Entry[]): number {
  const size = new ZipSize();
  for (const { name, size: bytes } of entries) {
    if (name.endsWith('/')) size.addFolder(name);
    else size.addFile(name, bytes);
  }
  return size.total;
}

const NAMES = ['a', 'ünï.txt', '写真', 'x'.repeat(200), 'with space', "quote's", 'emoji 🍑', 'dots...', 'e\u0301'];

describe('the length of an archive', () => {
  it('is what is written, for all kinds of names and sizes', async () => {
    for (let round = 0; round < 30; round += 1) {
      const entries = Array.from({ length: randomInt(0, 12) }, (_, number) => {
        const name = `${NAMES[randomInt(NAMES.length)]}${number}`;
        return randomInt(3) === 0 ? { name: `${name}/`, size: 0 } : { name, size: randomInt(0, 5_000) };
      });
      expect(planned(entries), JSON.stringify(entries)).toBe(await written(entries));
    }
  });

  it('is what is written with more entries than the old format has numbers for', async () => {
    for (const count of [65_535, 65_536]) {
      const entries = Array.from({ length: count }, (_, number) => ({ name: `${number}/`, size: 0 }));
      expect(planned(entries)).toBe(await written(entries));
    }
  });

  it('has the longer fields where a size or a place takes them (APPNOTE 4.5.3)', () => {
    const max = 0xffff_ffff;
    // Header, name, content, descriptor; list entry with name; end.
    expect(planned([{ name: 'a', size: max }])).toBe(30 + 1 + max + 16 + (46 + 1) + 76 + 22);
    expect(planned([{ name: 'a', size: max + 1 }])).toBe(30 + 1 + max + 1 + 24 + (46 + 1 + 28) + 76 + 22);
    const before = planned([{ name: 'a', size: max }]);
    expect(
      planned([
        { name: 'a', size: max },
        { name: 'b', size: 0 },
      ]) - before,
    ).toBe(30 + 1 + 16 + (46 + 1 + 28));
  });
});
