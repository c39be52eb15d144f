import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { homeOf, setPermissions } from '../../support/households/member.ts';
import { rowsOf } from '../../support/requests/activity.ts';
import { type LinkHousehold, openLinkHousehold, outcome } from '../../support/requests/links.ts';

const HOME = '/ROOT/HOME';
const DEAD = [404, 'not_found'];
let household: LinkHousehold;
const olga = () => household.as('olga');
const take = (id: string, path = '') => household.visit(id, { fmode: 'download', ...(path === '' ? {} : { path }) });

beforeAll(async () => {
  household = await openLinkHousehold();
});
afterAll(() => household.close());

async function linked(form: Record<string, string | number> = {}): Promise<{ box: string; id: string }> {
  const box = await household.newBox();
  return { box, id: await household.link(`${HOME}/${box}/a.txt`, form) };
}

describe('a web link', () => {
  it('follows its item through renames and moves, also by other programs', async () => {
    const { box, id } = await linked();
    await olga().post('files/rename', { path: `${HOME}/${box}/a.txt`, newName: 'renamed.txt' });
    expect((await take(id)).headers['content-disposition']).toContain('renamed.txt');
    await olga().post('files/rename', { path: `${HOME}/${box}`, newName: `${box} moved` });
    expect((await take(id)).status).toBe(200);
    await olga().post('files/move', { path: `${HOME}/${box} moved/renamed.txt`, moveTo: `${HOME}/${box} moved/sub` });
    expect((await take(id)).status).toBe(200);
    await rename(household.at(`${box} moved/sub/renamed.txt`), household.at(`${box} moved/by hand.txt`));
    await olga().get('files/browse', { path: `${HOME}/${box} moved`, itemType: 'any' });
    expect((await take(id)).headers['content-disposition']).toContain('by hand.txt');
  });

  it('is closed while its item is in the trash or removed by another program, and opens again when it returns', async () => {
    const { box, id } = await linked();
    const { body } = await olga().post('files/delete', { path: `${HOME}/${box}/a.txt` });
    expect(outcome(await take(id))).toEqual(DEAD);
    await olga().post('files/trash/restore', { path: body.data.trash_path });
    expect((await take(id)).status).toBe(200);
    // Another file of that name inherits nothing.
    await rm(household.at(`${box}/a.txt`));
    await olga().get('files/browse', { path: `${HOME}/${box}`, itemType: 'any' });
    expect(outcome(await take(id))).toEqual(DEAD);
    await olga().post('files/delete', { path: `${HOME}/${box}`, permanent: 1 });
    expect(outcome(await take(id))).toEqual(DEAD);
  });

  it('is closed while its maker lacks the required permissions', async () => {
    const { box, id } = await linked();
    const folder = await household.link(`${HOME}/${box}`, { allow_uploads: 1 });
    await setPermissions(household, { olga: { weblink: false } });
    expect(outcome(await take(id))).toEqual(DEAD);
    await setPermissions(household, { olga: { download: false } });
    expect(outcome(await take(id))).toEqual([403, 'permission_denied']);
    await setPermissions(household, { olga: { download_folders: false } });
    const whole = await household.link(`${HOME}/${box}/sub`);
    expect(outcome(await take(whole))).toEqual([403, 'permission_denied']);
    expect((await take(whole, '/b.txt')).status).toBe(200);
    expect((await household.visit(whole, {}, { accept: 'text/html' })).text).not.toContain(
      t('links.folder.downloadAll'),
    );
    await setPermissions(household, { olga: {} });
    expect((await take(id)).status).toBe(200);
    expect((await household.visit(folder, {}, { accept: 'text/html' })).status).toBe(200);
  });

  it('ends when an administrator deactivates its maker, and not when someone guesses the password', async () => {
    const { id } = await linked();
    for (let attempt = 0; attempt < 6; attempt += 1) {
      await household.api.token({
        ...{ grant_type: 'password', username: 'olga', password: `wrong ${attempt}`, scope: 'list' },
        ...{ client_id: household.clientId, client_secret: household.clientSecret },
      });
      household.clock.advance(20 * 60_000);
    }
    expect((await take(id)).status).toBe(200);
    await household.control('accounts.activate', { username: 'olga' });
    await household.control('accounts.update', { username: 'olga', activated: false });
    expect(outcome(await take(id))).toEqual(DEAD);
    await household.control('accounts.activate', { username: 'olga' });
    expect((await take(id)).status).toBe(200);
    for (const name of ['olga', 'ben', 'sam'] as const) await household.signInAgain(name);
  });

  it('ends with a move into another home', async () => {
    const { box, id } = await linked();
    const share = await household.as('ben').post('files/createfolder', { path: HOME, name: `for-${box}` });
    expect(share.status).toBe(200);
    const given = await household
      .as('ben')
      .post('files/share', { path: `${HOME}/for-${box}`, uid: household.ids.olga, upload: 1 });
    const to = `/ROOT/${household.ids.ben}/${given.body.data.shareid}`;
    expect((await olga().post('files/move', { path: `${HOME}/${box}/a.txt`, moveTo: to })).status).toBe(200);
    expect(outcome(await take(id))).toEqual(DEAD);
  });

  it('aborts a download when it is removed', async () => {
    const { box, id } = await linked();
    await writeFile(household.at(`${box}/a.txt`), Buffer.alloc(48 * 1024 * 1024));
    const { body } = await household.api.open('GET', `/wl/?id=${id}&fmode=download`);
    let bytes = 0;
    const before = household.logged().length;
    await olga().post('files/unweblink', { path: `${HOME}/${box}/a.txt` });
    await expect.poll(() => household.logged().slice(before)).toContain('a download ended early');
    const reading = (async () => {
      for await (const piece of body) bytes += piece.length;
    })();
    await expect(reading).rejects.toThrow();
    expect(bytes).toBeLessThan(48 * 1024 * 1024);
  });
});

