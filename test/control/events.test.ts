import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Household, openHousehold } from '../support/household.ts';
import { send } from './support.ts';

let household: Household;

beforeAll(async () => {
  household = await openHousehold();
});
afterAll(() => household.close());

interface Told {
  readonly name: string;
  readonly payload: Record<string, unknown>;
}

async function newToken(): Promise<string> {
  const { url } = await household.control('panel.link');
  const secret = String(url).split('#open=')[1];
  const reply = await send(household.controlPort, 'POST', '/control-link', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret }),
  });
  return reply.body.token;
}

/** Reads the stream of events until one of them is the last that is wanted. */
async function listen(isLast: (told: Told) => boolean): Promise<Told[]> {
  const abort = new AbortController();
  const response = await fetch(`http://127.0.0.1:${household.controlPort}/control-events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await newToken()}` },
    signal: AbortSignal.any([abort.signal, AbortSignal.timeout(25_000)]),
  });
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  const all: Told[] = [];
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString('utf8');
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, name = '', data = ''] = /^event: (.+)\ndata: (.+)$/.exec(block) ?? [];
      if (name !== '') all.push({ name, payload: JSON.parse(data) });
    }
    if (all.some(isLast)) break;
  }
  abort.abort();
  return all;
}

it('tell how the catalogue is, and when a home goes and comes back', async () => {
  await mkdir(join(household.home, 'folder'));
  await writeFile(join(household.home, 'folder', 'file.txt'), 'text');
  const first = await listen(({ payload }) => payload.state === 'ready');
  expect(first[0]?.name).toBe('catalogue.progress');
  expect(Object.keys(first[0]?.payload ?? {}).sort()).toEqual(['folders', 'id', 'items', 'state', 'unwatched']);
  const { homes } = (await household.control('homes.list')) as { homes: { id: string }[] };
  expect(first.at(-1)?.payload.id).toBe(homes[0]?.id);
  expect(await household.control('status')).toMatchObject({
    catalogue: [{ id: homes[0]?.id, state: 'ready', unwatched: 0 }],
  });
  await rename(household.home, `${household.home} away`);
  await listen(({ payload }) => payload.state === 'offline');
  expect(await household.control('status')).toMatchObject({ catalogue: [{ state: 'offline' }] });
  await rename(`${household.home} away`, household.home);
  await listen(({ payload }) => payload.state === 'ready' && payload.folders === 2 && payload.items === 2);
}, 60_000);

it('are for the owner only', async () => {
  const reply = await send(household.controlPort, 'POST', '/control-events', {
    headers: { authorization: 'Bearer nonsense' },
  });
  expect([reply.status, reply.body.code]).toEqual([401, 'not_allowed']);
  const empty = await openHousehold({ owner: null });
  try {
    await expect(empty.larder.dispatcher.events()).rejects.toMatchObject({ code: 'not_allowed' });
  } finally {
    await empty.close();
  }
});
