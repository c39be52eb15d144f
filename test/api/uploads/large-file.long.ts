import { createHash, type Hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Installation } from '../../support/households/server-process.ts';

const GIB = 1024 ** 3;
const SIZE = 4 * GIB + 12_345;
/** Megabytes that the server's resident memory may reach, counted by the kernel. */
const MEMORY = 250;

let installation: Installation;

beforeAll(async () => {
  installation = await Installation.create();
});
afterAll(() => installation.remove());

/** Bytes that differ in every megabyte, generated on demand. */
function* content(sent: Hash): Generator<Buffer> {
  const block = Buffer.alloc(1024 * 1024, 'larder');
  for (let at = 0; at < SIZE; at += block.length) {
    block.writeBigUInt64LE(BigInt(at), 100);
    const piece = Buffer.from(block.subarray(0, Math.min(block.length, SIZE - at)));
    sent.update(piece);
    yield piece;
  }
}

describe('a file of more than 4 GiB', () => {
  it('is uploaded and downloaded byte for byte, with constant memory', async () => {
    const api = await installation.start();
    const sent = createHash('sha1');
    const body = Readable.from(content(sent));
    const upload = await api.put({ path: '/ROOT/HOME/large.bin' }, body, { 'content-length': String(SIZE) });
    expect([upload.status, upload.body.data?.fileSize]).toEqual([201, SIZE]);

    const ca = await readFile(`${installation.folder}/.larder/tls/ca.crt`, 'utf8');
    const {
      statusCode,
      headers,
      body: download,
    } = await request(`${api.base}/api.php/files/download?path=/ROOT/HOME/large.bin`, {
      headers: { authorization: `Bearer ${api.token_}` },
      dispatcher: new Agent({ connect: { ca } }),
    });
    expect([statusCode, headers['content-length']]).toEqual([200, String(SIZE)]);
    const received = createHash('sha1');
    for await (const chunk of download) received.update(chunk);
    expect(received.digest('hex')).toBe(sent.digest('hex'));

    if (process.platform === 'linux') {
      const peak =
        Number(/VmHWM:\s+(\d+) kB/.exec(await readFile(`/proc/${installation.pid}/status`, 'utf8'))?.[1]) / 1024;
      expect(peak).toBeLessThan(MEMORY);
    }
  });
});
