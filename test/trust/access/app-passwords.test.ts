import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { basic } from '../../oauth/support.ts';
import { treeOf } from '../../support/content/tree.ts';
import { type Household, OWNER, openHousehold } from '../../support/households/household.ts';
import type { ApiClient, Reply } from '../../support/requests/api-client.ts';

/** OWASP API1:2023 for credentials: what an app password may not reach, its program is told nothing of, and cannot change. */

let household: Household;
let api: ApiClient;
/** The address of the folder `box`, for an app password that is limited to it. */
let box = '';
let limited = '';

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
  for (const folder of ['box', 'secret', 'boxes']) {
    await mkdir(join(household.home, folder));
    await writeFile(join(household.home, folder, `${folder}.txt`), `the text of ${folder}`);
  }
  await api.post('files/browse', { path: '/ROOT/HOME', recursive: 1 });
  limited = await passwordWith({ folder: '/ROOT/HOME/box' });
  for (const place of ['/dav', '/dav/My%20files/box']) {
    if ((await send('PROPFIND', `${place}/box.txt`, limited)).status === 207) box = place;
  }
});
afterAll(() => household.close());
beforeEach(() => expect(box).not.toBe(''));

async function passwordWith(form: Record<string, string | readonly string[]>): Promise<string> {
  const { status, body, text } = await api.post('account/app-passwords/add', { label: 'Program', ...form });
  expect(status, text).toBe(200);
  return body.data.password;
}

const PROPPATCH = `<?xml version="1.0"?><D:propertyupdate xmlns:D="DAV:"><D:set><D:prop><Z:a xmlns:Z="urn:z">b</Z:a></D:prop></D:set></D:propertyupdate>`;
const LOCK = `<?xml version="1.0"?><D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>`;
const BODIES: Record<string, string> = { PUT: 'theirs', PROPPATCH, LOCK };

function send(method: string, path: string, password: string, headers: Record<string, string> = {}): Promise<Reply> {
  const depth = method === 'PROPFIND' ? { depth: '1' } : {};
  const body = BODIES[method] ?? null;
  return household.api.send(method, path, {
    headers: { ...basic(OWNER.username, password), ...depth, ...headers },
    body,
  });
}

/** What the household has, apart from the folder of the app password. */
async function stateOf(): Promise<string> {
  const rows = await api.post('files/browse', {
    path: '/ROOT/HOME',
    recursive: 1,
    'details[]': ['uuid', 'mdate', 'isLocked', 'version'],
  });
  const files = (rows.body.data.files as { path: string }[]).filter(({ path }) => !path.startsWith('/ROOT/HOME/box/'));
  const tree = Object.entries(await treeOf(household.home)).filter(([name]) => !name.startsWith('box/'));
  const trash = (await api.post('files/browse', { path: '/TRASH' })).body.data.files;
  return JSON.stringify([files.filter(({ path }) => path !== '/ROOT/HOME/box'), tree, trash]);
}

/** A reply without the name that was asked for, and without what is new in each. */
function told({ status, text, headers }: Reply, name: string): string {
  return `${status} ${headers['content-type']} ${text.replaceAll(name, '…')}`;
}

/** Ways to name something outside, with a name that is put in. */
const WAYS: readonly ((name: string) => string)[] = [
  (name) => `/dav/My%20files/${name}/${name}.txt`,
  (name) => `/dav/My%20files/${name}`,
  (name) => `/dav/${name}/${name}.txt`,
  (name) => `/dav/files/${OWNER.username}/My%20files/${name}/${name}.txt`,
  (name) => `/remote.php/webdav/My%20files/${name}/${name}.txt`,
  (name) => `${box}/../${name}/${name}.txt`,
  (name) => `${box}/%2e%2e/${name}/${name}.txt`,
  (name) => `${box}%2f..%2f${name}/${name}.txt`,
  (name) => `/dav/Shared%20with%20me/${name}`,
  (name) => `/dav/TRASH/${name}`,
];
const METHODS = ['PROPFIND', 'GET', 'HEAD', 'PUT', 'DELETE', 'MKCOL', 'PROPPATCH', 'LOCK'] as const;

