import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse as parseCsv } from 'csv-parse/sync';
import { Parser } from 'htmlparser2';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PanelVisit, visitPanel } from '../../support/browser/panel-visit.ts';
import { WebVisitor } from '../../support/browser/web-visitor.ts';
import { type Household, OWNER } from '../../support/households/household.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';
import { addField } from '../../support/requests/fields.ts';

/**
 * Texts that mean something to HTML, scripts, headers, logs and spreadsheets, in everything that has a name or a text; then
 * everything that shows them is looked at: every page that links lead to, the control panel, the log, an export, headers.
 */
const MARK = `x"'><larder-mark onx=1>{{7*7}}\${7*7}`;
const FORMULA = '=HYPERLINK("http://x")';

let panel: PanelVisit;
let household: Household;
let api: ApiClient;
let link = '';
let guestLink = '';
/** Of requests that the server has refused, the words in which it did. */
const refusals: string[] = [];

beforeAll(async () => {
  panel = await visitPanel();
  household = panel.household;
  api = await household.signIn();
  await plant();
}, 90_000);
afterAll(() => panel?.close());

/** A name that the API refuses comes about by other programs. */
async function plant(): Promise<void> {
  const folder = join(household.home, MARK);
  await mkdir(join(folder, MARK), { recursive: true });
  for (const extension of ['txt', 'html', 'svg', 'md'])
    await writeFile(join(folder, `${MARK}.${extension}`), `${MARK}\n<script>larderMark()</script>\n`);
  const path = `/ROOT/HOME/${MARK}`;
  const file = `${path}/${MARK}.txt`;
  const field = await addField(household, { name: MARK });
  await household.control('metadata.types.add', { name: MARK, extensions: ['mark'] });
  const profile = { lastName: MARK, company: FORMULA, description: MARK, phone: '+1+1' };
  await household.control('accounts.add', { username: 'mark', name: MARK, password: OWNER.password, ...profile });
  await household.control('accounts.update', { id: 1, name: MARK, ...profile });
  const { id: group } = await household.control('groups.add', { name: MARK });
  await household.control('groups.setMembers', { id: group, accountIds: [2] });
  await household.control('roles.add', { name: MARK, permissions: {} });
  await household.control('clients.add', { name: MARK, publisher: MARK, redirectUris: ['https://app.example/mark'] });
  const done = [
    await api.post('files/comments/add', { path: file, comment: MARK }),
    await api.post('files/comments/add', { path, comment: `${MARK}\r\nLarder-Mark: 1` }),
    await api.post('files/tags/add', { path: file, 'tags[]': [MARK] }),
    await api.post('files/metadata/set', { path: file, [`fields[${field}]`]: MARK }),
    await api.post('files/share', { path, uid: 2 }),
    await api.post('files/star', { path: file }),
    await api.put({ path: `/ROOT/HOME/${MARK}.txt` }, 'refused'),
  ];
  const gran = { path, name: MARK, email: 'gran@example.net', comment: 1, read_comments: 1 };
  guestLink = (await api.post('files/share', gran)).body.data.guest.link;
  const shown = { show_comments: 1, show_comments_names: 1, show_metadata: 1, download_terms: MARK };
  link = (await api.post('files/weblink', { path, ...shown })).body.data.url;
  refusals.push(...done.filter(({ status }) => status >= 400).map(({ text }) => text));
}

interface Seen {
  readonly pages: number;
  /** Pages on which the text can be read. */
  readonly showing: number;
  readonly complaints: readonly string[];
}

/** Every page that links lead to from some, and what their HTML really is. */
async function crawl(visitor: WebVisitor, from: readonly string[]): Promise<Seen> {
  const waiting = [...from];
  const known = new Set(waiting);
  const complaints: string[] = [];
  let [pages, showing] = [0, 0];
  for (let path = waiting.shift(); path !== undefined && pages < 400; path = waiting.shift()) {
    const reply = await visitor.get(path);
    const told = `${path.slice(0, 200)} (${reply.status})`;
    if (reply.status >= 500) complaints.push(`${told}: fails`);
    if (Object.keys(reply.headers).some((name) => /larder-mark/i.test(name))) complaints.push(`${told}: a header more`);
    if (reply.headers['x-content-type-options'] !== 'nosniff')
      complaints.push(`${told}: may be taken for something else`);
    const type = reply.headers['content-type'] ?? '';
    const found = [reply.location ?? ''];
    if (/html|svg|xml/.test(type) && !/attachment/.test(reply.headers['content-disposition'] ?? '')) {
      pages += 1;
      if (!/default-src 'none'/.test(reply.headers['content-security-policy'] ?? ''))
        complaints.push(`${told}: has no policy`);
      const read = readPage(reply.text);
      if (/larder-mark/.test(read.text)) showing += 1;
      complaints.push(...read.complaints.map((complaint) => `${told}: ${complaint}`));
      found.push(...read.links);
    }
    for (const one of found.map((address) => ownPath(visitor, path, address))) {
      if (one === null || known.has(one) || known.size > 600) continue;
      known.add(one);
      waiting.push(one);
    }
  }
  return { pages, showing, complaints };
}

/** A page of ours to look at too; what ends a session is not. */
function ownPath(visitor: WebVisitor, page: string, address: string): string | null {
  if (address === '' || !URL.canParse(address, `${visitor.origin}${page}`)) return null;
  const { origin, pathname, search } = new URL(address, `${visitor.origin}${page}`);
  return origin !== visitor.origin || /sign-out|^\/assets\//.test(pathname) ? null : pathname + search;
}

