import { afterAll, beforeAll, expect, it } from 'vitest';
import { browserTransport } from '../../dist/renderer-modules/transport/browser-transport.js';
import type { Connection, ControlEvent } from '../../dist/renderer-modules/transport/transport.js';
import { type Household, openHousehold } from '../support/household.ts';
import { openPanel, tabStorage } from './transports.ts';

let household: Household;

beforeAll(async () => {
  household = await openHousehold();
});
afterAll(() => household.close());

const secretOf = async () => String((await household.control('panel.link')).url).split('#open=')[1] ?? '';
const originOf = () => `http://127.0.0.1:${household.controlPort}`;

it('needs a fresh link, keeps its token for the tab, and outlives a link that was used', async () => {
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

it('tells what happens, says when the server has gone, and asks for a link when it comes back as another one', async () => {
  const panel = await openPanel(household);
  const seen: Connection['kind'][] = [];
  panel.connection.subscribe(() => seen.push(panel.connection.current().kind));
  const told: ControlEvent[] = [];
  const end = panel.subscribe((event) => told.push(event));
  await expect.poll(() => told.at(-1)).toMatchObject({ name: 'catalogue.progress', payload: { state: 'ready' } });
  expect(told[0]?.name).toBe('catalogue.progress');
  expect(seen).toEqual([]);

  const port = household.controlPort;
  await household.whileStopped(
    async () => {
      await expect.poll(() => panel.connection.current().kind).toBe('lost');
      const { retryAt } = panel.connection.current() as Extract<Connection, { kind: 'lost' }>;
      expect(Math.abs(retryAt - Date.now())).toBeLessThan(1_000);
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
}, 60_000);

it('is told nothing any more once that was enough', async () => {
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
