import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { readClientFiles } from '../../../dist/server/web/shell/assets/client-files.js';
import { type PageReply, WebVisitor } from '../../support/browser/web-visitor.ts';
import { makePdf } from '../../support/content/make-pdf.ts';
import { type Household, OWNER, openHousehold } from '../../support/households/household.ts';
import { addMembersWithHomes, homeOf, MEMBER, setPermissions, signInAs } from '../../support/households/member.ts';
import { rowsOf } from '../../support/requests/activity.ts';
import { fillHome } from '../files/support.ts';

const PDF = makePdf([['Only for Ann']]);
const HOUR = 3_600_000;

let household: Household;
let ann: WebVisitor;
let mia: WebVisitor;
let stranger: WebVisitor;

beforeAll(async () => {
  household = await openHousehold();
  await addMembersWithHomes(household, { mia: {} });
  await fillHome(household.home, { 'a.pdf': PDF, 'b.pdf': PDF, 'notes.md': '# Notes', 'page.html': '<b>x</b>' });
  await fillHome(homeOf(household, 'mia'), { 'a.pdf': PDF });
  ann = await signedIn(OWNER.username, OWNER.password);
  mia = await signedIn('mia');
  stranger = new WebVisitor(household);
});
afterAll(() => household.close());

async function signedIn(username: string, password = MEMBER.password, basePath = '', keep = ''): Promise<WebVisitor> {
  const visitor = new WebVisitor(household, basePath);
  const page = await visitor.get('/files/');
  const fields = { form_token: page.field('form_token'), next: page.field('next') };
  expect((await visitor.post('/account/sign-in', { ...fields, username, password, keep })).status).toBe(303);
  return visitor;
}

const view = (visitor: WebVisitor, name: string) => visitor.get(`/files/view?path=/ROOT/HOME/${name}`);
const sourceIn = ({ text }: Pick<PageReply, 'text'>) =>
  /data-source="([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
/** As the frame asks: with no cookie. */
const content = (source: string, headers = {}) => stranger.get(source, { accept: '*/*', ...headers });

