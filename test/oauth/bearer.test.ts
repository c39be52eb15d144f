import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOUR } from '../../dist/server/lib/clock.js';
import { t } from '../../dist/server/messages/messages.js';
import { ALL_SCOPES, type Household, OWNER, openHousehold } from '../support/households/household.ts';
import { appOf, basic } from './support.ts';

/** §4.1, written by hand: an operation that is missing here fails the matrix. */
const SCOPES_OF: Record<string, string> = {
  'account/info': 'profile',
  'account/password': 'profile',
  'account/avatar': 'profile',
  'account/app-passwords/list': 'profile',
  'account/app-passwords/add': 'profile',
  'account/app-passwords/delete': 'profile',
  'admin-users/info': 'admin',
  'admin-users/avatar': 'admin',
  'admin-users/add': 'admin',
  'admin-users/edit': 'admin',
  'admin-users/delete': 'admin',
  'files/browse': 'list',
  'files/search': 'list',
  'files/info': 'list',
  'files/known': 'list download',
  'files/receipt': 'list download',
  'files/star': 'modify',
  'files/unstar': 'modify',
  'albums/list': 'list',
  'albums/add': 'modify',
  'albums/folder': 'modify',
  'albums/edit': 'modify',
  'albums/delete': 'modify',
  'albums/items': 'list',
  'albums/items/add': 'modify',
  'albums/items/remove': 'modify',
  'albums/shares': 'list',
  'albums/share': 'share',
  'albums/unshare': 'share',
  'albums/link': 'weblink',
  'albums/links': 'weblink',
  'albums/unlink': 'weblink',
  'imports/add': 'upload modify',
  'imports/list': 'list',
  'imports/item': 'list',
  'imports/cancel': 'modify',
  'imports/resume': 'upload modify',
  'files/comments/list': 'metadata',
  'files/comments/add': 'metadata',
  'files/comments/delete': 'metadata',
  'files/metadata': 'metadata',
  'files/metadata/set': 'metadata',
  'files/metadata/fields': 'metadata',
  'files/label': 'metadata',
  'files/rating': 'metadata',
  'files/tags/add': 'metadata',
  'files/tags/remove': 'metadata',
  'files/share': 'share',
  'files/unshare': 'share',
  'files/weblink': 'weblink',
  'files/weblink/edit': 'weblink',
  'files/unweblink': 'weblink',
  'files/createfolder': 'upload',
  'files/upload': 'upload',
  'files/download': 'download',
  'files/thumbnail': 'download',
  'files/delete': 'delete',
  'files/rename': 'modify',
  'files/move': 'download upload',
  'files/copy': 'download upload',
  'files/extract': 'modify',
  'files/lock': 'modify',
  'files/unlock': 'modify',
  'files/zip': 'download upload',
  'files/versions/list': 'list',
  'files/versions/restore': 'modify',
  'files/versions/delete': 'delete',
  'files/trash/restore': 'delete',
  'files/trash/delete': 'delete',
  'files/trash/empty': 'delete',
};

const SENTENCE = t('api.oauth.checkToken');

let household: Household;
let app: ReturnType<typeof appOf>;
let token: string;

beforeAll(async () => {
  household = await openHousehold();
  app = appOf(household);
  token = (await app.signIn()).access;
});
afterAll(() => household.close());

const INFO = '/api.php/account/info';
const info = (headers: Record<string, string>, path = INFO) => household.api.send('GET', path, { headers });

