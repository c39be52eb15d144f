import { once } from 'node:events';
import http, { type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { browserTransport } from '../../../dist/renderer-modules/transport/browser-transport.js';
import type { Connection, ControlEvent } from '../../../dist/renderer-modules/transport/transport.js';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { closeServer } from '../../support/system/close-server.ts';
import { openPanel, tabStorage } from './transports.ts';

let household: Household;

beforeAll(async () => {
  household = await openHousehold();
});
afterAll(() => household.close());

const secretOf = async () => String((await household.control('panel.link')).url).split('#open=')[1] ?? '';
const originOf = () => `http://127.0.0.1:${household.controlPort}`;

it('needs a new link, and keeps its token for the tab after the link was used', async () => {
  const storage = tabStorage();
  const panel = browserTransport({ origin: originOf(), storage });
  expect(panel.connection.current()).toEqual({ kind: 'locked', message: null });
  const secret = await secretOf();
  await panel.openLink(secret);
  expect(panel.connection.current()).toEqual({ kind: 'open' });
  expect(await panel.invoke('status', {})).toMatchObject({ folder: household.folder });
  await panel.openLink(secret);
  expect(panel.connection.current(), 'the token is good, whatever the link is').toEqual({ kind: 'open' });

  const reloaded = browserTransport({ origin: originOf(), storage });
  expect(await reloaded.invoke('status', {})).toMatchObject({ hasOwner: true });

  const elsewhere = browserTransport({ origin: originOf(), storage: tabStorage() });
  await elsewhere.openLink(secret);
  expect(elsewhere.connection.current()).toMatchObject({ kind: 'locked', message: expect.stringContaining('link') });
});

it('delivers events, reports a lost server, and asks for a link when the server was restarted', async () => {
  const panel = await openPanel(household);
  const seen: Connection['kind'][] = [];
  panel.connection.subscribe(() => seen.push(panel.connection.current().kind));
  const told: ControlEvent[] = [];
  const end = panel.subscribe((event) => told.push(event));
  await expect.poll(() => told.at(-1)).toMatchObject({ name: 'catalogue.progress', payload: { state: 'ready' } });
  expect(told[0]?.name).toBe('catalogue.progress');
  expect(seen).toEqual([]);

  const port = household.controlPort;
  const stopped = Date.now();
  await household.whileStopped(
    async () => {
      await expect.poll(() => panel.connection.current().kind).toBe('lost');
      const { retryAt } = panel.connection.current() as Extract<Connection, { kind: 'lost' }>;
      // It was set since then, by at most the longest pause of `openPanel` ahead.
      expect(retryAt).toBeGreaterThan(stopped);
      expect(retryAt).toBeLessThanOrEqual(Date.now() + 100);
      await expect(panel.invoke('status', {})).rejects.toMatchObject({ name: 'Unanswered' });
    },
    { controlPort: port },
  );
  // Tokens are the server's memory only.
  await expect
    .poll(() => panel.connection.current())
    .toMatchObject({
      kind: 'locked',
      message: expect.stringContaining('larder control panel.link'),
    });
  const heard = told.length;
  end();
  await panel.openLink(await secretOf());
  expect(panel.connection.current()).toEqual({ kind: 'open' });
  expect(told).toHaveLength(heard);
});

it('receives nothing after unsubscribing', async () => {
  const panel = await openPanel(household);
  const told: ControlEvent[] = [];
  const end = panel.subscribe((event) => told.push(event));
  await expect.poll(() => told.length).toBeGreaterThan(0);
  end();
  const heard = told.length;
  await household.control('accounts.add', { username: 'ben', name: 'Ben', createHomeFolder: true });
  await expect.poll(async () => (await household.control('status')).catalogue).toMatchObject([{}, { state: 'ready' }]);
  expect(told).toHaveLength(heard);
  expect(panel.connection.current()).toEqual({ kind: 'open' });
});

it('stays open if a reply to an earlier token arrives late, and reports an unreachable server', async () => {
  const server = http.createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const storage = tabStorage();
  storage.setItem('larder-control', 'old');
  let isAttended = true;
  const panel = browserTransport({ origin: `http://127.0.0.1:${port}`, storage, isAttended: () => isAttended });
  const refuse = (response: ServerResponse) =>
    response.writeHead(401).end(JSON.stringify({ error: 'Sign in.', code: 'not_allowed' }));
  const asked = once(server, 'request');
  const late = panel.invoke('status', {});
  const [request, response] = (await asked) as [http.IncomingMessage, ServerResponse];
  expect(request.headers['larder-attended']).toBeUndefined();
  storage.setItem('larder-control', 'new');
  refuse(response);
  await expect(late).rejects.toMatchObject({ name: 'Refusal' });
  expect([panel.connection.current().kind, storage.getItem('larder-control')]).toEqual(['open', 'new']);

  isAttended = false;
  const again = once(server, 'request');
  const refused = panel.invoke('status', {});
  const [alone, answer] = (await again) as [http.IncomingMessage, ServerResponse];
  expect(alone.headers['larder-attended']).toBe('no');
  refuse(answer);
  await expect(refused).rejects.toMatchObject({ name: 'Refusal' });
  expect([panel.connection.current().kind, storage.getItem('larder-control')]).toEqual(['locked', null]);
  server.closeAllConnections();
  await closeServer(server);
});
