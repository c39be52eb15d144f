import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OWNER } from '../../support/households/household.ts';
import { open, readAnswers } from '../wire/wire.ts';
import { stateOf } from './process-state.ts';
import { type Attacked, attacked, MEGABYTE, send } from './slow-clients.ts';

const isLinux = process.platform === 'linux';
const held: Socket[] = [];
let at: Attacked;

beforeAll(async () => {
  at = await attacked();
});
afterAll(async () => {
  for (const socket of held) socket.destroy();
  await at.installation.remove();
});

function head(method: string, path: string, more: string): string {
  return `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${at.api.token_}\r\n${more}\r\n`;
}

async function connected(): Promise<Socket> {
  const socket = await open(at.wire);
  held.push(socket);
  return socket;
}

describe('clients that send the XML of a request byte by byte', () => {
  const BODY = '<propfind xmlns="DAV:"><allprop/></propfind>'.padEnd(100_000, ' ');
  const METHODS = ['PROPFIND', 'PROPPATCH', 'LOCK', 'REPORT', 'SEARCH'];
  const PATHS: Record<string, string> = {
    REPORT: `/remote.php/dav/files/${OWNER.username}/`,
    SEARCH: '/remote.php/dav/',
  };

  it('get 408 without delaying others', async () => {
    const slow = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        const method = METHODS[n % METHODS.length] ?? '';
        const path = PATHS[method] ?? '/dav/My%20files/';
        const socket = await connected();
        const chunks: Buffer[] = [];
        socket.on('data', (chunk: Buffer) => chunks.push(chunk));
        send(socket, head(method, path, `Depth: 0\r\nContent-Type: text/xml\r\nContent-Length: ${BODY.length}\r\n`));
        const isClosed = () => socket.destroyed || socket.readableEnded;
        return { socket, isClosed, answer: () => readAnswers(Buffer.concat(chunks).toString('latin1')).answers[0] };
      }),
    );
    let bytes = 0;
    // Each byte follows the answer to somebody else.
    while (slow.some(({ isClosed, answer }) => !isClosed() && answer() === undefined) && bytes < BODY.length) {
      for (const { socket } of slow) if (socket.writable) socket.write(BODY.charAt(bytes));
      bytes += 1;
      const { status } = await at.api.send('PROPFIND', '/dav/My%20files/', { headers: { depth: '0' } });
      expect(status).toBe(207);
    }
    expect(bytes).toBeGreaterThan(10);
    expect(slow.map(({ answer }) => answer()?.status)).toEqual(slow.map(() => 408));
    for (const { answer } of slow) {
      expect(answer()?.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
    }
  });
});

describe.runIf(isLinux)('clients that request a long list without reading it', () => {
  const FILES = 4_000;
  const READERS = 60;

  it(`take little memory: ${READERS} clients with ${FILES} files each`, async () => {
    const folder = join(at.installation.home, 'many');
    await mkdir(folder);
    for (let n = 0; n < FILES; n += 1)
      await writeFile(join(folder, `${'a long name of a file '.repeat(5)}${n}.txt`), '');
    const list = () => at.api.send('PROPFIND', '/dav/My%20files/many', { headers: { depth: '1' } });
    const whole = await list();
    expect(whole.status).toBe(207);
    expect(whole.bytes.length).toBeGreaterThan(MEGABYTE);
    const before = await stateOf(at.installation.pid);
    for (let n = 0; n < READERS; n += 1) {
      const socket = await connected();
      send(socket, head('PROPFIND', '/dav/My%20files/many', 'Depth: 1\r\nContent-Length: 0\r\n'));
      await once(socket, 'readable');
    }
    const { memory } = await stateOf(at.installation.pid);
    expect(memory - before.memory).toBeLessThan(100 * MEGABYTE);
    // Those who read get all of it meanwhile, and others are served as well.
    const responses = ({ text }: { text: string }) => text.split('<d:response>').length - 1;
    expect(responses(await list())).toBe(responses(whole));
    expect(responses(whole)).toBe(FILES + 1);
    expect((await at.api.put({ path: '/ROOT/HOME/meanwhile.txt' }, 'x')).status).toBe(201);
    for (const socket of held.splice(0)) socket.destroy();
  });
});