describe('RFC 6750 §2: the position of the token', () => {
  it.each(['Bearer', 'bearer', 'BEARER', 'Bearer '])('accepts it after "%s"', async (scheme) => {
    expect((await info({ authorization: `${scheme} ${token}` })).status).toBe(200);
  });

  it('challenges a request without credentials and names no error (§3.1)', async () => {
    const reply = await info({});
    expect(reply.status).toBe(401);
    expect(reply.headers['www-authenticate']).toBe('Bearer');
    expect(reply.body).toEqual({
      success: false,
      error: SENTENCE,
      code: 'invalid_token',
      details: { parameter: 'access_token' },
    });
  });

  it.each([
    ['nothing behind the scheme', () => 'Bearer'],
    ['an unknown token', () => `Bearer ${'x'.repeat(43)}`],
    ['a character more', () => `Bearer ${token}A`],
    ['a character less', () => `Bearer ${token.slice(0, -1)}`],
    ['another case', () => `Bearer ${token.toUpperCase()}`],
    ['two tokens', () => `Bearer ${token} ${token}`],
    ['a comma behind it', () => `Bearer ${token},`],
    ['quotes', () => `Bearer "${token}"`],
    ['no scheme', () => token],
    ['another scheme', () => `Token ${token}`],
    ['Basic with it as the password', () => basic('ann', token).authorization ?? ''],
    ['the password of the owner', () => basic(OWNER.username, OWNER.password).authorization ?? ''],
    ['a long text', () => `Bearer ${'a'.repeat(8_000)}`],
    ['a null', () => 'Bearer null'],
  ])('refuses %s', async (_name, authorization) => {
    const reply = await info({ authorization: authorization() });
    expect([reply.status, reply.body.code, reply.body.error]).toEqual([401, 'invalid_token', SENTENCE]);
    expect(reply.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
  });

  it('never accepts it in the query, the body or a cookie', async () => {
    for (const name of ['access_token', 'token', 'Authorization', 'authorization']) {
      expect((await info({}, `${INFO}?${name}=${token}`)).status, name).toBe(401);
      expect((await info({}, `${INFO}?${name}=Bearer+${token}`)).status, name).toBe(401);
      expect((await household.api.post('account/info', { [name]: token })).status, name).toBe(401);
      expect((await info({ cookie: `${name}=${token}` })).status, name).toBe(401);
    }
  });

  it('refuses a token that has expired, or whose client was removed', async () => {
    const other = await openHousehold();
    try {
      const its = appOf(other);
      const { access } = await its.signIn();
      expect(await its.use(access)).toBe(200);
      expect((await info({ authorization: `Bearer ${access}` })).status, 'a token of another household').toBe(401);
      other.clock.advance(HOUR + 1);
      const reply = await other.api.send('GET', INFO, { headers: { authorization: `Bearer ${access}` } });
      expect([reply.status, reply.body.code]).toEqual([401, 'invalid_token']);
    } finally {
      await other.close();
    }
  });
});

describe('RFC 6750 §3.1, §7.7: a token works for its scopes only', async () => {
  const description = await describeOperations();

  it('covers the scopes of all operations', () => {
    expect(Object.fromEntries(description.map(({ operation, scopes }) => [operation, scopes.join(' ')]))).toEqual(
      SCOPES_OF,
    );
  });

  it.each(description)('$method $operation needs $scopes', async ({ operation, method, scopes }) => {
    const call = (bearer: string) =>
      household.api.send(method, `/api.php/${operation}`, {
        headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/x-www-form-urlencoded' },
        ...(method === 'POST' ? { body: '' } : {}),
      });
    for (const lacking of scopes) {
      const { access } = await app.signIn({ scope: ALL_SCOPES.replace(new RegExp(`\\b${lacking}\\b`), '') });
      const reply = await call(access);
      expect(reply.status, reply.text).toBe(403);
      expect(reply.headers['www-authenticate']).toBe(`Bearer error="insufficient_scope", scope="${scopes.join(' ')}"`);
      if (method === 'HEAD') continue;
      expect(reply.body.code).toBe('insufficient_scope');
      expect(reply.body.error).toContain(`"${lacking}"`);
    }
    const { access: enough } = await app.signIn({ scope: scopes.join(' ') });
    expect([401, 403]).not.toContain((await call(enough)).status);
    expect([401, 403]).not.toContain((await call(token)).status);
  });

  it('returns the e-mail address with its scope only (§2.4)', async () => {
    const { access } = await app.signIn({ scope: 'profile' });
    const bare = await info({ authorization: `Bearer ${access}` });
    expect(bare.body.data).not.toHaveProperty('email');
    expect(bare.body).not.toHaveProperty('email');
    expect((await info({ authorization: `Bearer ${token}` })).body.email).toBe('');
  });

  it('checks the token before the parameters, and the switch of the API before everything', async () => {
    const reply = await household.api.get('files/browse', { path: 'not a path' });
    expect(reply.status).toBe(401);
    await household.control('settings.update', { apiEnabled: false });
    const off = await info({ authorization: 'Bearer x' });
    await household.control('settings.update', { apiEnabled: true });
    expect([off.status, off.body.code]).toEqual([403, 'api_disabled']);
  });
});

async function describeOperations() {
  const described = await openHousehold();
  try {
    const { body } = await described.api.send('GET', '/api.php/openapi.json');
    const paths = body.paths as Record<string, Record<string, { security: { oauth2: string[] }[] }>>;
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { security }]) => ({
        operation: path.slice(1),
        method: method.toUpperCase(),
        scopes: security[0]?.oauth2 ?? [],
      })),
    );
  } finally {
    await described.close();
  }
}
