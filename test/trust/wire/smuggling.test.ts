import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Installation } from '../../support/households/server-process.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';
import { BROKEN_CHUNKS, BROKEN_REQUESTS, GOOD_REQUESTS, type Row } from './smuggled.ts';
import { talk, type Wire, wireOf } from './wire.ts';

let installation: Installation;
let api: ApiClient;
const wires: Record<string, Wire> = {};
let count = 0;

beforeAll(async () => {
  installation = await Installation.create();
  api = await installation.start();
  await installation.control('settings.update', { httpTesting: true });
  const { httpAddresses } = (await installation.control('status')) as { httpAddresses: string[] };
  wires.HTTPS = await wireOf(installation, api);
  wires['plain HTTP'] = { port: Number(new URL(httpAddresses[0] ?? '').port), ca: null };
});
afterAll(() => installation.remove());

/** A request that leaves a trace on the disk when somebody carries it out, and what it is hidden in. */
async function play({ bytes }: Row, wire: Wire) {
  count += 1;
  const [folder, file] = [`hidden-${count}`, `carrier-${count}.txt`];
  const authorization = `Authorization: Bearer ${api.token_}`;
  const hidden = `GET /api.php/files/createfolder?path=/ROOT/HOME&name=${folder} HTTP/1.1\r\nHost: 127.0.0.1\r\n${authorization}\r\n\r\n`;
  const carrier = `/api.php/files/upload?path=/ROOT/HOME/${file}`;
  const { answers, isClosed, rest } = await talk(wire, bytes({ hidden, authorization, carrier }));
  return {
    hidden,
    rest,
    isClosed,
    statuses: answers.map(({ status }) => status),
    isCarriedOut: existsSync(join(installation.home, folder)),
    content: await readFile(join(installation.home, file), 'latin1').catch(() => null),
  };
}

describe.each(['HTTPS', 'plain HTTP'])('over %s', (name) => {
  it.each(GOOD_REQUESTS)('is interpreted as sent: $what', async (row) => {
    const seen = await play(row, wires[name] as Wire);
    expect({ ...seen, hidden: null, content: null }).toEqual({
      ...{ statuses: row.statuses, isCarriedOut: row.isCarriedOut ?? false, isClosed: true },
      ...{ hidden: null, content: null, rest: '' },
    });
    expect(seen.content).toBe(row.isContent ? seen.hidden : null);
  });

  it.each(BROKEN_REQUESTS)('is refused, and the connection is closed: $what', async (row) => {
    const { statuses, isCarriedOut, isClosed, content } = await play(row, wires[name] as Wire);
    expect({ statuses, isCarriedOut, isClosed, content }).toEqual({
      ...{ statuses: row.statuses, isCarriedOut: false, isClosed: true, content: null },
    });
  });

  it.each(BROKEN_CHUNKS)('closes the connection, and stores nothing: $what', async (row) => {
    const { statuses, isCarriedOut, isClosed, content } = await play(row, wires[name] as Wire);
    // The server has begun to read when it breaks, and may say so or not.
    expect(statuses.filter((status) => status !== 400)).toEqual([]);
    expect({ length: Math.min(statuses.length, 1), isCarriedOut, isClosed, content }).toEqual({
      ...{ length: statuses.length, isCarriedOut: false, isClosed: true, content: null },
    });
  });
});

it('the server has no problems afterwards', async () => {
  expect((await api.get('account/info')).status).toBe(200);
  expect((await installation.doctor()).problems).toEqual([]);
});
