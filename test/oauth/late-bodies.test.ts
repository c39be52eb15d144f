import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createActiveResponses } from '../../dist/server/http/connection/active-responses.js';
import { HOUR } from '../../dist/server/lib/clock.js';
import { WebVisitor } from '../support/browser/web-visitor.ts';
import { describeInFull } from '../support/forms.ts';
import { ALL_SCOPES, type Household, openHousehold } from '../support/households/household.ts';
import { addMembersWithHomes, homeOf, MEMBER } from '../support/households/member.ts';
import { FORM, holdRequest } from '../support/requests/held-request.ts';

// A body may arrive long after the head. What ended meanwhile gives no right to what it asks for.

let household: Household;
let count = 0;

beforeAll(async () => {
  household = await openHousehold();
});
afterAll(() => household.close());

interface Person {
  readonly username: string;
  readonly token: string;
  readonly home: string;
}

async function person(permissions = {}, scopes = ALL_SCOPES.replace(' admin', '')): Promise<Person> {
  const username = `late${++count}`;
  await addMembersWithHomes(household, { [username]: permissions });
  const home = homeOf(household, username);
  await writeFile(join(home, 'a.txt'), 'mine');
  const { body } = await household.api.token({
    ...{ grant_type: 'password', username, password: MEMBER.password, scope: scopes },
    ...{ client_id: household.clientId, client_secret: household.clientSecret },
  });
  expect(body.access_token).toEqual(expect.any(String));
  return { username, token: body.access_token, home };
}

const changePassword = ({ username }: Person) =>
  household.control('accounts.update', { username, password: 'a rather good one 3' });

const revoke = ({ token }: Person) =>
  household.api.send('POST', '/oauth2/revoke/', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      ...{ token, client_id: household.clientId, client_secret: household.clientSecret },
    }).toString(),
  });

describe.each([
  ['a new password', changePassword],
  ['a revocation', revoke],
])('%s', (_what, end) => {
  it('ends requests of a token: nothing is shared, created or stored', async () => {
    const one = await person();
    const bearer = `Authorization: Bearer ${one.token}`;
    const path = 'path=/ROOT/HOME';
    const held = await Promise.all([
      holdRequest(household, ['POST /api.php/files/weblink HTTP/1.1', bearer, FORM], `${path}/a.txt`),
      holdRequest(household, ['POST /api.php/files/createfolder HTTP/1.1', bearer, FORM], `${path}&name=late`),
      holdRequest(household, [`PUT /api.php/files/upload?${path}/late.txt HTTP/1.1`, bearer], 'planted later'),
    ]);
    await end(one);
    for (const request of held) expect(await request.finish()).toBe(401);
    expect((await readdir(one.home)).sort()).toEqual(['.larder-home', 'a.txt']);
  });
});

it('a new password of an administrator ends requests of the old token', async () => {
  const boss = await person({ admin_type: 'indep', admin_users: true }, ALL_SCOPES);
  const form = new URLSearchParams({
    'data[username]': 'backdoor',
    'data[name]': 'B',
    'data[password]': MEMBER.password,
  });
  const head = ['POST /api.php/admin-users/add HTTP/1.1', `Authorization: Bearer ${boss.token}`, FORM];
  const held = await holdRequest(household, head, form.toString());
  await changePassword(boss);
  expect(await held.finish()).toBe(401);
});

it('a withdrawn permission applies to requests whose bodies arrive later', async () => {
  const one = await person();
  const bearer = `Authorization: Bearer ${one.token}`;
  const held = await Promise.all([
    holdRequest(household, ['POST /api.php/files/weblink HTTP/1.1', bearer, FORM], 'path=/ROOT/HOME/a.txt'),
    holdRequest(household, ['PUT /api.php/files/upload?path=/ROOT/HOME/late.txt HTTP/1.1', bearer], 'planted later'),
  ]);
  const permissions = { weblink: false, upload: false };
  await household.control('accounts.update', { username: one.username, permissions });
  for (const request of held) expect(await request.finish()).toBe(403);
  expect(await readdir(one.home)).not.toContain('late.txt');
});

describeInFull('a token that expired during the request', () => {
  it('does not end uploads and downloads', async () => {
    const one = await person();
    const bearer = `Authorization: Bearer ${one.token}`;
    await writeFile(join(one.home, 'large.bin'), Buffer.alloc(40_000_000));
    const path = '/api.php/files/upload?path=/ROOT/HOME/slow.txt';
    const held = await holdRequest(household, [`PUT ${path} HTTP/1.1`, bearer], 'sent slowly');
    const slow = await slowDownload('/api.php/files/download?path=/ROOT/HOME/large.bin', bearer);
    household.clock.advance(2 * HOUR);
    await household.larder.maintenance();
    // The token of another upload ends, and with it what is in progress is looked at, in the order in which it began.
    const other = await person();
    const another = [`PUT ${path} HTTP/1.1`, `Authorization: Bearer ${other.token}`];
    const lookedAt = await holdRequest(household, another, 'sent slowly');
    await revoke(other);
    expect(await lookedAt.ended()).toBe(null);
    expect(await slow.rest()).toBeGreaterThan(39_000_000);
    expect(await held.finish()).toBe(201);
    const { status } = await household.api.with(one.token).get('account/info');
    expect(status).toBe(401);
  });
});

