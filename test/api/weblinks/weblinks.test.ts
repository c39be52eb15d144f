import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../dist/server/lib/clock.js';
import { localSeconds } from '../../../dist/server/lib/datetime.js';
import { t } from '../../../dist/server/messages/messages.js';
import { setPermissions } from '../../support/households/member.ts';
import { idOf, type LinkHousehold, openLinkHousehold, outcome } from '../../support/requests/links.ts';

const HOME = '/ROOT/HOME';
let household: LinkHousehold;
const olga = () => household.as('olga');

beforeAll(async () => {
  household = await openLinkHousehold();
});
afterAll(() => household.close());

describe('files/weblink', () => {
  it('makes one permanent link, and returns it when it is requested again', async () => {
    const box = await household.newBox();
    const path = `${HOME}/${box}/a.txt`;
    const first = await olga().post('files/weblink', { path });
    expect(first.body.data).toEqual({
      status: 'created',
      url: expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+\/wl\/\?id=[A-Za-z0-9]{32}$/),
      isdir: false,
      options_applied: true,
    });
    const again = await olga().get('files/weblink', { path, password: 'secret', download_limit: 3 });
    expect(again.body.data).toEqual({
      status: 'existing',
      url: first.body.data.url,
      isdir: false,
      options_applied: false,
    });
    const details = await household.details(`${HOME}/${box}`, 'a.txt');
    expect(details).toMatchObject({ password: false, download_limit: 0, downloads: 0 });
    const folder = await olga().post('files/weblink', { path: `${HOME}/${box}` });
    expect(folder.body.data).toMatchObject({ status: 'created', isdir: true });
  });

  it('makes new single-download and temporary links beside the permanent one', async () => {
    const box = await household.newBox();
    const path = `${HOME}/${box}/a.txt`;
    const ids = new Set<string>();
    for (const form of [{}, { singleDownload: 1 }, { singleDownload: 1 }, { temporary: 1 }, { temporary: 1 }]) {
      const reply = await olga().post('files/weblink', { path, ...form });
      expect(reply.body.data).toMatchObject({ status: 'created', options_applied: true });
      ids.add(idOf(reply));
    }
    expect(ids.size).toBe(5);
    expect((await olga().post('files/weblink', { path })).body.data.status).toBe('existing');
    // Neither of them changed or ended the others.
    for (const id of ids) expect((await household.visit(id, { fmode: 'download' })).text, id).toContain('content of');
    expect(await household.details(`${HOME}/${box}`, 'a.txt')).toMatchObject({ download_limit: 0, expiry: null });
  });

  it('opens a temporary link for 15 minutes, to the millisecond', async () => {
    const box = await household.newBox();
    const id = await household.link(`${HOME}/${box}/a.txt`, { temporary: 1 });
    household.clock.advance(15 * MINUTE - 5_000);
    expect((await household.visit(id, { fmode: 'download' })).text).toContain('content of');
    household.clock.advance(5_000);
    expect(outcome(await household.visit(id, { fmode: 'download' }))).toEqual([410, 'link_expired']);
    await household.signInAgain('olga');
  });

  it('opens until its expiry, and afterwards only reports that it has ended', async () => {
    const box = await household.newBox();
    const expiry = localSeconds(household.clock.now() + 30 * MINUTE);
    const id = await household.link(`${HOME}/${box}/a.txt`, { expiry });
    expect(await household.details(`${HOME}/${box}`, 'a.txt')).toMatchObject({ expiry });
    expect((await household.visit(id, { fmode: 'download' })).status).toBe(200);
    household.clock.advance(30 * MINUTE);
    const page = await household.visit(id, {}, { accept: 'text/html' });
    expect(page.status).toBe(410);
    expect(page.text).toContain(t('links.ended.heading'));
    for (const word of ['a.txt', box, 'olga', 'Olga']) expect(page.text).not.toContain(word);
    // Who asks for the link again gets one that opens, and not the old address.
    const fresh = await olga().post('files/weblink', { path: `${HOME}/${box}/a.txt` });
    expect(fresh.body.data.status).toBe('created');
    expect(idOf(fresh)).not.toBe(id);
    await household.signInAgain('olga');
  });

  it.each([
    ['an expiry that is over', { expiry: '2020-01-01 00:00:00' }, 'expiry'],
    ['an expiry that is no date', { expiry: 'tomorrow' }, 'expiry'],
    ['a limit below nothing', { download_limit: -1 }, 'download_limit'],
    ['a limit that is no number', { download_limit: 'many' }, 'download_limit'],
    ['uploads to a file', { allow_uploads: 1 }, 'allow_uploads'],
    ['a file request with downloads of a file', { allow_downloads: 1 }, 'allow_downloads'],
    ['a password of two thousand letters', { password: 'x'.repeat(2_000) }, 'password'],
    ['terms like a book', { download_terms: 'x'.repeat(30_000) }, 'download_terms'],
    ['a flag that is none', { notify: 'maybe' }, 'notify'],
  ])('refuses %s, and makes nothing', async (_name, form, parameter) => {
    const box = await household.newBox();
    const reply = await olga().post('files/weblink', { path: `${HOME}/${box}/a.txt`, ...form });
    expect(outcome(reply)).toEqual([400, 'invalid_parameter']);
    expect(reply.body.details).toEqual({ parameter });
    expect(await household.details(`${HOME}/${box}`, 'a.txt')).toBeUndefined();
  });

  it('refuses a home, a list, missing items, and accounts without the permission', async () => {
    expect(outcome(await olga().post('files/weblink', { path: HOME }))).toEqual([400, 'invalid_path']);
    expect(outcome(await olga().post('files/weblink', { path: '/STARRED' }))).toEqual([400, 'invalid_path']);
    expect(outcome(await olga().post('files/weblink', { path: `${HOME}/none` }))).toEqual([404, 'not_found']);
    const box = await household.newBox();
    await setPermissions(household, { olga: { weblink: false } });
    for (const operation of ['files/weblink', 'files/weblink/edit', 'files/unweblink']) {
      const reply = await olga().post(operation, { path: `${HOME}/${box}` });
      expect(outcome(reply)).toEqual([403, 'permission_denied']);
      expect(reply.body.details).toEqual({ permission: 'weblink' });
    }
    await setPermissions(household, { olga: { upload: false } });
    const request = { path: `${HOME}/${box}`, allow_uploads: 1 };
    expect(outcome(await olga().post('files/weblink', request))).toEqual([403, 'permission_denied']);
    await setPermissions(household, { olga: { download: false } });
    expect(outcome(await olga().post('files/weblink', { path: `${HOME}/${box}` }))).toEqual([403, 'permission_denied']);
    expect((await olga().post('files/weblink', request)).body.data.status).toBe('created');
    await setPermissions(household, { olga: {} });
  });
});

