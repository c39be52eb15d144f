import { createHash, randomBytes } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itInFull } from '../../support/forms.ts';
import { Installation } from '../../support/households/server-process.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';

// The long test transfers all of 4 GiB.

const MIB = 1024 ** 2;
const LARGE = 512 * MIB + 12_345;
/** Beyond 32 bits. */
const SPARSE = 4 * 1024 * MIB + 12_345;
/** Megabytes that the server's resident memory may reach, counted by the kernel. */
const MEMORY = 250;

let installation: Installation;
let api: ApiClient;

beforeAll(async () => {
  installation = await Installation.create();
  api = await installation.start();
});
afterAll(() => installation.remove());

describe('a large file', () => {
  it('is uploaded and downloaded byte for byte, with constant memory', async () => {
    const block = randomBytes(MIB);
    const sent = createHash('sha1');
    function* content(): Generator<Buffer> {
      for (let at = 0; at < LARGE; at += block.length) {
        block.writeBigUInt64LE(BigInt(at), 100);
        const part = Buffer.from(block.subarray(0, Math.min(block.length, LARGE - at)));
        sent.update(part);
        yield part;
      }
    }
    const length = { 'content-length': String(LARGE) };
    const upload = await api.put({ path: '/ROOT/HOME/large.bin' }, Readable.from(content()), length);
    expect([upload.status, upload.body.data?.fileSize]).toEqual([201, LARGE]);

    const ca = await readFile(`${installation.folder}/.larder/tls/ca.crt`, 'utf8');
    const download = await request(`${api.base}/api.php/files/download?path=/ROOT/HOME/large.bin`, {
      headers: { authorization: `Bearer ${api.token_}` },
      dispatcher: new Agent({ connect: { ca } }),
    });
    expect([download.statusCode, download.headers['content-length']]).toEqual([200, String(LARGE)]);
    const received = createHash('sha1');
    for await (const chunk of download.body) received.update(chunk);
    expect(received.digest('hex')).toBe(sent.digest('hex'));

    if (process.platform === 'linux') {
      const status = await readFile(`/proc/${installation.pid}/status`, 'utf8');
      expect(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024).toBeLessThan(MEMORY);
    }
  });

  it('may be larger than 4 GiB: its size is reported and its end is sent', async () => {
    const file = await open(join(installation.home, 'sparse.bin'), 'w');
    await file.truncate(SPARSE);
    await file.write('the end', SPARSE - 7);
    await file.close();
    const { body } = await api.get('files/browse', { path: '/ROOT/HOME', details: 'fileSize' });
    expect(JSON.stringify(body)).toContain(String(SPARSE));
    const range = { range: `bytes=${SPARSE - 7}-` };
    const end = await api.send('GET', '/api.php/files/download?path=/ROOT/HOME/sparse.bin', { headers: range });
    expect([end.status, end.text]).toEqual([206, 'the end']);
    expect(end.headers['content-range']).toBe(`bytes ${SPARSE - 7}-${SPARSE - 1}/${SPARSE}`);
  });

  itInFull('may be sent in chunks beyond 4 GiB', async () => {
    const query = { path: '/ROOT/HOME/chunks.bin', totalSize: SPARSE, startByte: 4 * 1024 * MIB };
    const ahead = await api.put(query, 'too early');
    expect([ahead.status, ahead.body.code, ahead.body.details?.offset]).toEqual([409, 'conflict', 0]);
  });
});