/** Responses in progress, and what of accounts has changed. */
function activeResponses() {
  const state = { generation: 0, warnings: 0 };
  const unchangedSince = () => {
    const since = state.generation;
    return () => state.generation === since;
  };
  const warn = () => {
    state.warnings += 1;
  };
  return { state, responses: createActiveResponses(unchangedSince, { warn }) };
}

const newResponse = () => new ServerResponse({ method: 'GET' } as never);

it('cancelled requests are no longer watched', async () => {
  const { state, responses } = activeResponses();
  let checks = 0;
  const closed = newResponse();
  closed.destroy();
  await new Promise((resolve) => setImmediate(resolve));
  responses.begin(1, closed, async () => {
    checks += 1;
    return true;
  });
  // All that are watched are checked together, in the order in which they began.
  const checked = new Promise<void>((resolve) => {
    responses.begin(2, newResponse(), async () => {
      resolve();
      return true;
    });
  });
  state.generation = 1;
  await checked;
  expect(checks).toBe(0);
});

describe('a response that depends on a right', () => {
  it('is checked repeatedly, also after a failed check, until the right has ended', async () => {
    const { state, responses } = activeResponses();
    const response = newResponse();
    const results = [
      Promise.resolve(true),
      Promise.reject(new Error('the disk does not answer')),
      Promise.resolve(false),
    ];
    for (const result of results) result.catch(() => undefined);
    let checks = 0;
    responses.watch(response, () => results[checks++] ?? Promise.resolve(true));
    await expect.poll(() => response.destroyed).toBe(true);
    expect(state.warnings).toBe(1);
    expect(checks).toBeGreaterThanOrEqual(results.length);
  });

  it('is not checked after it has ended', async () => {
    const { responses } = activeResponses();
    const response = newResponse();
    let checks = 0;
    const stop = responses.watch(response, async () => {
      checks += 1;
      return false;
    });
    stop();
    const later = newResponse();
    responses.watch(later, async () => false);
    await expect.poll(() => later.destroyed).toBe(true);
    expect([response.destroyed, checks, response.listenerCount('close')]).toEqual([false, 0, 0]);
  });
});

describe('the end of a browser session', () => {
  it('ends the forms, uploads and downloads of its pages', async () => {
    const one = await person();
    await writeFile(join(one.home, 'large.bin'), Buffer.alloc(60_000_000));
    const visitor = new WebVisitor(household);
    const page = await visitor.get('/files/');
    const sent = { form_token: page.field('form_token'), next: '' };
    await visitor.post('/account/sign-in', { ...sent, username: one.username, password: MEMBER.password });
    const token = (await visitor.get('/account/')).field('form_token');
    const cookie = `Cookie: ${[...visitor.cookies].map((pair) => pair.join('=')).join('; ')}`;
    const form = (fields: Record<string, string>) => new URLSearchParams({ form_token: token, ...fields }).toString();
    const head = (path: string) => [`POST ${path} HTTP/1.1`, cookie, FORM, 'Accept: text/html'];
    const path = '/ROOT/HOME/a.txt';
    const held = await Promise.all([
      holdRequest(household, head('/files/link'), form({ path, do: 'create' })),
      holdRequest(household, head('/files/do/delete'), form({ path })),
      holdRequest(
        household,
        [
          'PUT /files/upload?path=/ROOT/HOME/late.txt HTTP/1.1',
          cookie,
          `x-form-token: ${token}`,
          'Accept: application/json',
        ],
        'planted later',
      ),
    ]);
    const slow = await slowDownload('/files/download?path=/ROOT/HOME/large.bin', cookie);
    await changePassword(one);
    for (const request of held) expect(await request.finish()).toBe(403);
    expect((await readdir(one.home)).sort()).toEqual(['.larder-home', 'a.txt', 'large.bin']);
    // What nobody has read yet is not sent any more.
    await expect.poll(household.logged).toContain('a download ended early');
    expect(await slow.rest()).toBeLessThan(50_000_000);
  });
});

/** A download of which only the beginning is read. */
async function slowDownload(path: string, header: string): Promise<{ rest(): Promise<number> }> {
  const { port, ca } = household;
  const socket = connect({ host: '127.0.0.1', port, ca, servername: 'localhost' });
  socket.on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${header}\r\nConnection: close\r\n\r\n`);
  await once(socket, 'readable');
  return {
    /** @returns bytes until the connection ends */
    async rest() {
      let sum = 0;
      const ended = once(socket, 'close');
      socket.on('data', (chunk) => {
        sum += chunk.length;
      });
      await ended;
      expect(sum).toBeGreaterThan(10_000);
      return sum;
    },
  };
}
