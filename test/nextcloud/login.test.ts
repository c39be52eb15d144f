import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { MINUTE } from '../../dist/server/lib/clock.js';
import { t } from '../../dist/server/messages/messages.js';
import type { WebVisitor } from '../support/browser/web-visitor.ts';
import { type Household, openHousehold } from '../support/households/household.ts';
import { DavClient } from '../support/webdav/dav-client.ts';
import { agree, beginLogin, connectedApp, poll, send, signedIn } from './support.ts';

let household: Household;
let visitor: WebVisitor;

beforeAll(async () => {
  household = await openHousehold();
});
afterAll(() => household?.close());
beforeEach(async () => {
  // What earlier tests began has ended.
  household.clock.advance(21 * MINUTE);
  visitor = await signedIn(household);
});

it('an app gets an app password after approval, and only once', async () => {
  const { login, token, endpoint } = await beginLogin(household);
  expect(endpoint).toBe(`${household.api.base}/index.php/login/v2/poll`);
  expect((await poll(household, token)).status).toBe(404);
  expect(await agree(visitor, login)).toBe(200);
  const { status, body } = await poll(household, token);
  expect([status, body]).toEqual([
    200,
    { server: household.api.base, loginName: 'ann', appPassword: expect.stringMatching(/^\w{4}(?:-\w{4}){5}$/) },
  ]);
  expect((await poll(household, token)).status).toBe(404);
  expect(await agree(visitor, login)).toBe(410);

  const app = new DavClient(household.api, 'ann', body.appPassword, '/remote.php/dav/files/ann');
  // The own files are the top, so that the app can put photos there.
  expect((await app.put('/photo.jpg', 'x')).status).toBe(201);
  expect(await readdir(household.home)).toContain('photo.jpg');
  const page = await visitor.get('/account/programs');
  expect(page.text).toContain('Study PC');
});

it('an app also sees the shares of others if that is selected', async () => {
  const app = await connectedApp(household, { with_shared: '1' });
  const { text } = await app.propfind('/', '1');
  expect(text).toContain('Shared%20with%20me');
});

it('the page shows the name and address of the app, but not its token', async () => {
  const { login, token } = await beginLogin(household, 'Phone <b> of Ben');
  const { text } = await visitor.get(login);
  expect(text).toContain('Phone &lt;b&gt; of Ben');
  expect(text).toContain('127.0.0.1');
  expect(text).not.toContain(token);
  expect(text).not.toContain(t('connect.elsewhere', { address: '127.0.0.1', yours: '127.0.0.1' }));
});

it.each([
  ['Study PC (Desktop Client - Linux)', 'Study PC'],
  ['Mozilla/5.0 (iOS) Nextcloud-iOS/5.2.0', 'Nextcloud on iOS'],
  ['another app 1.0', 'another app 1.0'],
  ['', 'An app without a name'],
])('an app with the user agent "%s" is named "%s"', async (userAgent, name) => {
  const { login } = await beginLogin(household, userAgent);
  const { text } = await visitor.get(login);
  expect(text).toContain(`<strong>${name}</strong>`);
  expect(text).toContain(`value="${name}"`);
});

it('a wrong password, an invalid form or a missing approval connects no app', async () => {
  const { login, token } = await beginLogin(household);
  expect(await agree(visitor, login, { password: 'wrong' })).toBe(422);
  expect(await agree(visitor, login, { label: '' })).toBe(422);
  expect(await agree(visitor, login, { form_token: 'wrong' })).toBe(403);
  expect((await poll(household, token)).status).toBe(404);
  const before = (await household.signIn()).get('account/app-passwords/list');
  expect(await agree(visitor, login, { flow: 'unknown' })).toBe(410);
  expect((await (await household.signIn()).get('account/app-passwords/list')).body).toEqual((await before).body);
  // The wrong password has used nothing up.
  expect(await agree(visitor, login)).toBe(200);
});

it('a request expires after 20 minutes, before and after approval', async () => {
  const [late, collectedLate] = [await beginLogin(household), await beginLogin(household)];
  expect(await agree(visitor, collectedLate.login)).toBe(200);
  household.clock.advance(20 * MINUTE);
  visitor = await signedIn(household);
  expect(await agree(visitor, late.login)).toBe(410);
  expect((await poll(household, collectedLate.token)).status).toBe(404);
});

it('a device can have at most ten pending requests', async () => {
  for (let count = 0; count < 10; count += 1) await beginLogin(household);
  const { status, body } = await send(household, 'POST', '/index.php/login/v2');
  expect([status, body.code]).toEqual([429, 'too_many_requests']);
  household.clock.advance(20 * MINUTE);
  await beginLogin(household);
});

it.each([
  ['nothing', ''],
  ['an empty token', 'token='],
  ['a list', 'token[]=a'],
  ['an unknown token', 'token=unknown'],
  ['a long text', 'x'.repeat(4_000)],
])('a poll with %s is not found', async (_what, body) => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const reply = await send(household, 'POST', '/index.php/login/v2/poll', { headers, body });
  expect(reply.status).toBe(404);
});