describe('a link to a shared item', () => {
  it('requires the rights to share and to download, is closed while they are missing, and names nobody else', async () => {
    const box = await household.newBox();
    const uid = household.ids.ben;
    const id = await household.share(`${HOME}/${box}`, { uid, share: 1 });
    const path = `/ROOT/${household.ids.olga}/${id}/a.txt`;
    const made = await household.as('ben').post('files/weblink', { path });
    expect(made.body.data.status).toBe('created');
    const link = new URL(made.body.data.url).searchParams.get('id') ?? '';
    expect((await take(link)).text).toContain('content of');
    await household.share(`${HOME}/${box}`, { uid, share: 0 });
    expect(outcome(await take(link))).toEqual(DEAD);
    await household.share(`${HOME}/${box}`, { uid, share: 1, download: 0 });
    expect(outcome(await take(link))).toEqual(DEAD);
    await household.share(`${HOME}/${box}`, { uid, download: 1 });
    expect((await take(link)).status).toBe(200);
    // The owner sees it, and ends it.
    const query = { path: `${HOME}/${box}`, itemType: 'any', 'details[]': 'hasWebLink' };
    const seen = await olga().get('files/browse', query);
    expect(seen.body.data.files[1]).toMatchObject({ filename: 'a.txt', hasWebLink: true });
    expect((await olga().post('files/unweblink', { path: `${HOME}/${box}/a.txt` })).status).toBe(200);
    expect(outcome(await take(link))).toEqual(DEAD);
  });

  it('can be ended by its maker and by the owner only', async () => {
    const box = await household.newBox();
    const shares: Record<string, string> = {};
    for (const name of ['ben', 'sam'] as const) {
      const id = await household.share(`${HOME}/${box}`, { uid: household.ids[name], share: 1 });
      shares[name] = `/ROOT/${household.ids.olga}/${id}/a.txt`;
    }
    const made = await household.as('ben').post('files/weblink', { path: shares.ben ?? '' });
    const link = new URL(made.body.data.url).searchParams.get('id') ?? '';
    const sams = await household.as('sam').post('files/unweblink', { path: shares.sam ?? '' });
    expect(outcome(sams)).toEqual([409, 'no_weblink']);
    expect((await take(link)).status).toBe(200);
    const query = { path: `/ROOT/${household.ids.olga}/${shares.sam?.split('/')[3]}`, itemType: 'any' };
    const { body } = await household.as('sam').get('files/browse', { ...query, 'details[]': 'hasWebLink' });
    expect(body.data.files.every(({ hasWebLink }: { hasWebLink: boolean }) => !hasWebLink)).toBe(true);
  });
});

describe('the activity log', () => {
  it('records maker, rules and visitors of a link, but not its address', async () => {
    const box = await household.newBox();
    const path = `${HOME}/${box}/a.txt`;
    let id = '';
    const rows = await rowsOf(household, async () => {
      id = await household.link(path, { password: 'open sesame', download_limit: 4, download_terms: 'Only for you' });
      await olga().post('files/weblink/edit', { path, password: '', download_terms: '' });
      await take(id);
      await olga().post('files/unweblink', { path });
    });
    const told = rows.map(({ kind, group, channel, username, subject, details }) => [
      kind,
      group,
      channel,
      username,
      subject,
      details,
    ]);
    const number = rows[0]?.details.number;
    expect(told).toEqual([
      [
        'weblink.created',
        'sharing',
        'app',
        'olga',
        path,
        { link: 'standing', number, rules: ['password', 'download_limit', 'download_terms'] },
      ],
      ['weblink.changed', 'sharing', 'app', 'olga', path, { number, rules: ['download_limit'] }],
      ['file.downloaded', 'files', 'link', null, path, { of: 'olga', weblink: number }],
      ['weblink.removed', 'sharing', 'app', 'olga', path, { links: 1 }],
    ]);
    for (const secret of [id, 'open sesame', 'Only for you']) {
      expect(JSON.stringify(rows)).not.toContain(secret);
      expect(household.logged()).not.toContain(secret);
    }
  });
});

