import { METHODS } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signedIn } from '../nextcloud/support.ts';
import { basic } from '../oauth/support.ts';
import { frontEndNames } from '../support/front-end-names.ts';
import { type Household, OWNER, openHousehold } from '../support/households/household.ts';
import type { ApiClient, Reply } from '../support/requests/api-client.ts';

/** The owner's proofs of identity: the token of an app, an app password, and the cookie of a browser that is signed in. */
type Proof = 'bearer' | 'basic' | 'cookie';

interface Expected {
  /** A request that shows what is the owner's, or anyone's. */
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly isShown: (reply: Reply) => boolean;
  /** The proofs that show it; null for what anyone sees. */
  readonly proofs: readonly Proof[] | null;
  /** Methods that may succeed at its addresses. */
  readonly methods: readonly string[];
  readonly needsApi: boolean;
  /** The body of a refusal. */
  readonly refusal: RegExp;
}

const READ = ['GET', 'HEAD'];
const JSON_FAILURE = /^\{"success":false,/;

/** Every way into the server. A new one needs a row. */
const EXPECTED: Readonly<Record<string, Expected>> = {
  api: {
    ...{ method: 'GET', path: '/api.php/files/browse/?path=/ROOT/HOME' },
    isShown: ({ body }) => body.success === true,
    proofs: ['bearer'],
    methods: [...READ, 'POST', 'PUT', 'OPTIONS'],
    needsApi: true,
    refusal: JSON_FAILURE,
  },
  'api description': {
    ...{ method: 'GET', path: '/api.php/openapi.json' },
    isShown: ({ body }) => body.info.title === 'Larder',
    proofs: null,
    methods: [...READ, 'OPTIONS'],
    needsApi: false,
    refusal: JSON_FAILURE,
  },
  nextcloud: {
    ...{ method: 'GET', path: '/ocs/v2.php/cloud/user?format=json', headers: { 'ocs-apirequest': 'true' } },
    isShown: ({ body }) => body.ocs?.data?.id === OWNER.username,
    proofs: ['bearer', 'basic'],
    methods: READ,
    needsApi: true,
    refusal: /^<\?xml version="1.0"\?>\n<ocs><meta><status>failure</,
  },
  webdav: {
    ...{ method: 'PROPFIND', path: '/dav/', headers: { depth: '0' } },
    isShown: ({ status }) => status === 207,
    proofs: ['bearer', 'basic'],
    methods: ['OPTIONS', ...READ, 'PROPFIND'],
    needsApi: true,
    refusal: /^<\?xml .*<d:error /,
  },
  tus: {
    ...{ method: 'POST', path: '/tus/' },
    headers: {
      'tus-resumable': '1.0.0',
      'upload-length': '0',
      'upload-metadata': `path ${btoa('/ROOT/HOME/')},filename ${btoa('empty.txt')}`,
    },
    isShown: ({ status }) => status === 201,
    proofs: ['bearer'],
    methods: ['POST', 'OPTIONS'],
    needsApi: true,
    refusal: JSON_FAILURE,
  },
  panel: {
    ...{ method: 'POST', path: '/panel/control/overview' },
    isShown: ({ status }) => status < 300,
    // It has sessions of its own.
    proofs: [],
    methods: [],
    needsApi: false,
    refusal: JSON_FAILURE,
  },
  oauth: {
    ...{ method: 'POST', path: '/oauth2/revoke', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    isShown: ({ status }) => status < 300,
    // The name and secret of a client.
    proofs: [],
    methods: ['OPTIONS'],
    needsApi: false,
    refusal: /^\{"error":"invalid_request",/,
  },
  public: {
    ...{ method: 'GET', path: '/healthz' },
    isShown: ({ body }) => body.status === 'ok',
    proofs: null,
    methods: READ,
    needsApi: false,
    refusal: JSON_FAILURE,
  },
  pages: {
    ...{ method: 'GET', path: '/account/' },
    isShown: ({ text }) => text.includes('/account/sign-out'),
    proofs: ['cookie'],
    methods: [...READ, 'OPTIONS'],
    needsApi: false,
    refusal: JSON_FAILURE,
  },
};

let household: Household;
let anyone: ApiClient;
let headersOf: Readonly<Record<Proof, Record<string, string>>>;

beforeAll(async () => {
  household = await openHousehold();
  const api = await household.signIn();
  const { body } = await api.post('account/app-passwords/add', { label: 'Program' });
  const { cookies } = await signedIn(household);
  anyone = household.api;
  headersOf = {
    bearer: { authorization: `Bearer ${api.token_}` },
    basic: basic(OWNER.username, body.data.password),
    cookie: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  };
});
afterAll(() => household?.close());

const ask = ({ method, path, headers }: Expected, proof: Record<string, string> = {}) =>
  anyone.send(method, path, { headers: { ...headers, ...proof } });

it('all front ends are in the table', async () => {
  expect(Object.keys(EXPECTED).toSorted()).toEqual(await frontEndNames());
});

describe.each(Object.entries(EXPECTED))('%s', (_name, expected) => {
  it.each(['bearer', 'basic', 'cookie'] as const)(
    'authenticates the owner with %s only if it supports that',
    async (proof) => {
      const isEnough = expected.proofs === null || expected.proofs.includes(proof);
      expect(expected.isShown(await ask(expected, headersOf[proof]))).toBe(isEnough);
    },
  );

  it('returns only public content without authentication', async () => {
    expect(expected.isShown(await ask(expected))).toBe(expected.proofs === null);
  });

  it('refuses every other method, whatever the credentials', async () => {
    const others = METHODS.filter((method) => !['CONNECT', expected.method, ...expected.methods].includes(method));
    for (const authorization of [headersOf.bearer, headersOf.basic]) {
      for (const method of others) {
        const headers = { ...expected.headers, ...headersOf.cookie, ...authorization };
        const { status } = await anyone.send(method, expected.path, { headers });
        expect([400, 401, 403, 404, 405, 409, 411, 412, 415], `${method}: ${status}`).toContain(status);
      }
    }
  });

  it('refuses an address that is too long in its own format', async () => {
    const { method, path, headers = {} } = expected;
    const { status, text } = await anyone.send(method, `${path.split('?', 1)[0]}?${'x'.repeat(16_000)}`, { headers });
    expect(status).toBe(414);
    expect(text).toMatch(expected.refusal);
  });

  it('is closed while the API is disabled only if it belongs to the API', async () => {
    const proof = headersOf[expected.proofs?.[0] ?? 'bearer'];
    await household.control('settings.update', { apiEnabled: false });
    const isClosed = !expected.isShown(await ask(expected, proof));
    await household.control('settings.update', { apiEnabled: true });
    expect(isClosed).toBe(expected.needsApi || expected.proofs?.length === 0);
  });
});

/** The switches of single protocols, and what they close. */
const SWITCHES = [
  ['webdav', ['nextcloud', 'webdav']],
  ['tus', ['tus']],
  ['nextcloudApps', ['nextcloud']],
] as const;

it.each(SWITCHES)('the switch %s closes %s, and no other front end', async (setting, closed) => {
  await household.control('settings.update', { [setting]: false });
  const shown = await Promise.all(
    Object.entries(EXPECTED).map(async ([name, expected]) => {
      const proof = headersOf[expected.proofs?.[0] ?? 'bearer'];
      return expected.isShown(await ask(expected, proof)) ? name : null;
    }),
  );
  const { status, text } = await ask(EXPECTED.webdav as Expected, headersOf.basic);
  await household.control('settings.update', { [setting]: true });
  const open = Object.entries(EXPECTED).filter(([, { proofs }]) => proofs?.length !== 0);
  expect(shown.filter((name) => name !== null)).toEqual(
    open.map(([name]) => name).filter((name) => !(closed as readonly string[]).includes(name)),
  );
  if (setting === 'webdav') expect([status, text]).toEqual([403, expect.stringContaining('api_disabled')]);
});
