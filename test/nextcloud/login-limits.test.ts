import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MINUTE } from '../../dist/server/lib/clock.js';
import { t } from '../../dist/server/messages/messages.js';
import { WebVisitor } from '../support/browser/web-visitor.ts';
import { itInFull } from '../support/forms.ts';
import { type Household, openHousehold } from '../support/households/household.ts';
import { addMembersWithHomes, MEMBER, signInAs } from '../support/households/member.ts';
import { totp } from '../support/requests/totp.ts';
import { HALF_A_MINUTE, switchOnTwoStep } from '../support/requests/two-step.ts';
import { DavClient } from '../support/webdav/dav-client.ts';
import { agree, beginLogin, poll, send, signedIn } from './support.ts';

/** Who may connect an app, how often, and from where. What an app gets: `login.test.ts`. */

let household: Household;

beforeAll(async () => {
  household = await openHousehold();
  await addMembersWithHomes(household, { ben: {}, eva: {} });
});
afterAll(() => household?.close());
beforeEach(async () => {
  // What earlier tests began has ended.
  household.clock.advance(21 * MINUTE);
  await household.control('settings.update', { trustedProxies: ['127.0.0.1'] });
});

const who = (username: string) => ({ username, password: MEMBER.password });
const passwordsOf = async (username: string) => {
  const api = username === 'ann' ? await household.signIn() : await signInAs(household, username);
  return (await api.get('account/app-passwords/list')).body.data.passwords.length as number;
};
/** The server behind a proxy that names the address of the client. */
const begun = (address: string) =>
  send(household, 'POST', '/index.php/login/v2', { headers: { 'x-forwarded-for': address } });
const tally = (statuses: readonly number[]) =>
  Object.fromEntries([...new Set(statuses)].map((one) => [one, statuses.filter((status) => status === one).length]));

it('an account with two-step sign-in confirms with password and code', async () => {
  const api = await signInAs(household, 'eva');
  const listed = async () => (await api.get('account/app-passwords/list')).body.data.passwords.length;
  const { key } = await switchOnTwoStep(household, who('eva'));
  const code = () => totp(key, household.clock.now());
  const visitor = new WebVisitor(household);
  const page = await visitor.get('/account/');
  const fields = { form_token: page.field('form_token'), next: page.field('next') };
  expect((await visitor.post('/account/sign-in', { ...fields, ...who('eva'), otp: code() })).status).toBe(303);
  household.clock.advance(HALF_A_MINUTE);

  const { login, token } = await beginLogin(household);
  expect((await visitor.get(login)).text).toContain(t('confirm.code'));
  const { password } = MEMBER;
  const right = code();
  const wrong = right === '000000' ? '000001' : '000000';
  for (const [what, entered] of [
    ['no code', { password }],
    ['an empty code', { password, otp: '' }],
    ['a wrong code', { password, otp: wrong }],
    ['a wrong password', { password: 'wrong', otp: right }],
  ] as const) {
    expect([what, await agree(visitor, login, entered)]).toEqual([what, 422]);
    expect([what, (await poll(household, token)).status, await listed()]).toEqual([what, 404, 0]);
    household.clock.advance(MINUTE);
  }
  const otp = code();
  expect(await agree(visitor, login, { password, otp })).toBe(200);
  expect(await listed()).toBe(1);
  const { status, body } = await poll(household, token);
  expect([status, body.loginName]).toEqual([200, 'eva']);
  const app = new DavClient(household.api, 'eva', body.appPassword, '/remote.php/dav/files/eva');
  expect((await app.propfind('/', '0')).status).toBe(207);
  // A code works once.
  const second = await beginLogin(household);
  expect(await agree(visitor, second.login, { password, otp })).toBe(422);
  expect([(await poll(household, second.token)).status, await listed()]).toEqual([404, 1]);
});

describe('the page', () => {
  it('warns when the address of the app is not that of the browser', async () => {
    const visitor = await signedIn(household);
    const warning = (address: string, yours: string) => t('connect.elsewhere', { address, yours });
    const text = async (login: string, from: string) => (await visitor.get(login, { 'x-forwarded-for': from })).text;
    const { status, body } = await begun('203.0.113.7');
    expect(status).toBe(200);
    expect(await text(body.login, '198.51.100.9')).toContain(warning('203.0.113.7', '198.51.100.9'));
    expect(await text(body.login, '203.0.113.7')).not.toContain(warning('203.0.113.7', '203.0.113.7'));
    expect(await text(body.login, '203.0.113.7')).not.toContain('class="note care"');
    // Whoever is no trusted proxy cannot make an app seem to be here.
    await household.control('settings.update', { trustedProxies: [] });
    const page = await visitor.get(body.login, { 'x-forwarded-for': '203.0.113.7' });
    expect(page.text).toContain(warning('203.0.113.7', '127.0.0.1'));
  });
});

