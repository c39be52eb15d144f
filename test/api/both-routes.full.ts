import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Random } from '../model/random.ts';
import { itInFull } from '../support/forms.ts';
import { type Household, openHousehold } from '../support/households/household.ts';
import type { ApiClient } from '../support/requests/api-client.ts';
import { type Call, describedCalls } from '../trust/values/description.ts';
import { HOSTILE_NUMBERS, HOSTILE_PATHS, HOSTILE_TEXTS } from '../trust/values/hostile-values.ts';

// The API is reached directly, or by way of Express: by requests whose target is a whole address. Both give the same replies.

let household: Household;
let api: ApiClient;
let calls: Call[];

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
  calls = await describedCalls(api);
  for (const [name, content] of [
    ['a.txt', 'content'],
    ['Photos/b.txt', 'other'],
  ])
    await api.put({ filePath: `/ROOT/HOME/${name}` }, content ?? '');
});
afterAll(() => household?.close());

/** Different in every reply. */
const OWN = new Set(['date', 'x-request-id']);

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

async function reply({ method, path, headers, body }: Sent, isWhole: boolean): Promise<unknown> {
  const sent = request(household.api.base, {
    method,
    path: isWhole ? `${household.api.base}${path}` : path,
    headers: { ...headers, ...(body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }) },
    rejectUnauthorized: false,
    agent: false,
  });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const fields = response.rawHeaders.flatMap((name, at) =>
    at % 2 === 0 && !OWN.has(name.toLowerCase()) ? [`${name}: ${response.rawHeaders[at + 1]}`] : [],
  );
  return { status: response.statusCode, fields: fields.sort(), body: Buffer.concat(chunks).toString('latin1') };
}

async function isSame(sent: Sent): Promise<void> {
  const [direct, routed] = [await reply(sent, false), await reply(sent, true)];
  expect(routed, `${sent.method} ${sent.path} ${sent.body ?? ''}`).toEqual(direct);
}

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const bearer = () => ({ Authorization: `Bearer ${api.token_}` });

it('both routes return the same for requests without a token or with a wrong one', async () => {
  expect(calls.length).toBeGreaterThan(60);
  for (const { method, path } of calls) {
    await isSame({ method, path: `/api.php${path}`, headers: {} });
    await isSame({ method, path: `/api.php${path}/`, headers: { Authorization: 'Bearer wrong' } });
  }
});

it('both routes return the same for unknown operations and other methods', async () => {
  for (const path of ['/api.php/', '/api.php//', '/api.php/files', '/api.php/files/nothing', '/api.php/files/browse//'])
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH'])
      await isSame({ method, path, headers: bearer() });
});

it('both routes return the same for reading operations with valid and hostile values', async () => {
  const random = new Random(7);
  const paths = ['/', '/ROOT/HOME', '/ROOT/HOME/Photos', '/ROOT/HOME/a.txt', '/ROOT/HOME/nowhere', '/TRASH', '/SHARES'];
  const reading = calls.filter(({ path }) =>
    /^\/(files\/(browse|search|download|thumbnail|metadata|comments\/list|versions)|account\/info)$/.test(path),
  );
  expect(reading.length).toBeGreaterThan(6);
  const values = [...HOSTILE_PATHS, ...HOSTILE_TEXTS, ...HOSTILE_NUMBERS].map(String);
  for (let count = 0; count < 250; count += 1) {
    const { method, path, parameters } = random.pick(reading);
    const form = new URLSearchParams();
    for (const { name, isList, choices } of parameters) {
      if (name !== 'path' && random.chance(0.6)) continue;
      const pool =
        name === 'path' && random.chance(0.7) ? paths : random.chance(0.5) && choices.length > 0 ? choices : values;
      form.append(isList ? `${name}[]` : name, random.pick(pool));
    }
    const text = form.toString();
    const isInQuery = method !== 'POST' || random.chance(0.2);
    const query = isInQuery ? `?${text}` : '';
    await isSame({
      method,
      path: `/api.php${path}${query}`,
      headers: { ...bearer(), ...(isInQuery ? {} : FORM) },
      ...(isInQuery ? {} : { body: text }),
    });
  }
});

itInFull('both routes return the same while the API is disabled, and for foreign hosts', async () => {
  await isSame({ method: 'GET', path: '/api.php/account/info', headers: { ...bearer(), Host: 'evil.example' } });
  await household.control('settings.update', { apiEnabled: false });
  await isSame({ method: 'GET', path: '/api.php/account/info', headers: bearer() });
  await household.control('settings.update', { apiEnabled: true });
});