describe('an app password for a folder', () => {
  it.each(METHODS)('%s: items outside cannot be distinguished from missing ones, or changed', async (method) => {
    const before = await stateOf();
    for (const way of WAYS) {
      const [one, other] = [await send(method, way('secret'), limited), await send(method, way('nevers'), limited)];
      expect(one.status, `${method} ${way('secret')}`).toBeGreaterThanOrEqual(400);
      expect(told(one, 'secret'), `${method} ${way('secret')}`).toBe(told(other, 'nevers'));
    }
    expect(await stateOf()).toBe(before);
  });

  it.each(['COPY', 'MOVE'])('%s: nothing can be moved out or in', async (method) => {
    const before = await stateOf();
    for (const way of WAYS) {
      for (const [from, to] of [
        [way('secret'), `${box}/in.txt`],
        [`${box}/box.txt`, way('secret')],
      ] as const) {
        const reply = await send(method, from, limited, { destination: household.api.base + to, overwrite: 'T' });
        expect(reply.status, `${method} ${from} to ${to}`).toBeGreaterThanOrEqual(400);
      }
    }
    expect(await stateOf()).toBe(before);
    expect((await send('GET', `${box}/in.txt`, limited)).status).toBe(404);
    expect((await send('GET', `${box}/box.txt`, limited)).text).toBe('the text of box');
  });

  it('lists only items in the folder', async () => {
    for (const path of ['/dav/', box]) {
      const { text } = await send('PROPFIND', path, limited);
      expect(text).not.toMatch(/secret|boxes/);
    }
  });

  it('does not delete or move the folder itself', async () => {
    const before = await stateOf();
    for (const [method, destination] of [
      ['DELETE', ''],
      ['MOVE', '/dav/My%20files/elsewhere'],
      ['MOVE', `${box}/inside`],
    ] as const) {
      const reply = await send(method, box, limited, { destination: household.api.base + destination });
      expect(reply.status, method).toBeGreaterThanOrEqual(400);
    }
    expect(await stateOf()).toBe(before);
    expect((await send('GET', `${box}/box.txt`, limited)).status).toBe(200);
  });
});

interface Need {
  readonly method: string;
  readonly path: string;
  readonly scopes: readonly string[];
  /** The destination of a copy. */
  readonly to?: string;
}

/** Written by hand: the scopes of a method, on an item that is there, or on a new one. */
const NEEDED: readonly Need[] = [
  { method: 'PROPFIND', path: 'boxes/boxes.txt', scopes: ['list'] },
  { method: 'GET', path: 'boxes/boxes.txt', scopes: ['download'] },
  { method: 'PUT', path: 'boxes/new.txt', scopes: ['upload'] },
  { method: 'MKCOL', path: 'boxes/new', scopes: ['upload'] },
  { method: 'LOCK', path: 'boxes/boxes.txt', scopes: ['modify'] },
  { method: 'COPY', path: 'boxes/boxes.txt', scopes: ['download', 'upload'], to: 'boxes/copy.txt' },
  { method: 'DELETE', path: 'secret/secret.txt', scopes: ['delete'] },
];
const SCOPES = ['list', 'metadata', 'upload', 'download', 'modify', 'delete'];

const sendNeed = ({ method, path, to }: Need, password: string) => {
  const headers = to === undefined ? {} : { destination: `${household.api.base}/dav/My%20files/${to}` };
  return send(method, `/dav/My%20files/${path}`, password, headers);
};

describe('the scopes of an app password', () => {
  it.each(NEEDED)('are required one by one: $method of $path', async (need) => {
    const before = await stateOf();
    for (const missing of need.scopes) {
      const password = await passwordWith({ 'scopes[]': SCOPES.filter((scope) => scope !== missing) });
      expect((await sendNeed(need, password)).status, `without ${missing}`).toBe(403);
    }
    expect(await stateOf()).toBe(before);
  });

  it.each(NEEDED.slice(2))('do not permit changes if it is read-only: $method of $path', async (need) => {
    const before = await stateOf();
    const password = await passwordWith({ read_only: '1' });
    expect((await sendNeed(need, password)).status).toBe(403);
    expect((await send('GET', '/dav/My%20files/boxes/boxes.txt', password)).status).toBe(200);
    expect(await stateOf()).toBe(before);
  });

  it('permit everything that they allow', async () => {
    const password = await passwordWith({});
    for (const need of NEEDED) expect((await sendNeed(need, password)).status, need.method).toBeLessThan(300);
  });
});

describe('an app password over plain HTTP', () => {
  it('is refused and not requested, even while plain HTTP is allowed', async () => {
    const password = await passwordWith({});
    await household.control('settings.update', { httpTesting: true });
    const { httpAddresses } = (await household.control('status')) as { httpAddresses: string[] };
    const { port } = new URL(httpAddresses[0] ?? '');
    const ask = (headers: Record<string, string>) =>
      fetch(`http://127.0.0.1:${port}/dav/`, { method: 'PROPFIND', headers: { depth: '0', ...headers } });
    const asked = await ask({});
    expect([asked.status, asked.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect((await ask(basic(OWNER.username, password))).status).toBe(403);
    // `X-Forwarded-Proto` counts only from a proxy that the owner trusts.
    expect((await ask({ ...basic(OWNER.username, password), 'x-forwarded-proto': 'https' })).status).toBe(403);
    await household.control('settings.update', { trustedProxies: ['127.0.0.1'] });
    expect((await ask({ ...basic(OWNER.username, password), 'x-forwarded-proto': 'https' })).status).toBe(207);
    await household.control('settings.update', { trustedProxies: [], httpTesting: false });
  });
});
