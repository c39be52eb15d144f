import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PageReply, WebVisitor } from '../../support/browser/web-visitor.ts';
import { type LinkHousehold, openLinkHousehold } from '../../support/requests/links.ts';

/** Stands in everything of the creator's that lies outside of the link: in contents, names, tags and comments. */
const SECRET = 'quince-marmalade';
const PAGES = new URL('../../../server/web/public-links/', import.meta.url);

let household: LinkHousehold;
/** Everything that a link can allow is allowed: only the link itself holds a visitor. */
const EVERYTHING = {
  allow_uploads: 1,
  allow_downloads: 1,
  show_comments: 1,
  show_comments_names: 1,
  show_metadata: 1,
};
let folderLink = '';
let fileLink = '';
let outsideId = '';

beforeAll(async () => {
  household = await openLinkHousehold();
  await mkdir(household.at('open/sub'), { recursive: true });
  await writeFile(household.at('open/a.txt'), 'plain content');
  await writeFile(household.at('open/sub/b.txt'), 'plain content');
  for (const name of [`${SECRET}.txt`, 'outside.txt', 'open.txt', 'open2.txt']) {
    await writeFile(household.at(name), `${SECRET} in a file`);
  }
  await mkdir(household.at('outside'));
  await writeFile(household.at('outside/c.txt'), `${SECRET} in a folder`);
  await symlink(household.at('outside'), household.at('open/way-out'));
  await symlink(household.at('outside.txt'), household.at('open/way-out.txt'));
  const olga = household.as('olga');
  await olga.post('files/comments/add', { path: '/ROOT/HOME/outside.txt', comment: SECRET });
  await olga.post('files/tags/add', { path: '/ROOT/HOME/outside.txt', 'tags[]': SECRET });
  await olga.post('files/star', { path: '/ROOT/HOME/outside.txt' });
  await writeFile(household.at('deleted.txt'), `${SECRET} in the trash`);
  await olga.post('files/delete', { path: '/ROOT/HOME/deleted.txt' });
  folderLink = await household.link('/ROOT/HOME/open', EVERYTHING);
  fileLink = await household.link('/ROOT/HOME/open/a.txt', { show_comments: 1, show_metadata: 1 });
  outsideId = await household.link('/ROOT/HOME/outside.txt', { password: 'plums' });
});
afterAll(() => household.close());

/** Ways to name what lies outside: through the link's own paths, through virtual paths, through those of the disk. */
const OUTSIDE = [
  ...['..', '/..', '/../', '/../outside.txt', '/sub/../../outside.txt', '/./../outside.txt', '//outside.txt'],
  ...['/..%2foutside.txt', '/%2e%2e/outside.txt', '/..\\outside.txt', '/.../outside.txt', '/sub/..;/../outside.txt'],
  ...[
    '/outside.txt',
    `/${SECRET}.txt`,
    '/outside',
    '/outside/c.txt',
    '/open',
    '/open/a.txt',
    '/open.txt',
    '.txt',
    '2.txt',
  ],
  ...['/ROOT', '/ROOT/HOME', '/ROOT/HOME/outside.txt', '/ROOT/SHARED', '/ROOT/1', '/ROOT/2/1', '/ROOT/0/1', '/HOME'],
  ...['/STARRED', '/PHOTOS', '/MUSIC', '/SHARES', '/LINKS', '/TRASH', '/TRASH/1', '/ROOT/STARRED', '/ROOT/TRASH/1'],
  ...['/way-out', '/way-out/c.txt', '/way-out.txt', '/.larder', '/.larder-home', '/../../.larder/larder.sqlite'],
  ...['/etc/passwd', 'file:///etc/passwd', '/proc/self/environ', '\0/../outside.txt', '/a.txt/../../outside.txt'],
];

interface Visitor {
  readonly browser: WebVisitor;
  readonly token: string;
}

async function visitorAt(id: string): Promise<Visitor> {
  const browser = new WebVisitor(household);
  const page = await browser.get(`/wl/?id=${id}`);
  return { browser, token: /name="form_token" value="([^"]*)"/.exec(page.text)?.[1] ?? '' };
}

