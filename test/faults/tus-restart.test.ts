import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import sqlite3 from 'sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Connection } from '../../dist/server/database/connection.js';
import { Random } from '../model/random.ts';
import { itInFull } from '../support/forms.ts';
import { Installation } from '../support/households/server-process.ts';
import type { ApiClient } from '../support/requests/api-client.ts';
import { beginPatch, createUpload, newUpload, offsetOf, patch } from '../support/requests/tus.ts';

let installation: Installation;
beforeAll(async () => {
  installation = await Installation.create();
});
afterAll(() => installation.remove());

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const stored = (name: string) => readFile(join(installation.home, name));

/** The bytes of the only upload that survive a power cut, by the server's database. */
async function recorded(): Promise<number> {
  const path = join(installation.folder, '.larder', 'larder.sqlite');
  const database = await Connection.open(path, sqlite3.OPEN_READONLY);
  try {
    return (await database.all<{ received: number }>('SELECT received FROM uploads'))[0]?.received ?? 0;
  } finally {
    await database.close();
  }
}

/** Sends part of the content, and kills the server while it receives it. */
async function killDuring(api: ApiClient, address: string, offset: number, sent: Buffer, announced: number) {
  const { port } = new URL(api.base);
  const ca = await readFile(join(installation.folder, '.larder', 'tls', 'ca.crt'), 'utf8');
  const socket = beginPatch({ port: Number(port), ca, token: api.token_ }, address, { offset, announced });
  socket.write(sent);
  const incoming = join(installation.folder, '.larder', 'incoming');
  const size = async () => (await stat(join(incoming, (await readdir(incoming))[0] ?? ''))).size;
  // The last buffer that is not full may still be in memory.
  await expect.poll(size).toBeGreaterThan(offset + sent.length - 2 * 1024 * 1024);
  await expect.poll(recorded).toBeGreaterThan(offset);
  await installation.kill();
  socket.destroy();
}

describe('an upload survives a killed server', () => {
  itInFull('before its first byte', async () => {
    const address = await newUpload(await installation.start(), 5, { filename: 'early.txt' });
    await installation.kill();
    const api = await installation.start();
    expect(await offsetOf(api, address)).toBe(0);
    expect((await patch(api, address, 0, Buffer.from('12345'))).status).toBe(204);
    expect(String(await stored('early.txt'))).toBe('12345');
    await installation.kill();
  });

  itInFull('in the middle of PATCH requests, repeatedly', async () => {
    const random = new Random(20_261_125);
    // More than is flushed on the way, so that some of a chunk survives.
    const content = randomBytes(120 * 1024 * 1024);
    let api = await installation.start();
    const address = await newUpload(api, content.length, { filename: 'film.bin' });
    const offsets: number[] = [];
    for (let kill = 0; kill < 3; kill += 1) {
      const offset = Number(await offsetOf(api, address));
      offsets.push(offset);
      const bytes = Math.min(content.length - offset - 1, 36_000_000 + random.below(10_000_000));
      await killDuring(api, address, offset, content.subarray(offset, offset + bytes), content.length - offset);
      api = await installation.start();
    }
    const offset = Number(await offsetOf(api, address));
    expect([...offsets, offset]).toEqual([...offsets, offset].sort((a, b) => a - b));
    expect(offset).toBeGreaterThan(0);
    expect((await patch(api, address, offset, content.subarray(offset))).status).toBe(204);
    expect(sha256(await stored('film.bin'))).toBe(sha256(content));
    expect(await readdir(join(installation.folder, '.larder', 'incoming'))).toEqual([]);
    await installation.kill();
  });

  itInFull('after its last byte, without being complete', async () => {
    let api = await installation.start('files.upload.complete=kill');
    const address = await newUpload(api, 10, { filename: 'late.txt' });
    await expect(patch(api, address, 0, Buffer.from('1234567890'))).rejects.toThrow();
    await installation.died();
    api = await installation.start();
    expect(await readdir(installation.home)).not.toContain('late.txt');
    expect(await offsetOf(api, address)).toBe(9);
    expect((await patch(api, address, 9, Buffer.from('0'))).status).toBe(204);
    expect(String(await stored('late.txt'))).toBe('1234567890');
    expect(await offsetOf(api, address)).toBe(10);
    await installation.kill();
    // Its completion is remembered.
    expect(await offsetOf(await installation.start(), address)).toBe(10);
    await installation.kill();
  });

  it('after publishing: its address is gone, and never reports bytes that do not exist', async () => {
    let api = await installation.start('files.upload.named=kill');
    const address = await newUpload(api, 10, { filename: 'named.txt' });
    await expect(patch(api, address, 0, Buffer.from('1234567890'))).rejects.toThrow();
    await installation.died();
    api = await installation.start();
    expect(await offsetOf(api, address)).toBe('status 410');
    expect(String(await stored('named.txt'))).toBe('1234567890');
    expect((await createUpload(api, 10, { filename: 'named.txt' }, Buffer.from('1234567890'))).status).toBe(201);
    expect((await installation.doctor()).problems.filter((text) => !/are free in/.test(text))).toEqual([]);
    await installation.kill();
  });
});
