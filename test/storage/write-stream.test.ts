import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { noFailPoints } from '../../dist/server/lib/process/fail-points.js';
import { PartReader } from '../../dist/server/storage/content/part-reader.js';
import { receive } from '../../dist/server/storage/content/receive.js';
import { FlushFailure, type WriteStreamOptions, writeStream } from '../../dist/server/storage/content/write-stream.js';

const MEGABYTE = 1024 * 1024;
let folder: string;
let count = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Bytes that differ at every position of a buffer. */
function content(bytes: number): Buffer {
  const made = Buffer.allocUnsafe(bytes);
  for (let at = 0; at < bytes; at += 1) made[at] = (at * 31 + (at >>> 11)) & 0xff;
  return made;
}

function* inChunks(bytes: Buffer, length: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

async function written(source: Readable, options: Partial<WriteStreamOptions> = {}) {
  const path = join(folder, `file-${count++}`);
  const fd = openSync(path, 'wx');
  const hash = createHash('sha256');
  try {
    const all = {
      from: 0,
      limit: Number.MAX_SAFE_INTEGER,
      announced: null,
      failPoints: noFailPoints,
      hash,
      ...options,
    };
    const outcome = await writeStream(source, fd, all).catch((error) => error);
    return { outcome, content: readFileSync(path), sha256: hash.digest('hex') };
  } finally {
    closeSync(fd);
  }
}

/** A stream of so many bytes, with one byte for all of them. */
function zeros(bytes: number): Readable {
  const chunk = Buffer.alloc(MEGABYTE);
  const parts = Array.from({ length: bytes / MEGABYTE }, () => chunk);
  return Readable.from(parts, { objectMode: false });
}

describe('a long stream', () => {
  it('is flushed every 32 MB, and reports how much of the file is on the disk', async () => {
    const flushed: number[] = [];
    const announced = 100 * MEGABYTE;
    const found = await written(zeros(announced), { from: 5, announced, onFlushed: (bytes) => flushed.push(bytes) });
    expect(found.outcome).toBe(announced);
    expect(flushed.length).toBeGreaterThanOrEqual(1);
    expect(flushed.length).toBeLessThanOrEqual(3);
    expect(flushed[0]).toBeGreaterThanOrEqual(32 * MEGABYTE + 5);
    expect(flushed.every((bytes, index) => bytes - (flushed[index - 1] ?? 0) >= 32 * MEGABYTE)).toBe(true);
    expect(flushed.every((bytes) => (bytes - 5) % MEGABYTE === 0)).toBe(true);
  });

  it('fails if one of these flushes fails, even if all bytes could be written', async () => {
    const failPoints = { folder, actions: { 'storage.receive.early-flush': 'eio' } } as const;
    const found = await written(zeros(34 * MEGABYTE), { failPoints });
    expect(found.outcome).toBeInstanceOf(FlushFailure);
    expect(found.outcome.cause).toMatchObject({ code: 'EIO' });
  });

  it('ends with the error of a write', async () => {
    const failPoints = { folder, actions: { 'storage.receive.write': 'enospc' } } as const;
    expect((await written(zeros(3 * MEGABYTE), { failPoints })).outcome).toMatchObject({ code: 'ENOSPC' });
  });
});

describe('a stream', () => {
  const sizes = [0, 1, 65_535, 65_536, 65_537, MEGABYTE + 65_536, 3 * MEGABYTE, 3 * MEGABYTE + 70_001];
  const cases = sizes.flatMap((size) => [1_000_000_000, 16_384, 65_536, 70_001].map((chunk) => ({ size, chunk })));

  it.each(cases)('of $size bytes in chunks of $chunk is written unchanged', async ({ size, chunk }) => {
    const bytes = content(size);
    for (const announced of [null, size]) {
      const source = Readable.from(inChunks(bytes, chunk), { objectMode: false });
      const found = await written(source, { announced });
      expect(found.outcome).toBe(size);
      expect(found.content.equals(bytes)).toBe(true);
      expect(found.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    }
  });

  it('is written from a position', async () => {
    const found = await written(Readable.from([Buffer.from('abc')]), { from: 4 });
    expect(found.content.toString('latin1')).toBe('\0\0\0\0abc');
  });

  it('of exactly the limit is accepted', async () => {
    expect((await written(Readable.from([Buffer.from('1234'), Buffer.from('5678')]), { limit: 8 })).outcome).toBe(8);
  });

  it('longer than the limit is refused after the chunks before it, and not destroyed', async () => {
    const source = new PassThrough();
    const before = ['data', 'end', 'error', 'close'].map((event) => source.listeners(event).length);
    source.write('12345');
    const outcome = written(source, { limit: 8 });
    setImmediate(() => source.write('6789'));
    const found = await outcome;
    expect(found.outcome).toMatchObject({ reason: 'too-large' });
    expect(found.content.toString()).toBe('12345');
    expect(source.destroyed).toBe(false);
    expect(['data', 'end', 'error', 'close'].map((event) => source.listeners(event).length)).toEqual(before);
  });

  it.each([
    ['with an error', new Error('gone')],
    ['without one', undefined],
  ])('that ends early %s is reported as cut off, and the received part is written', async (_, error) => {
    const source = new PassThrough();
    source.write(content(2 * MEGABYTE + 5));
    let isTaken = () => {};
    const taken = new Promise<void>((resolve) => {
      isTaken = resolve;
    });
    const outcome = written(source, { onWritten: isTaken });
    // What is not written yet waits in a buffer of its own.
    await taken;
    while (source.readableLength > 0) await turn();
    source.destroy(error);
    const found = await outcome;
    expect(found.outcome).toMatchObject({ reason: 'cut-off' });
    expect(found.content.equals(content(2 * MEGABYTE + 5))).toBe(true);
  });

  it('that ended early before is reported as cut off', async () => {
    const source = new PassThrough();
    source.destroy();
    expect((await written(source)).outcome).toMatchObject({ reason: 'cut-off' });
  });

  it('that was read to its end before is empty', async () => {
    const source = Readable.from([Buffer.from('abc')]);
    for await (const _ of source);
    expect((await written(source)).outcome).toBe(0);
  });

  it('is checked about every megabyte, and at its end; a refusal ends it after the received part', async () => {
    const admitted: number[] = [];
    const source = () => Readable.from(inChunks(content(2_500_000), 50_000), { objectMode: false });
    const admit = async (bytes: number) => {
      admitted.push(bytes);
    };
    await written(source(), { admit, announced: 2_500_000 });
    expect(admitted).toEqual([MEGABYTE, 2 * MEGABYTE, 2_500_000]);
    const refusal = new Error('full');
    const refused = await written(source(), {
      announced: 2_500_000,
      admit: async (bytes) => {
        if (bytes > MEGABYTE) throw refusal;
      },
    });
    expect(refused.outcome).toBe(refusal);
    expect(refused.content.equals(content(2_500_000).subarray(0, 2 * MEGABYTE))).toBe(true);
  });

  it('that is faster than the disk waits, with at most two buffers besides its own', async () => {
    let taken = 0;
    const source = new Readable({
      read() {
        taken += 16_384;
        this.push(taken > 64 * MEGABYTE ? null : Buffer.alloc(16_384));
      },
    });
    let ahead = 0;
    const found = await written(source, {
      onWritten(bytes) {
        ahead = Math.max(ahead, taken - bytes);
      },
    });
    expect(found.outcome).toBe(64 * MEGABYTE);
    expect(ahead).toBeLessThan(2.5 * MEGABYTE);
  });
});

it('keeps what a stream delivers while it is paused for the next buffer', async () => {
  const source = new PassThrough();
  const reader = new PartReader(source, 100);
  const first = reader.next(() => Buffer.alloc(3));
  source.write('abcde');
  expect(String((await first).bytes)).toBe('abc');
  // A source may ignore a pause.
  source.emit('data', Buffer.from('fg'));
  source.end('h');
  const second = await reader.next(() => Buffer.alloc(3));
  expect([String(second.bytes), second.end]).toEqual(['def', null]);
  const third = await reader.next(() => Buffer.alloc(3));
  expect([String(third.bytes), third.end]).toEqual(['gh', 'end']);
  reader.close();
});

it('receives small files without large buffers: each would cost a full garbage collection every few files', async () => {
  const bytes = content(10_240);
  const allocated = vi.spyOn(Buffer, 'allocUnsafe');
  onTestFinished(() => allocated.mockRestore());
  for (let file = 0; file < 32; file += 1) {
    const options = {
      path: join(folder, `small-${file}`),
      limit: 1e9,
      announced: bytes.length,
      failPoints: noFailPoints,
    };
    expect((await receive(Readable.from([bytes]), options)).size).toBe(bytes.length);
  }
  const sizes = allocated.mock.calls.map(([size]) => size);
  expect(sizes.length).toBeGreaterThanOrEqual(32);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(4 * MEGABYTE);
});