/** The ticket that a page of the link gives out for what it shows. */
async function ticketOf({ browser }: Visitor, id: string): Promise<string> {
  const { text } = await browser.get(`/wl/?id=${id}&path=/a.txt`);
  return /[?&;]ticket=([^"&]+)/.exec(text)?.[1] ?? '';
}

type Attempt = (visitor: Visitor, id: string, path: string) => Promise<PageReply>;
const query = (values: Record<string, string>) => String(new URLSearchParams(values));

/** Every address of web links by its method, each asked for what lies outside. A new one has to be put here. */
const ADDRESSES: Record<string, Attempt> = {
  'GET /wl': ({ browser }, id, path) => browser.get(`/wl/?${query({ id, path })}`),
  'GET /wl?fmode=open': ({ browser }, id, path) => browser.get(`/wl/?${query({ id, path, fmode: 'open' })}`),
  'GET /wl?fmode=download': ({ browser }, id, path) => browser.get(`/wl/?${query({ id, path, fmode: 'download' })}`),
  'OPTIONS /wl/content': async (_visitor, id, path) => {
    const reply = await household.api.send('OPTIONS', `/wl/content?${query({ id, path })}`);
    return { ...reply, headers: {}, location: null, field: () => '' };
  },
  'GET /wl/content': async (visitor, id, path) =>
    visitor.browser.get(`/wl/content?${query({ id, path, ticket: decodeURIComponent(await ticketOf(visitor, id)) })}`),
  'GET /wl/thumbnail': async (visitor, id, path) =>
    visitor.browser.get(
      `/wl/thumbnail?${query({ id, path, ticket: decodeURIComponent(await ticketOf(visitor, id)) })}`,
    ),
  'GET /wl/view': async (visitor, id, path) =>
    visitor.browser.get(`/wl/view?${query({ id, path, ticket: decodeURIComponent(await ticketOf(visitor, id)) })}`),
  'GET /wl/play': async (visitor, id, path) => {
    const ticket = decodeURIComponent(await ticketOf(visitor, id));
    const reply = await visitor.browser.get(`/wl/play?${query({ id, path, ticket })}`);
    if (reply.location === null) return reply;
    const { pathname, search } = new URL(reply.location, visitor.browser.origin);
    return visitor.browser.get(`${pathname}${search}`);
  },
  'POST /wl/get': ({ browser }, id, path) => browser.post(`/wl/get?${query({ id })}`, { 'path[]': path }),
  'POST /wl/get all': ({ browser }, id, path) => browser.post(`/wl/get?${query({ id, path })}`, { all: '1' }),
  'GET /wl/get': async ({ browser }, id, path) => {
    const pressed = await browser.post(`/wl/get?${query({ id })}`, { 'path[]': '/a.txt' });
    const address = new URL(pressed.location ?? '/', browser.origin);
    address.searchParams.set('path', path);
    return browser.get(`${address.pathname}${address.search}`);
  },
  'POST /wl/open': ({ browser }, id, path) => browser.post('/wl/open', { id, password: 'plums', next: path }),
  'POST /wl/accept': ({ browser }, id, path) => browser.post('/wl/accept', { id, next: path }),
  'POST /wl/send': ({ browser, token }, id, path) => {
    const boundary = 'xxx';
    const part = (name: string, value: string, file = '') =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`;
    const body = `${part('form_token', token)}${part('sender', 'Eve')}${part('file', 'sent by Eve', '; filename="eve.txt"')}--${boundary}--\r\n`;
    return browser.postRaw(`/wl/send?${query({ id, path })}`, body, `multipart/form-data; boundary=${boundary}`);
  },
  'PUT /wl/upload': ({ browser, token }, id, path) => {
    const key = `${Buffer.from(path).toString('hex').slice(0, 40)}00000000`;
    return browser.put(`/wl/upload?${query({ id, path, name: 'eve.txt', sender: 'Eve', key })}`, 'sent by Eve', {
      'x-form-token': token,
    });
  },
  'PUT /wl/upload by name': ({ browser, token }, id, path) => {
    const key = `${Buffer.from(path).toString('hex').slice(0, 40)}11111111`;
    return browser.put(`/wl/upload?${query({ id, name: `${path}/eve.txt`, sender: 'Eve', key })}`, 'sent by Eve', {
      'x-form-token': token,
    });
  },
  'POST /wl/comment': ({ browser, token }, id, path) =>
    browser.post(`/wl/comment?${query({ id, path })}`, { form_token: token, sender: 'Eve', comment: 'hello from Eve' }),
};

/** Everything below a folder of the household, and what is in it. */
async function allBelow(folder: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    found.set(path, await readFile(path, 'utf8'));
  }
  return found;
}

it('this test covers every address of web links of the server', async () => {
  const found = new Set<string>();
  for (const name of await readdir(PAGES)) {
    const source = await readFile(new URL(name, PAGES), 'utf8');
    for (const [, method, path] of source.matchAll(/router\.(\w+)\(\s*'(\/wl[^']*)'/g)) {
      found.add(`${method?.toUpperCase()} ${path}`);
    }
  }
  expect(found.size).toBeGreaterThan(10);
  const tried = new Set(Object.keys(ADDRESSES).map((name) => name.split(/[? ]/).slice(0, 2).join(' ')));
  expect([...found].sort()).toEqual([...tried].sort());
});

describe.each(Object.keys(ADDRESSES))('%s', (address) => {
  it('neither reveals nor stores anything outside of the link', async () => {
    const home = household.at('');
    const before = await allBelow(home);
    for (const id of [folderLink, fileLink]) {
      const visitor = await visitorAt(id);
      for (const path of OUTSIDE) {
        const reply = await ADDRESSES[address]?.(visitor, id, path);
        // What was asked for may stand in the answer.
        const name = path.slice(path.lastIndexOf('/') + 1);
        const asked = [path, encodeURIComponent(path), ...(name === '' ? [] : [name])];
        const text = asked.reduce((left, one) => left.replaceAll(one, ''), reply?.text ?? '');
        expect(text, `${address} ${path}`).not.toContain(SECRET);
        expect(text, `${address} ${path}`).not.toContain('root:');
        expect(reply?.status, `${address} ${path}`).toBeLessThan(500);
      }
    }
    const after = await allBelow(home);
    for (const [path, content] of after) {
      const isInside = path.startsWith(join(home, 'open/'));
      if (!isInside) expect([path, before.get(path)]).toEqual([path, content]);
    }
    for (const path of before.keys()) expect(after.has(path), path).toBe(true);
    const { body } = await household.as('olga').get('files/comments/list', { path: '/ROOT/HOME/outside.txt' });
    expect(body.data.comments.map(({ comment }: { comment: string }) => comment)).toEqual([SECRET]);
  });
});

it('the cookie and the ticket of one link open no other', async () => {
  const visitor = await visitorAt(folderLink);
  const ticket = decodeURIComponent(await ticketOf(visitor, folderLink));
  for (const address of ['content', 'view', 'thumbnail', 'play', 'get']) {
    const reply = await visitor.browser.get(`/wl/${address}?${query({ id: outsideId, path: '', ticket, turn: 'x' })}`);
    expect(reply.text, address).not.toContain(SECRET);
  }
  expect((await visitor.browser.get(`/wl/?id=${outsideId}`)).text).not.toContain(`${SECRET} in a file`);
});

it('a link grants no right of its creator at the pages and operations of accounts', async () => {
  const { browser } = await visitorAt(folderLink);
  for (const page of [
    '/files/',
    '/files/?path=/ROOT/HOME',
    '/files/download?path=/ROOT/HOME/outside.txt',
    '/account/',
  ]) {
    expect((await browser.get(page)).text, page).not.toContain(SECRET);
  }
  const reply = await browser.get('/api.php/files/browse?path=/ROOT/HOME', { accept: 'application/json' });
  expect(reply.status).toBe(401);
});