describe('files/weblink/edit', () => {
  it('changes only what is sent, and keeps the address', async () => {
    const box = await household.newBox();
    const path = `${HOME}/${box}`;
    const id = await household.link(path, {
      password: 'secret',
      download_limit: 5,
      notify: 1,
      download_terms: 'Be kind',
    });
    const expiry = localSeconds(household.clock.now() + DAY);
    const edited = await olga().post('files/weblink/edit', { path, expiry, allow_uploads: 1, force_save: 1 });
    expect(edited.body.data['weblink-full']).toMatchObject({
      ...{ id, password: true, download_limit: 5, downloads: 0, notify: true, download_terms: 'Be kind', expiry },
      ...{ allow_uploads: true, allow_downloads: false, force_save: true, require_login: false },
      ...{ show_comments: false, show_comments_names: false, show_metadata: false },
    });
    const none = { password: '', expiry: '', download_limit: '', download_terms: '', allow_uploads: 0, notify: 0 };
    const bare = await olga().post('files/weblink/edit', { path, ...none });
    expect(bare.body.data['weblink-full']).toMatchObject({
      ...{
        id,
        password: false,
        download_limit: 0,
        download_terms: '',
        expiry: null,
        allow_uploads: false,
        notify: false,
      },
    });
  });

  it('fails without a permanent link, and for options of other links', async () => {
    const box = await household.newBox();
    const path = `${HOME}/${box}/a.txt`;
    await household.link(path, { singleDownload: 1 });
    expect(outcome(await olga().post('files/weblink/edit', { path, notify: 1 }))).toEqual([409, 'no_weblink']);
    await household.link(path);
    const single = await olga().post('files/weblink/edit', { path, singleDownload: 1 });
    expect(outcome(single)).toEqual([400, 'invalid_parameter']);
    const uploads = await olga().post('files/weblink/edit', { path, allow_uploads: 1 });
    expect(outcome(uploads)).toEqual([400, 'invalid_parameter']);
  });
});

