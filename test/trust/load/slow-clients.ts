import { once } from 'node:events';
import { truncate, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { Installation } from '../../support/households/server-process.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';
import { eventually } from '../../support/system/eventually.ts';
import { open, type Wire, wireOf } from '../wire/wire.ts';
import { Bystander, stateOf } from './process-state.ts';

export const MEGABYTE = 1_048_576;

/** A running server, and what is needed to be a bad client of it. */
export interface Attacked {
  readonly installation: Installation;
  readonly api: ApiClient;
  readonly wire: Wire;
  /** The same without TLS: for who never gets so far. */
  readonly bare: Wire;
}

/** @param handles how many files and connections the server may have open; as many as the system lets it, unless given */
export async function attacked(handles?: number): Promise<Attacked> {
  const installation = await Installation.create();
  const under = handles === undefined ? [] : ['/bin/sh', '-c', `ulimit -n ${handles} && exec "$@"`, 'sh'];
  const api = await installation.start('', under);
  const wire = await wireOf(installation, api);
  return { installation, api, wire, bare: { ...wire, ca: null } };
}

/** The beginning of what a client says first over TLS: a record that is announced longer than it is. */
const HALF_HELLO = Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]);

export const post = (path: string, length: number, more = '') =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${length}\r\n${more}\r\n`;

/** The ways to be there and to say nothing, or not all of it. */
export const SILENT: Readonly<Record<string, (at: Attacked) => Promise<Socket>>> = {
  'connected, and nothing else': ({ bare }) => open(bare),
  'in the middle of the TLS handshake': async ({ bare }) => send(await open(bare), HALF_HELLO),
  'after the handshake': ({ wire }) => open(wire),
  'in the middle of the headers': async ({ wire }) => send(await open(wire), 'GET /healthz HTTP/1.1\r\nHost: 127.0.'),
  'in the middle of a form': async ({ wire }) => send(await open(wire), `${post('/oauth2/token/', 100)}grant_type=`),
  'between two requests': async ({ wire }) => {
    const socket = send(await open(wire), 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    await Promise.race([once(socket, 'data'), once(socket, 'close')]);
    return socket;
  },
};

export function send(socket: Socket, bytes: string | Buffer): Socket {
  socket.write(bytes);
  return socket;
}

export interface Crowd {
  /** How many connections the attackers had, all kinds together. */
  readonly connections: number;
  readonly slowest: number;
  readonly answered: number;
  readonly complaints: readonly string[];
  readonly handles: { readonly before: number; readonly most: number; readonly after: number };
  readonly memory: { readonly before: number; readonly most: number; readonly after: number };
}

/** Many who say nothing, of every kind, while somebody else asks; then all of them go. */
export async function crowd(at: Attacked, size: number): Promise<Crowd> {
  const { installation, api } = at;
  const before = await stateOf(installation.pid);
  const bystander = new Bystander(api);
  const held: Socket[] = [];
  const kinds = Object.values(SILENT);
  try {
    while (held.length < size) {
      const next = kinds.map((kind) => kind(at));
      held.push(...(await Promise.all(next)));
    }
    const most = await stateOf(installation.pid);
    const { slowest, answered, complaints } = await bystander.end();
    for (const socket of held) socket.destroy();
    const after = await eventually(
      () => stateOf(installation.pid),
      ({ handles }) => handles <= before.handles + 4,
    );
    const of = (what: 'handles' | 'memory') => ({ before: before[what], most: most[what], after: after[what] });
    return { connections: held.length, slowest, answered, complaints, handles: of('handles'), memory: of('memory') };
  } finally {
    await bystander.end();
    for (const socket of held) socket.destroy();
  }
}

/**
 * A large download that nobody reads beyond its beginning, over many connections at once.
 * @returns bytes by which the server's memory grew
 */
export async function unread(at: Attacked, readers: number): Promise<{ grown: number; slowest: number }> {
  const { installation, api, wire } = at;
  await writeFile(join(installation.home, 'large.bin'), '');
  await truncate(join(installation.home, 'large.bin'), 300 * MEGABYTE);
  const before = await stateOf(installation.pid);
  const bystander = new Bystander(api);
  const sockets: Socket[] = [];
  try {
    for (let n = 0; n < readers; n += 1) {
      const path = '/api.php/files/download?path=/ROOT/HOME/large.bin';
      const socket = await open(wire);
      sockets.push(socket);
      send(socket, `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${api.token_}\r\n\r\n`);
      await once(socket, 'data');
      socket.pause();
    }
    await new Promise((done) => setTimeout(done, 1_500));
    const { memory } = await stateOf(installation.pid);
    const { slowest } = await bystander.end();
    return { grown: memory - before.memory, slowest };
  } finally {
    await bystander.end();
    for (const socket of sockets) socket.destroy();
  }
}
