import { closeSync, openSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { sendBytes } from '../../../dist/server/storage/content/send-bytes.js';

const PIECE = 512 * 1024;

/** What this process has read from anywhere. */
const readBytes = () => Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);

it.runIf(process.platform === 'linux')(
  'a file that is truncated while a slow client reads it fails alone',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'larder-test-'));
    const path = join(folder, 'film.bin');
    writeFileSync(path, Buffer.alloc(4 * PIECE, 1));
    const fd = openSync(path, 'r');
    const forsaken: unknown[] = [];
    const note = (error: unknown) => forsaken.push(error);
    process.on('unhandledRejection', note);
    const taken: (() => void)[] = [];
    const slow = new Writable({ highWaterMark: 1, write: (_piece, _encoding, done) => void taken.push(done) });
    const before = readBytes();
    try {
      const sent = sendBytes(fd, 0, 4 * PIECE - 1, slow).then(
        () => 'sent',
        (error: Error) => error.message,
      );
      await expect.poll(() => taken.length).toBe(1);
      // The second chunk has been read by now; the third no longer exists when it is read.
      await expect.poll(readBytes).toBeGreaterThanOrEqual(before + 2 * PIECE);
      truncateSync(path, PIECE);
      taken[0]?.();
      await expect.poll(() => taken.length).toBe(2);
      for (let turn = 0; turn < 100; turn += 1) await new Promise((done) => setImmediate(done));
      expect(forsaken).toEqual([]);
      taken[1]?.();
      expect(await sent).toBe('the file became shorter while it was read');
      expect(forsaken).toEqual([]);
    } finally {
      process.off('unhandledRejection', note);
      closeSync(fd);
      await rm(folder, { recursive: true });
    }
  },
);
