import { once } from 'node:events';
import { truncate, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { open } from '../wire/wire.ts';
import { type Attacked, attacked, crowd, MEGABYTE, post, SILENT, send, unread } from './slow-clients.ts';

const CONNECTIONS = 2_000;
/** Milliseconds after which whatever has a limit has come to it: of a reply that is not taken, it is twice two minutes at the most. */
const WATCHED = 255_000;

let at: Attacked;
beforeAll(async () => {
  at = await attacked();
});
afterAll(() => at.installation.remove());

const megabytes = (bytes: number) => Math.round(bytes / MEGABYTE);
const wait = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds));

it('thousands of silent connections do not prevent replies to others', { timeout: 300_000 }, async ({ task }) => {
  const { connections, slowest, answered, complaints, handles, memory } = await crowd(at, CONNECTIONS);
  const [first, most, last] = [memory.before, memory.most, memory.after].map(megabytes);
  task.meta.trust = {
    tried: `${connections} connections of ${Object.keys(SILENT).length} kinds that say nothing, one bystander`,
    found: `${answered} answers to the bystander, the slowest ${Math.round(slowest)} ms; handles ${handles.before}, ${handles.most}, then ${handles.after}; memory ${first}, ${most}, then ${last} MB`,
  };
  expect(complaints).toEqual([]);
  expect(slowest).toBeLessThan(5_000);
  expect(handles.most).toBeGreaterThan(CONNECTIONS);
  expect(handles.after).toBeLessThanOrEqual(handles.before + 4);
  expect(memory.most - memory.before).toBeLessThan(400 * MEGABYTE);
});

it('fifty unread downloads wait on the disk', { timeout: 300_000 }, async ({ task }) => {
  const { grown, slowest } = await unread(at, 50);
  task.meta.trust = {
    tried: '50 downloads of 300 MB, each read for its first bytes only',
    found: `memory grew by ${megabytes(grown)} MB, the slowest answer to a bystander took ${Math.round(slowest)} ms`,
  };
  expect(grown).toBeLessThan(300 * MEGABYTE);
});

/** Sends one byte after the other, and then nothing. */
function drip(socket: Socket, bytes: string, every: number): Socket {
  let sent = 0;
  const timer = setInterval(() => {
    if (sent < bytes.length && socket.writable) socket.write(bytes.slice(sent, ++sent));
  }, every);
  socket.once('close', () => clearInterval(timer));
  return socket;
}

const authorized = (line: string, more = '') =>
  `${line} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${at.api.token_}\r\n${more}\r\n`;
const upload = (name: string, length: number) =>
  authorized(`PUT /api.php/files/upload?path=/ROOT/HOME/${name}`, `Content-Length: ${length}\r\n`);

/** Who is ended, and in which second at the latest. A second or two are the server's own, five are between its looks at headers. */
const ENDED: Readonly<Record<string, readonly [() => Promise<Socket>, number]>> = {
  'connected, and nothing else': [() => kind('connected, and nothing else'), 22],
  'in the middle of the TLS handshake': [() => kind('in the middle of the TLS handshake'), 42],
  'after the handshake': [() => kind('after the handshake'), 37],
  'in the middle of the headers': [() => kind('in the middle of the headers'), 37],
  'a header byte a second': [
    async () => drip(await open(at.wire), `GET / HTTP/1.1\r\nX: ${'x'.repeat(500)}`, 1_000),
    37,
  ],
  'in the middle of a form': [() => kind('in the middle of a form'), 34],
  'a form byte a second': [
    async () => drip(send(await open(at.wire), post('/oauth2/token/', 500)), 'a'.repeat(499), 1_000),
    34,
  ],
  'between two requests': [() => kind('between two requests'), 70],
  'in the middle of an upload': [async () => send(await open(at.wire), `${upload('half.bin', 1_000)}half`), 64],
};
const kind = (name: string) => SILENT[name]?.(at) as Promise<Socket>;

it('silent connections are closed everywhere, and slow ones are not', { timeout: 300_000 }, async ({ task }) => {
  await writeFile(join(at.installation.home, 'untaken.bin'), '');
  await truncate(join(at.installation.home, 'untaken.bin'), 100 * MEGABYTE);
  const ended = Object.entries(ENDED).map(async ([name, [begin]]) => {
    const socket = await begin();
    const began = performance.now();
    socket.resume();
    await Promise.race([once(socket, 'close'), wait(WATCHED)]);
    const seconds = (performance.now() - began) / 1_000;
    socket.destroy();
    return [name, seconds] as const;
  });

  const length = WATCHED / 5_000 + 2;
  const slowUpload = drip(send(await open(at.wire), upload('slow.bin', length)), 'a'.repeat(length - 1), 5_000);
  const download = authorized('GET /api.php/files/download?path=/ROOT/HOME/untaken.bin');
  const slowReader = send(await open(at.wire), download);
  const reading = setInterval(() => slowReader.resume().once('data', () => slowReader.pause()), 2_000);
  const description = authorized('GET /api.php/openapi.json');
  const nonReaders = await Promise.all(
    [download, description.repeat(16)].map(async (bytes) => send((await open(at.wire)).pause(), bytes)),
  );
  // The system takes the first megabytes of what nobody reads; what comes now waits in the server.
  await wait(2_000);
  nonReaders[1]?.write(description.repeat(14));
  await wait(WATCHED);
  clearInterval(reading);

  const lasted = Object.fromEntries(await Promise.all(ended));
  const told = Object.entries(lasted).map(([name, seconds]) => `${name} ${Math.round(seconds)} s`);
  task.meta.trust = {
    tried: `${told.length} kinds of silence, two replies that nobody takes, an upload of a byte in 5 s and a download read every 2 s, for ${WATCHED / 1_000} s`,
    found: `ended after: ${told.join(', ')}; the slow upload and download went on`,
  };
  for (const [name, [, most]] of Object.entries(ENDED)) expect(lasted[name], name).toBeLessThan(most);

  expect([slowUpload.destroyed, slowReader.destroyed]).toEqual([false, false]);
  const answer = once(slowUpload, 'data');
  send(slowUpload, 'a');
  expect(String((await answer)[0])).toMatch(/^HTTP\/1\.1 201 /);
  for (const socket of [slowUpload, slowReader]) socket.destroy();
  // What the system had taken comes, and then the end: nobody waits for the rest.
  for (const socket of nonReaders) {
    let bytes = 0;
    const end = Promise.race([once(socket, 'close').then(() => 'ended'), wait(10_000)]);
    socket.on('data', (chunk) => (bytes += chunk.length)).resume();
    expect(await end).toBe('ended');
    expect(bytes).toBeLessThan(100 * MEGABYTE);
    socket.destroy();
  }
});