describe('concurrent requests', () => {
  it('deliver an app password to one of many polls', async () => {
    const { login, token } = await beginLogin(household);
    expect(await agree(await signedIn(household), login)).toBe(200);
    const replies = await Promise.all(Array.from({ length: 20 }, () => poll(household, token)));
    expect(tally(replies.map(({ status }) => status))).toEqual({ 200: 1, 404: 19 });
    const told = replies.filter(({ text }) => text.includes('appPassword'));
    expect(told.map(({ status }) => status)).toEqual([200]);
  });

  it('leave one app password when several people agree to one request', async () => {
    const before = (await passwordsOf('ann')) + (await passwordsOf('ben'));
    const { login, token } = await beginLogin(household);
    const people = await Promise.all(
      [undefined, who('ben'), undefined, who('ben')].map((person) => signedIn(household, person)),
    );
    const statuses = await Promise.all(
      people.map((visitor, at) => agree(visitor, login, { label: `App ${at}`, password: MEMBER.password })),
    );
    expect(tally(statuses)).toEqual({ 200: 1, 410: 3 });
    expect((await passwordsOf('ann')) + (await passwordsOf('ben'))).toBe(before + 1);
    const { status, body } = await poll(household, token);
    expect([status, body.loginName]).toEqual([200, statuses.indexOf(200) % 2 === 0 ? 'ann' : 'ben']);
    const app = new DavClient(household.api, body.loginName, body.appPassword, '/dav');
    expect((await app.propfind('/', '0')).status).toBe(207);
  });
});

describe('pending requests', () => {
  it('of one address, or of one network, do not keep others from connecting', async () => {
    const statuses = async (addresses: readonly string[]) => {
      const all: number[] = [];
      for (const address of addresses) all.push((await begun(address)).status);
      return all;
    };
    const ten = Array.from({ length: 10 }, (_, n) => n);
    expect(new Set(await statuses(ten.map(() => '203.0.113.7')))).toEqual(new Set([200]));
    expect(await statuses(['203.0.113.7', '203.0.113.8', '127.0.0.1'])).toEqual([429, 200, 200]);
    // One household has all addresses of a network of IPv6.
    expect(new Set(await statuses(ten.map((n) => `2001:db8:1:1::${n + 1}`)))).toEqual(new Set([200]));
    expect(await statuses(['2001:db8:1:1:ffff::1', '2001:db8:1:2::1'])).toEqual([429, 200]);
  });

  itInFull('are limited in total', async () => {
    const first = await beginLogin(household);
    for (let net = 1; net <= 50; net += 1) {
      const replies = await Promise.all(Array.from({ length: 10 }, () => begun(`203.0.113.${net}`)));
      const expected = net < 50 ? { 200: 10 } : { 200: 9, 429: 1 };
      expect([net, tally(replies.map(({ status }) => status))]).toEqual([net, expected]);
    }
    const { status, body } = await begun('198.51.100.1');
    expect([status, body.code]).toEqual([429, 'too_many_requests']);
    // The others have not displaced the first one, and one that has been collected makes room.
    expect(await agree(await signedIn(household), first.login)).toBe(200);
    expect((await poll(household, first.token)).status).toBe(200);
    expect((await begun('198.51.100.1')).status).toBe(200);
  });
});

/** A request by another name: the client of the other tests would also expect a certificate for it. */
async function postAs(host: string, path: string, body: string): Promise<{ status: number | undefined; text: string }> {
  const { port, ca } = household;
  const headers = { host, 'content-type': 'application/x-www-form-urlencoded', connection: 'close' };
  const asked = request({ host: '127.0.0.1', servername: 'localhost', port, ca, method: 'POST', path, headers });
  asked.end(body);
  const [reply] = (await once(asked, 'response')) as [IncomingMessage];
  return { status: reply.statusCode, text: await textOf(reply) };
}

describe('the address of the server', () => {
  it.each(['evil.example', 'localhost.evil.example', '8.8.8.8', 'localhost@evil.example'])(
    'is never "%s"',
    async (host) => {
      for (const [path, body] of [
        ['/index.php/login/v2', ''],
        ['/index.php/login/v2/poll', 'token=x'],
      ] as const) {
        const { status, text } = await postAs(host, path, body);
        expect([path, status, JSON.parse(text).code]).toEqual([path, 421, 'unknown_host']);
        expect(text).not.toContain(host);
      }
    },
  );

  it('is not taken from headers of proxies', async () => {
    const headers = {
      'x-forwarded-host': 'evil.example',
      forwarded: 'host=evil.example',
      origin: 'https://evil.example',
    };
    const { status, text, body } = await send(household, 'POST', '/index.php/login/v2', { headers });
    expect(text).not.toContain('evil.example');
    expect(status).toBe(200);
    expect(body.poll.endpoint).toBe(`${household.api.base}/index.php/login/v2/poll`);
  });

  it('is the known one by which the app has asked', async () => {
    const host = `localhost:${household.port}`;
    const { status, body } = await send(household, 'POST', '/index.php/login/v2', { headers: { host } });
    expect([status, body.poll.endpoint]).toEqual([200, `https://${host}/index.php/login/v2/poll`]);
    expect(body.login).toContain(`https://${host}/account/connect?flow=`);
  });
});