describe('the document of the frame', () => {
  it('has a policy that lists what it loads, and can be framed only by pages of the server', async () => {
    const { headers, text } = await view(ann, 'a.pdf');
    const own = ann.origin;
    expect(headers['content-security-policy']?.split('; ')).toEqual([
      'sandbox allow-scripts',
      "default-src 'none'",
      `style-src ${own}/assets/viewer/`,
      `script-src ${own}/assets/viewer/ 'wasm-unsafe-eval'`,
      'worker-src blob:',
      `connect-src ${own}/files/content ${own}/assets/viewer/`,
      `font-src ${own}/assets/viewer/`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'self'",
    ]);
    expect(headers).toMatchObject({
      'x-frame-options': 'SAMEORIGIN',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
    expect(text).not.toContain('form_token');
  });

  it('is returned only to accounts that may see the file, and reveals nothing to others', async () => {
    for (const [visitor, name, status, sentence] of [
      [stranger, 'a.pdf', 401, t('viewer.signedOut.heading')],
      [mia, 'b.pdf', 404, t('viewer.missing.heading')],
      [ann, 'gone.pdf', 404, t('viewer.missing.heading')],
      [ann, 'page.html', 404, t('viewer.missing.heading')],
    ] as const) {
      const reply = await view(visitor, name);
      expect([name, reply.status]).toEqual([name, status]);
      expect(reply.text).toContain(sentence);
      expect(reply.text).not.toContain('ticket');
      expect(reply.headers['content-security-policy']).toMatch(/^sandbox; default-src 'none'; style-src/);
    }
    const script = await view(ann, '</title><script>x.pdf');
    expect(script.text).not.toContain('<script>x');
  });

  it('is not shown to accounts that may not download', async () => {
    await setPermissions(household, { mia: { download: false } });
    const source = sourceIn(await view(mia, 'a.pdf'));
    await setPermissions(household, { mia: {} });
    expect(source).toBe('');
    const before = sourceIn(await view(mia, 'a.pdf'));
    expect((await content(before)).status).toBe(200);
    await setPermissions(household, { mia: { download: false } });
    expect((await content(before)).status).toBe(403);
    await setPermissions(household, { mia: {} });
  });

  it('shows a shared file under its name in the share, as long as it is shared', async () => {
    const [owner, member] = [await household.signIn(), await signInAs(household, 'mia')];
    const uid = Number((await member.get('account/info')).body.id);
    await fillHome(household.home, { 'shared.pdf': PDF });
    const shared = await owner.post('files/share', { path: '/ROOT/HOME/shared.pdf', uid });
    const path = `/ROOT/1/${shared.body.data.shareid}`;
    const reply = await mia.get(`/files/view?path=${path}`);
    expect(reply.text).toContain('<title>shared.pdf</title>');
    const source = sourceIn(reply);
    expect((await content(source)).status).toBe(200);
    expect((await owner.post('files/unshare', { path: '/ROOT/HOME/shared.pdf', uid })).status).toBe(200);
    expect((await content(source)).status).toBe(404);
  });

  it('is logged as one download, however many ranges are requested', async () => {
    const rows = await rowsOf(household, async () => {
      const source = sourceIn(await view(ann, 'b.pdf'));
      await content(source);
      await content(source, { range: 'bytes=0-99' });
    });
    expect(rows.map(({ kind, channel, username }) => [kind, channel, username])).toEqual([
      ['file.downloaded', 'page', 'ann'],
    ]);
  });
});

describe('the content of a file', () => {
  it('is returned for a ticket without cookies, whole and in ranges, to any origin, and sandboxed', async () => {
    const source = sourceIn(await view(ann, 'a.pdf'));
    const whole = await content(source);
    expect([whole.status, whole.text.length]).toEqual([200, PDF.toString('utf8').length]);
    expect(whole.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'accept-ranges': 'bytes',
      'content-type': 'application/pdf',
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
    expect(whole.headers['set-cookie']).toBeUndefined();
    expect(whole.headers['access-control-allow-credentials']).toBeUndefined();
    const piece = await content(source, { range: 'bytes=1-3' });
    expect([piece.status, piece.text, piece.headers['content-range']]).toEqual([
      ...[206, 'PDF'],
      `bytes 1-3/${PDF.length}`,
    ]);
  });

  it('allows ranges in the CORS preflight', async () => {
    const { status, headers } = await household.api.send('OPTIONS', '/files/content?path=/ROOT/HOME/a.pdf');
    expect(status).toBe(204);
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD',
      'access-control-allow-headers': 'Range',
    });
  });

  it('is not returned for a session, another ticket, another path or another account', async () => {
    const source = sourceIn(await view(ann, 'a.pdf'));
    const own = sourceIn(await view(mia, 'a.pdf'));
    const ticketOf = (address: string) => new URL(address, ann.origin).searchParams.get('ticket') ?? '';
    const session = (address: string) => new URL(address, ann.origin).searchParams.get('session') ?? '';
    const at = (id: string, path: string, ticket: string) =>
      `/files/content?session=${id}&path=${path}&ticket=${encodeURIComponent(ticket)}`;
    const annId = session(source);
    for (const foreign of [
      at(annId, '/ROOT/HOME/b.pdf', ticketOf(source)),
      at(annId, '/ROOT/HOME/notes.md', ticketOf(source)),
      at(annId, '/ROOT/HOME', ticketOf(source)),
      at(annId, '/ROOT/HOME/a.pdf', ticketOf(own)),
      at(session(own), '/ROOT/HOME/a.pdf', ticketOf(source)),
      at(annId, '/ROOT/HOME/a.pdf', `z${ticketOf(source)}`),
      at(annId, '/ROOT/HOME/a.pdf', ''),
      at('99', '/ROOT/HOME/a.pdf', ticketOf(source)),
    ]) {
      for (const visitor of [stranger, ann]) {
        const reply = await visitor.get(foreign, { accept: '*/*' });
        expect([foreign, reply.status]).toEqual([foreign, 404]);
        expect(reply.text).not.toContain('Only for Ann');
      }
    }
    expect((await content(`/files/content?session=${annId}&path=/ROOT/HOME/a.pdf`)).status).toBe(400);
  });

  it('is no longer returned when its ticket has expired', async () => {
    const source = sourceIn(await view(await signedIn('mia', MEMBER.password, '', '1'), 'a.pdf'));
    household.clock.advance(11 * HOUR);
    expect((await content(source)).status).toBe(200);
    household.clock.advance(HOUR);
    expect((await content(source)).status).toBe(404);
  });

  it('is no longer returned after its own session has ended, and not affected by other sessions', async () => {
    const there = await signedIn('mia');
    const [source, other] = [
      sourceIn(await view(there, 'a.pdf')),
      sourceIn(await view(await signedIn('mia'), 'a.pdf')),
    ];
    expect((await content(source)).status).toBe(200);
    const page = await there.get('/account/');
    await there.post('/account/sign-out', { form_token: page.field('form_token') });
    expect((await content(source)).status).toBe(404);
    expect((await content(other)).status).toBe(200);
    await household.control('accounts.update', { username: 'mia', activated: false });
    expect((await content(other)).status).toBe(404);
    await household.control('accounts.update', { username: 'mia', activated: true });
    expect((await content(other)).status).toBe(404);
  });

  it('is no longer returned after a change of the password, also in the session that changed it', async () => {
    const there = await signedIn('mia');
    const source = sourceIn(await view(there, 'a.pdf'));
    const page = await there.get('/account/password');
    const changed = { password: MEMBER.password, new_password: 'a rather good one', repeat: 'a rather good one' };
    const reply = await there.post('/account/password', { form_token: page.field('form_token'), ...changed });
    expect(reply.location).toContain('done=password');
    expect((await content(source)).status).toBe(404);
    expect((await content(sourceIn(await view(there, 'a.pdf')))).status, 'a page that is loaded again').toBe(200);
  });
});

describe('the files that the viewer loads', () => {
  it('are a fixed list, for every origin, with the correct types', async () => {
    const built = readClientFiles('viewer/').names;
    expect(built.length).toBeGreaterThan(3);
    for (const [name, type] of [
      ...built.map((name) => [name, `text/${name.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`]),
      ['markdown-it.mjs', 'text/javascript; charset=utf-8'],
      ['pdf.min.mjs', 'text/javascript; charset=utf-8'],
      ['pdf.worker.min.mjs', 'text/javascript; charset=utf-8'],
      ['cmaps/UniJIS-UTF16-H.bcmap', 'application/octet-stream'],
      ['standard_fonts/FoxitSymbol.pfb', 'application/octet-stream'],
      ['wasm/jbig2.wasm', 'application/wasm'],
    ]) {
      const { status, headers } = await stranger.get(`/assets/viewer/${name}`, { 'accept-encoding': 'gzip' });
      expect([name, status, headers['content-type']]).toEqual([name, 200, type]);
      expect(headers).toMatchObject({ 'access-control-allow-origin': '*', 'content-encoding': 'gzip' });
    }
    for (const name of [
      'manifest.json',
      'pdf.sandbox.min.mjs',
      'cmaps/',
      'cmaps/..%2Fpackage.json',
      '..%2Ffiles.js',
      'owner.js',
    ]) {
      expect([name, (await stranger.get(`/assets/viewer/${name}`)).status]).toEqual([name, 404]);
    }
  });
});

// The last one: the server gets another port.
it('the viewer works below a prefix, too', async () => {
  await household.restart({ basePath: '/larder' });
  const visitor = await signedIn(OWNER.username, OWNER.password, '/larder');
  const { headers, text } = await view(visitor, 'a.pdf');
  const source = sourceIn({ text });
  expect(source).toMatch(/^\/larder\/files\/content\?/);
  expect((await content(`${visitor.origin}${source}`)).status).toBe(200);
  const places = `connect-src ${visitor.origin}/larder/files/content ${visitor.origin}/larder/assets/viewer/;`;
  expect(headers['content-security-policy']).toContain(places);
  for (const [, path = ''] of text.matchAll(/(?:src|href)="([^"]+)"/g)) {
    expect([path, (await stranger.get(`${visitor.origin}${path}`)).status]).toEqual([path, 200]);
  }
});
