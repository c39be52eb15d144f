import { readdirSync, readlinkSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LinkHousehold, openLinkHousehold } from '../../support/requests/links.ts';

const HOME = '/ROOT/HOME';
let household: LinkHousehold;

beforeAll(async () => {
  household = await openLinkHousehold();
  await writeFile(household.at('large.bin'), Buffer.alloc(24 * 1024 * 1024, 7));
});
afterAll(() => household.close());

const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;

/** A connection on which everything is sent at once. */
function send(text: string) {
  const socket = connect({ port: household.port, host: '127.0.0.1', ca: household.ca });
  socket.on('error', () => undefined);
  socket.write(text);
  return socket;
}

/** Descriptors of this process, in which the server runs. */
function openOf(name: string): number {
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).endsWith(name);
    } catch {
      return false;
    }
  }).length;
}

describe('pipelined requests on one connection', () => {
  it('hold neither a file nor a download of a link if the connection breaks before they are processed', async () => {
    await household.put('once.txt');
    const all = await household.link(`${HOME}/large.bin`);
    const once = [`${HOME}/large.bin`, `${HOME}/once.txt`];
    const limited = await Promise.all(once.map((path) => household.link(path, { singleDownload: 1 })));
    const ahead = [all, ...limited, all].map((id) => request(`/wl/?id=${id}&fmode=download`)).join('');
    for (let time = 0; time < 3; time += 1) {
      const socket = send(ahead);
      await new Promise((resolve) => socket.once('data', resolve));
      socket.pause();
      // The server, which runs in this process, gets its turns for what was sent ahead.
      for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      socket.destroy();
    }
    await expect.poll(() => openOf('/large.bin')).toBe(0);
    for (const id of limited) expect((await household.visit(id)).status).toBe(200);
  });

  it('are answered in order', async () => {
    const paths = [
      '/healthz',
      '/api.php/a',
      '/api.php/b',
      '/healthz',
      '/api.php/c',
      '/healthz',
      '/healthz',
      '/api.php/d',
    ];
    const socket = send(paths.map(request).join(''));
    let text = '';
    socket.on('data', (chunk) => (text += chunk));
    const codes = () => text.match(/(?<=HTTP\/1\.1 )\d+/g)?.join(' ');
    await expect.poll(codes).toBe('200 404 404 200 404 200 200 404');
    socket.destroy();
  });

  it('are limited in number', async () => {
    const socket = send(request('/healthz').repeat(1_000));
    await new Promise((resolve) => socket.once('close', resolve));
  });
});