describe('files/unweblink', () => {
  it('ends all links of the item, and returns the id of the permanent one', async () => {
    const box = await household.newBox();
    const path = `${HOME}/${box}/a.txt`;
    const extra = await household.link(path, { singleDownload: 1 });
    const id = await household.link(path);
    const { body } = await olga().post('files/unweblink', { path });
    expect(body).toMatchObject({ success: true, weblinkid: id, data: { weblinkid: id } });
    for (const dead of [id, extra]) {
      expect(outcome(await household.visit(dead, { fmode: 'download' }))).toEqual([404, 'not_found']);
    }
    expect(outcome(await olga().post('files/unweblink', { path }))).toEqual([409, 'no_weblink']);
    expect((await olga().post('files/weblink', { path })).body.data.status).toBe('created');
  });
});

describe('listings', () => {
  const browse = async (path: string, ...details: string[]) =>
    (await olga().get('files/browse', { path, itemType: 'any', 'details[]': details })).body.data.files;

  it('report links by the three details, and list linked items under /LINKS', async () => {
    const box = await household.newBox();
    const path = `${HOME}/${box}`;
    const id = await household.link(`${path}/a.txt`, { download_limit: 2 });
    const [sub, file] = await browse(path, 'hasWebLink', 'weblink', 'weblink-full');
    expect(sub).toEqual({ filename: 'sub', is_dir: true, path: `${path}/sub`, hasWebLink: false });
    expect(file).toMatchObject({ hasWebLink: true, weblink: expect.stringContaining(`/wl/?id=${id}`) });
    expect(Object.keys(file['weblink-full']).sort()).toEqual(
      [
        ...['id', 'url', 'created', 'expiry', 'download_limit', 'downloads', 'password', 'allow_uploads'],
        ...['allow_downloads', 'force_save', 'show_comments', 'show_comments_names', 'show_metadata', 'notify'],
        ...['download_terms', 'require_login'],
      ].sort(),
    );
    const found = await olga().post('files/search', { path, filename: 'a.txt', 'details[]': 'weblink' });
    expect(found.body.data.files[0].weblink).toBe(file.weblink);
    const listed = await browse('/LINKS', 'weblink');
    expect(listed).toContainEqual({ filename: 'a.txt', is_dir: false, path: `${path}/a.txt`, weblink: file.weblink });
    expect((await browse('/ROOT')).map((entry: { path: string }) => entry.path)).toContain('/LINKS');
    const bens = await household.as('ben').get('files/browse', { path: '/LINKS', itemType: 'any' });
    expect(bens.body.data.files).toEqual([]);
  });

  it('list a temporary link only while it opens', async () => {
    const box = await household.newBox();
    const path = `${HOME}/${box}`;
    await household.link(`${path}/a.txt`, { temporary: 1 });
    const has = async () => (await browse(path, 'hasWebLink'))[1].hasWebLink;
    const isListed = async () =>
      (await browse('/LINKS')).some((entry: { path: string }) => entry.path === `${path}/a.txt`);
    expect([await has(), await isListed()]).toEqual([true, true]);
    household.clock.advance(HOUR / 2);
    expect([await has(), await isListed()]).toEqual([false, false]);
    await household.signInAgain('olga');
  });
});