it('the log names no account for visitors who only enter a name', async () => {
  const { id } = await linked();
  const rows = await rowsOf(household, async () => {
    const pressed = await household.api.send('POST', `/wl/get?id=${id}`, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'all=1',
    });
    expect((await household.api.send('GET', `${pressed.headers.location}&as=1`)).status).toBe(200);
  });
  expect(rows.map(({ kind, username }) => [kind, username])).toEqual([['file.downloaded', null]]);
});

it('the log records views; a ticket derived from that of a page gives no content', async () => {
  const { box, id } = await linked();
  const page = await household.visit(id, {}, { accept: 'text/html' });
  const view = /src="([^"]*\/wl\/view[^"]*)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const rows = await rowsOf(household, async () => {
    expect((await household.api.send('GET', view)).text).toContain('content of');
  });
  expect(rows.map(({ kind, channel, subject }) => [kind, channel, subject])).toEqual([
    ['file.downloaded', 'link', `${HOME}/${box}/a.txt`],
  ]);
  expect((await household.api.send('GET', view.replace('/view?', '/content?'))).status).toBe(404);
  expect((await household.api.send('GET', `${view.replace('/view?', '/get?')}&turn=x`)).status).toBe(404);
});

describe('items outside of the link', () => {
  it('are not reached by symbolic links, by paths with dots, or through a replaced folder', async () => {
    const box = await household.newBox();
    await writeFile(household.at('secret.txt'), 'secret');
    await symlink(household.at('secret.txt'), household.at(`${box}/way.txt`));
    await symlink(homeOf(household, 'olga'), household.at(`${box}/home`));
    const id = await household.link(`${HOME}/${box}`);
    for (const path of [
      ...['/way.txt', '/home', '/home/secret.txt', '/../secret.txt', '/sub/../../secret.txt', '/%2e%2e/secret.txt'],
      ...[
        '/..%2fsecret.txt',
        '/sub/%2e%2e/%2e%2e/secret.txt',
        '//../secret.txt',
        '/./../secret.txt',
        '/sub/\u2025/secret.txt',
      ],
      ...[
        `/${HOME}/secret.txt`,
        '/ROOT/HOME/secret.txt',
        `/../../${box}/../secret.txt`,
        '/a.txt/../../secret.txt',
        '/..\\secret.txt',
      ],
    ]) {
      for (const query of [{ fmode: 'download' }, { fmode: 'open' }, {}, { mode: 'list' }] as Record<
        string,
        string
      >[]) {
        const reply = await household.visit(id, { ...query, path });
        expect([400, 404], `${path} ${JSON.stringify(query)}`).toContain(reply.status);
        expect(reply.text).not.toContain('secret\n');
        const raw = await household.api.send(
          'GET',
          `/wl/?id=${id}&path=${path.replaceAll(' ', '%20')}&fmode=download`
            .replaceAll('\\', '%5c')
            .replaceAll('\u2025', '%e2%80%a5'),
        );
        expect([400, 404], `raw ${path}`).toContain(raw.status);
      }
    }
    const zip = await take(id);
    expect(zip.text).not.toContain('secret');
    await rename(household.at(`${box}/sub`), household.at(`${box}/was`));
    await symlink(homeOf(household, 'olga'), household.at(`${box}/sub`));
    expect(outcome(await take(id, '/sub/secret.txt'))).toEqual(DEAD);
  });

  it('are treated alike: missing, never existing, or of others', async () => {
    const { box, id } = await linked();
    await mkdir(household.at(`${box}/real`), { recursive: true });
    const unknown = 'A'.repeat(32);
    const gone = await household.visit(unknown, {}, { accept: 'text/html' });
    await olga().post('files/unweblink', { path: `${HOME}/${box}/a.txt` });
    const ended = await household.visit(id, {}, { accept: 'text/html' });
    expect([gone.status, ended.status]).toEqual([404, 404]);
    expect(ended.text.replaceAll(id, unknown)).toBe(gone.text);
    for (const odd of ['', 'x', `${unknown}A`, `${'A'.repeat(31)}_`, '../../etc', "' OR 1=1 --", `${unknown}%00`]) {
      expect((await household.visit(odd)).status).toBe(404);
    }
  });
});
