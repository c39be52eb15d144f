import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampled } from '../support/forms.ts';
import { davClient } from '../support/webdav/dav-client.ts';
import { type EveryAddress, openEveryAddress, type Row } from './every-address.ts';
import { beginLogin, poll, send } from './support.ts';

/** What holds for every address of apps for Nextcloud beside that of their files. */

let every: EveryAddress;

beforeAll(async () => {
  every = await openEveryAddress();
});
afterAll(() => every?.household.close());

const TREES = /^\/remote\.php\/dav\/(?:uploads|trashbin|versions)\//;
const OCS = { 'ocs-apirequest': 'true' };
const VERSIONS = [1, 2] as const;
const OCS_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'];

/** Whatever is answered: a browser runs none of it, and gets no cookie. */
async function ask({ method, path, headers = {}, body }: Row, authorization: string) {
  const reply = await send(every.household, method, path, {
    headers: { ...headers, authorization },
    ...(body === undefined ? {} : { body }),
  });
  expect([path, reply.headers['content-security-policy']]).toEqual([path, "sandbox; default-src 'none'"]);
  expect([path, reply.headers['x-content-type-options']]).toEqual([path, 'nosniff']);
  expect([path, reply.headers['set-cookie']]).toEqual([path, undefined]);
  return reply;
}
const named = ({ method, path }: Row, ...results: unknown[]) => [`${method} ${path}`, ...results];

/** As rows: every address of OCS by each of its methods. */
const ocsRows = (versions: readonly number[] = VERSIONS): Row[] =>
  versions.flatMap((version) =>
    every.ocs.flatMap(({ path, methods }) =>
      methods.map((method): Row => {
        const row = { method, path: `/ocs/v${version}.php${path}`, headers: OCS };
        return method === 'GET' || method === 'HEAD' ? { ...row, reads: 200 } : row;
      }),
    ),
  );
const allRows = () => [...every.rows, ...ocsRows()];

/** Everything is still there, and the app is still connected. */
async function expectNothingChanged(): Promise<void> {
  for (const row of allRows()) {
    if (row.reads === undefined) continue;
    const { status } = await ask(row, every.app.authorization);
    expect(named(row, status)).toEqual(named(row, row.reads));
  }
}

it('every address answers to whom it belongs, and asks all others to sign in', async () => {
  await expectNothingChanged();
  for (const row of allRows()) {
    const { status } = await ask(row, 'None');
    expect(named(row, status)).toEqual(named(row, row.open ?? 401));
  }
});

describe('OCS', () => {
  it.each(VERSIONS)('of version %d requires its header for every address and method', async (version) => {
    const { authorization } = every.app;
    const without = [undefined, '', 'false', '1', 'true, true'];
    let turn = 0;
    for (const { path } of [...every.ocs, { path: '/' }, { path: '/nothing' }]) {
      for (const method of OCS_METHODS) {
        const value = without[turn++ % without.length];
        const headers = { accept: 'application/json', ...(value === undefined ? {} : { 'ocs-apirequest': value }) };
        for (const as of [authorization, 'None']) {
          const row = { method, path: `/ocs/v${version}.php${path}`, headers };
          const reply = await ask(row, as);
          const { statuscode, status } = method === 'HEAD' ? {} : reply.body.ocs.meta;
          const inBody = method === 'HEAD' ? [undefined, undefined] : [version === 1 ? 997 : 412, 'failure'];
          const data = method === 'HEAD' ? undefined : reply.body.ocs.data;
          expect(named(row, value, reply.status, statuscode, status)).toEqual(
            named(row, value, version === 1 ? 200 : 412, ...inBody),
          );
          expect(data ?? []).toEqual([]);
          expect(reply.headers['www-authenticate']).toBeUndefined();
        }
      }
    }
    await expectNothingChanged();
  });
});

describe('an app password that a browser adds to a request', () => {
  const PAGES = [
    { 'sec-fetch-mode': 'no-cors', 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none' },
    { origin: 'https://elsewhere.example' },
  ] as const;
  it.each(sampled(PAGES, 2))('is refused for a page: %j', async (fromPage) => {
    for (const row of [...every.rows.filter(({ open }) => open === undefined), ...ocsRows([2])]) {
      const asked = { ...row, headers: { ...row.headers, ...fromPage } };
      const { status, headers } = await ask(asked, every.app.authorization);
      const [challenge, allowed] = [headers['www-authenticate'], headers['access-control-allow-origin']];
      expect(named(row, status, challenge, allowed)).toEqual(named(row, 403, undefined, undefined));
      const bare = await ask(asked, 'None');
      expect(named(row, bare.status, bare.headers['www-authenticate'])).toEqual(named(row, 401, 'Bearer'));
    }
    await expectNothingChanged();
  });
});

describe('every address', () => {
  // Without WebDAV, what is below its addresses says so.
  it.each([
    ['nextcloudApps', 404],
    ['webdav', 403],
  ] as const)('is not found while the setting %s is off', async (setting, ofTrees) => {
    const { household, app } = every;
    const { token } = await beginLogin(household);
    expect((await poll(household, token)).text).toBe('[]');
    const bearer = `Bearer ${every.api.token_}`;
    const wrong = `Basic ${Buffer.from('olga:wrong').toString('base64')}`;
    const endpoint: Row = {
      ...{ method: 'POST', path: '/index.php/login/v2/poll', body: `token=${token}` },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    };
    await household.control('settings.update', { [setting]: false });
    try {
      for (const row of [...allRows(), endpoint]) {
        for (const as of sampled(['None', wrong, app.authorization, bearer], 2)) {
          const { status, headers, text } = await ask(row, as);
          expect(named(row, as, status)).toEqual(named(row, as, TREES.test(row.path) ? ofTrees : 404));
          expect(named(row, headers['www-authenticate'], text === '[]')).toEqual(named(row, undefined, false));
        }
      }
    } finally {
      await household.control('settings.update', { [setting]: true });
    }
    await expectNothingChanged();
    // The request of the app has ended with it.
    expect((await poll(household, token)).text).toBe('[]');
  });
});

it('an app password has ended once its app has revoked it, by either version', async () => {
  for (const version of VERSIONS) {
    const { authorization } = await davClient(every.api);
    const row = { method: 'DELETE', path: `/ocs/v${version}.php/core/apppassword`, headers: OCS };
    expect([version, (await ask(row, authorization)).status]).toEqual([version, 200]);
    expect([version, (await ask(row, authorization)).status]).toEqual([version, 401]);
  }
  await expectNothingChanged();
});