/** What a browser makes of a page (HTML Living Standard), as far as it could run something. */
function readPage(html: string): { text: string; links: string[]; complaints: string[] } {
  const links: string[] = [];
  const complaints: string[] = [];
  let text = '';
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name.includes('larder-mark')) complaints.push('an element of the text');
      if (name === 'script' && attributes.src === undefined && attributes.type !== 'application/json')
        complaints.push('a script in the page');
      for (const [key, value] of Object.entries(attributes)) {
        if (/^on|^style$/.test(key)) complaints.push(`an attribute ${key}`);
        if (/^(?:href|src|action|formaction|data)$/.test(key)) {
          if (/^\s*(?:javascript|vbscript|data:text)/i.test(value)) complaints.push(`leads to ${value}`);
          links.push(value);
        } else text += ` ${value}`;
      }
    },
    ontext: (part) => {
      text += part;
    },
  });
  parser.end(html);
  return { text, links, complaints };
}

/** A page of the panel that has stopped changing: what it shows comes after it. */
async function settled(page: Page): Promise<void> {
  let before = '';
  await expect
    .poll(
      async () => {
        const now = await page.getByRole('main').innerText();
        const isSame = now === before && now !== '';
        before = now;
        return isSame;
      },
      { interval: 150 },
    )
    .toBe(true);
}

describe('a text that contains syntax of other languages', () => {
  it('is refused as an invalid name', () => {
    expect(refusals.map((text) => JSON.parse(text).code)).toEqual(['invalid_name']);
  });

  it('is displayed as text on every page that the owner can open', async () => {
    const visitor = new WebVisitor(household);
    const page = await visitor.get('/account/', { 'user-agent': MARK });
    const fields = { form_token: page.field('form_token'), next: page.field('next') };
    expect((await visitor.post('/account/sign-in', { ...fields, ...OWNER }, { 'user-agent': MARK })).status).toBe(303);
    const mark = encodeURIComponent(MARK);
    const query = `response_type=code&client_id=${household.clientId}&scope=profile&state=${mark}`;
    const from = ['/', '/files/', '/account/', '/files/?path=/STARRED', '/files/?path=/LINKS', '/files/?path=/SHARES'];
    const asked = [
      `/files/?path=/ROOT/HOME&search=${mark}`,
      `/files/?path=/ROOT/${mark}`,
      `/files/do/${mark}?path=${mark}`,
      `/oauth2/authorize/?${query}&redirect_uri=https://app.example/callback`,
      `/oauth2/authorize/?${query}&redirect_uri=${mark}`,
      `/${mark}`,
    ];
    const seen = await crawl(visitor, [...from, ...asked]);
    expect(seen.complaints).toEqual([]);
    expect(seen.pages).toBeGreaterThan(40);
    expect(seen.showing).toBeGreaterThan(20);
  });

  it.each([
    ['a visitor of a link', () => link],
    ['a guest with a private link', () => guestLink],
  ])('is displayed as text to %s', async (_who, address) => {
    const { pathname, search } = new URL(address());
    const visitor = new WebVisitor(household);
    const seen = await crawl(visitor, [pathname + search, `${pathname}?id=${encodeURIComponent(MARK)}`]);
    expect(seen.complaints).toEqual([]);
    expect(seen.showing).toBeGreaterThan(0);
  });

  it('is displayed as text on every page of the panel', { timeout: 180_000 }, async () => {
    const { page } = panel;
    await panel.fresh();
    const known = new Set<string>(['#/']);
    let showing = 0;
    for (const place of known) {
      await page.evaluate((hash) => {
        location.hash = hash;
      }, place);
      await settled(page);
      const links = await page
        .locator('a[href^="#/"]')
        .evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''));
      for (const one of links) if (known.size < 60) known.add(one);
      expect(await page.locator('larder-mark').count(), place).toBe(0);
      if ((await page.locator('body').innerText()).includes('larder-mark')) showing += 1;
    }
    expect(known.size).toBeGreaterThan(10);
    expect(showing).toBeGreaterThan(4);
    expect(panel.complaints).toEqual([]);
  });

  it('does not forge a log entry, and is not a formula in a spreadsheet', async () => {
    await api.send('GET', '/api.php/files/browse?path=%0a{"level":50,"msg":"planted"}', {
      headers: { 'user-agent': `{"level":50,"msg":"planted"}`, 'x-forwarded-for': MARK },
    });
    const lines = household.logged().trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(10);
    for (const line of lines) expect(JSON.parse(line).msg).not.toBe('planted');
    const { csv } = await household.control('accounts.export');
    const cells = (parseCsv(String(csv)) as string[][]).flat();
    expect(cells).toContain(`'${FORMULA}`);
    expect(cells.filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
  });

  it('is kept in the name of a downloaded file, and does not end a header', async () => {
    for (const extension of ['txt', 'html', 'svg']) {
      const { status, headers } = await api.get('files/download', {
        path: `/ROOT/HOME/${MARK}/${MARK}.${extension}`,
        openInBrowser: 1,
      });
      expect(status).toBe(200);
      expect(headers['content-disposition']).toMatch(
        extension === 'txt' ? /^inline; / : /^attachment; filename="[^"]*"; filename\*=UTF-8''[\w%.!-~]+$/,
      );
    }
  });
});
