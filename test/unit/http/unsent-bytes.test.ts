import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { UnsentBytes } from '../../../dist/server/http/connection/unsent-bytes.js';
import { closeServer } from '../../support/system/close-server.ts';

const MEGABYTE = 1_048_576;

it('above the limit of unsent bytes, connections that do not read are closed until the rest fits', async () => {
  const most = 20 * MEGABYTE;
  const unsent = new UnsentBytes(most);
  const accepted: Socket[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    accepted.push(socket);
    unsent.watch(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const clients: Socket[] = [];
  for (let n = 0; n < 8; n += 1) {
    const client = connect(port, '127.0.0.1');
    client.on('error', () => undefined);
    await once(client, 'connect');
    clients.push(client);
  }
  await expect.poll(() => accepted.length).toBe(8);
  // The last one reads all it gets, which is little; the others read nothing beyond the system's buffers.
  const reader = accepted.at(-1);
  clients.at(-1)?.resume();
  for (const socket of accepted) socket.write(Buffer.alloc(socket === reader ? 1_000 : 12 * MEGABYTE));
  await expect.poll(() => unsent.total).toBeLessThanOrEqual(most);
  expect(accepted.filter(({ destroyed }) => destroyed).length).toBeGreaterThan(3);
  expect(reader?.destroyed).toBe(false);
  // A body in memory counts as well, at once when it is far too large.
  const [large] = accepted.filter((socket) => !socket.destroyed && socket !== reader);
  if (large !== undefined) {
    unsent.hold(large, 3 * most);
    expect(large.destroyed).toBe(true);
  }
  expect(reader?.destroyed).toBe(false);
  for (const socket of clients) socket.destroy();
  await closeServer(server);
});
