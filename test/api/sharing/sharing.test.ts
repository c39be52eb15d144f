import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listed, openSharingHousehold, outcome, type SharingHousehold } from '../../support/requests/sharing.ts';

let household: SharingHousehold;
beforeAll(async () => {
  household = await openSharingHousehold();
});
afterAll(() => household.close());

const HOME = '/ROOT/HOME';
/** A folder of Olga's that no other test has. */
let box: string;
beforeEach(async () => {
  box = await household.newBox();
});

const olga = () => household.as('olga');
const ben = () => household.as('ben');

describe('files/share', () => {
  it('shares a folder with a user, who finds it and its contents', async () => {
    const { olga: uid, ben: to } = household.ids;
    const reply = await olga().post('files/share', { path: `${HOME}/${box}`, uid: to });
    expect(reply.status).toBe(200);
    const { shareid } = reply.body.data;
    expect(reply.body.data).toEqual({ shareid, uid: to });
    expect(listed(await ben().get('files/browse', { path: '/ROOT/SHARED' }))).toContainEqual(['Mia', `/ROOT/${uid}`]);
    const sharer = await ben().get('files/browse', { path: `/ROOT/${uid}` });
    expect(listed(sharer)).toContainEqual([box, `/ROOT/${uid}/${shareid}`]);
    expect(sharer.body.data.meta).toMatchObject({ parentPath: '/ROOT/SHARED', folderName: 'Mia' });
    const base = `/ROOT/${uid}/${shareid}`;
    const inside = await ben().get('files/browse', { path: base });
    expect(listed(inside)).toEqual([
      ['sub', `${base}/sub`],
      ['a.txt', `${base}/a.txt`],
    ]);
    expect(inside.body.data.meta).toMatchObject({
      path: base,
      parentPath: `/ROOT/${uid}`,
      folderName: box,
      perms: { upload: false, download: true, alter: false },
    });
    const deeper = await ben().get('files/browse', { path: `${base}/sub` });
    expect(deeper.body.data.meta).toMatchObject({ path: `${base}/sub`, parentPath: base, folderName: 'sub' });
    expect((await ben().get('files/download', { path: `${base}/sub/b.txt` })).text).toBe(`content of ${box}/sub/b.txt`);
    const all = await ben().get('files/browse', { path: base, recursive: '1' });
    expect(listed(all).map(([, path]) => path)).toEqual([`${base}/sub`, `${base}/sub/b.txt`, `${base}/a.txt`]);
  });

  it('shares a file, which is read and overwritten under the path of the share', async () => {
    const id = await household.share(`${HOME}/${box}/a.txt`, { uid: household.ids.ben, upload: 1, alter: 1 });
    const path = `/ROOT/${household.ids.olga}/${id}`;
    expect((await ben().get('files/download', { path })).headers['content-disposition']).toContain('a.txt');
    expect(await outcome(await ben().get('files/browse', { path }))).toEqual([404, 'not_found']);
    expect(outcome(await ben().get('files/browse', { path: `${path}/x` }))).toEqual([404, 'not_found']);
    const put = await ben().put({ path }, 'from Ben');
    expect([put.status, put.body.data]).toEqual([
      200,
      expect.objectContaining({ path, filename: 'a.txt', version: 2 }),
    ]);
    expect(await readFile(household.at(`${box}/a.txt`), 'utf8')).toBe('from Ben');
    expect(outcome(await ben().post('files/rename', { path, newName: 'c.txt' }))).toEqual([400, 'invalid_path']);
    expect(outcome(await ben().post('files/delete', { path }))).toEqual([400, 'invalid_path']);
    expect(outcome(await ben().put({ filePath: `${path}/deep/c.txt` }, 'x'))).toEqual([404, 'not_found']);
  });

  it('shares with a group: new members get it, former members lose it', async () => {
    const id = await household.share(`${HOME}/${box}`, { gid: household.family });
    const path = `/ROOT/${household.ids.olga}/${id}`;
    const of = async (person: 'gil' | 'sam') => (await household.as(person).get('files/browse', { path })).status;
    expect([await of('gil'), await of('sam')]).toEqual([200, 404]);
    const { gil, sam } = household.ids;
    await household.control('groups.setMembers', { id: household.family, accountIds: [sam] });
    expect([await of('gil'), await of('sam')]).toEqual([404, 200]);
    await household.control('groups.setMembers', { id: household.family, accountIds: [gil] });
    expect([await of('gil'), await of('sam')]).toEqual([200, 404]);
  });

  it('changes an existing share, and keeps omitted properties (§3, §8.5)', async () => {
    const path = `${HOME}/${box}`;
    const id = await household.share(path, { uid: household.ids.ben, upload: 1, download: 0 });
    expect(await household.share(path, { uid: household.ids.ben, alter: 1 })).toBe(id);
    const { meta } = (await ben().get('files/browse', { path: `/ROOT/${household.ids.olga}/${id}` })).body.data;
    expect(meta.perms).toEqual({ upload: true, download: false, alter: true });
    expect(await household.share(path, { uid: household.ids.ben, upload: 0, download: 1, alter: 0 })).toBe(id);
    const again = (await ben().get('files/browse', { path: `/ROOT/${household.ids.olga}/${id}` })).body.data;
    expect(again.meta.perms).toEqual({ upload: false, download: true, alter: false });
  });

  it('combines the rights of shares by user and by group', async () => {
    const path = `${HOME}/${box}`;
    const { olga: owner, gil } = household.ids;
    const byUser = await household.share(path, { uid: gil, upload: 1, download: 0 });
    const byGroup = await household.share(path, { gid: household.family, alter: 1 });
    const entries = listed(await household.as('gil').get('files/browse', { path: `/ROOT/${owner}` }));
    expect(entries.filter(([name]) => name === box)).toEqual([[box, `/ROOT/${owner}/${byUser}`]]);
    for (const id of [byUser, byGroup]) {
      const { meta } = (await household.as('gil').get('files/browse', { path: `/ROOT/${owner}/${id}` })).body.data;
      expect(meta.perms, String(id)).toEqual({ upload: true, download: true, alter: true });
    }
    await olga().post('files/unshare', { path, uid: gil });
    const left = await household.as('gil').get('files/browse', { path: `/ROOT/${owner}/${byGroup}` });
    expect(left.body.data.meta.perms).toEqual({ upload: false, download: true, alter: true });
    expect((await household.as('gil').get('files/browse', { path: `/ROOT/${owner}/${byUser}` })).status).toBe(404);
  });

  it('shows an alias instead of the name, everywhere', async () => {
    const id = await household.share(`${HOME}/${box}`, { uid: household.ids.ben, alias: 'Ours' });
    const base = `/ROOT/${household.ids.olga}/${id}`;
    expect(listed(await ben().get('files/browse', { path: `/ROOT/${household.ids.olga}` }))).toContainEqual([
      'Ours',
      base,
    ]);
    expect((await ben().get('files/browse', { path: base })).body.data.meta.folderName).toBe('Ours');
    expect((await ben().get('files/download', { path: base })).headers['content-disposition']).toContain('Ours.zip');
    const copied = await ben().post('files/copy', { path: base, copyTo: HOME });
    expect(copied.body.data).toEqual({ path: `${HOME}/Ours` });
    expect(JSON.stringify((await ben().get('files/browse', { path: base, recursive: '1' })).body)).not.toContain(box);
    await household.share(`${HOME}/${box}`, { uid: household.ids.ben, alias: '' });
    expect((await ben().get('files/browse', { path: base })).body.data.meta.folderName).toBe(box);
  });

  it('numbers equal aliases', async () => {
    await household.put(`${box}/other/`);
    await household.share(`${HOME}/${box}`, { uid: household.ids.sam, alias: 'Same' });
    await household.share(`${HOME}/${box}/other`, { uid: household.ids.sam, alias: 'same' });
    const names = listed(await household.as('sam').get('files/browse', { path: `/ROOT/${household.ids.olga}` }));
    expect(names.map(([name]) => name)).toEqual(expect.arrayContaining(['Same', 'same (2)']));
  });

  it.each([
    [{}, 400, 'missing_parameter'],
    [{ name: 'Gran' }, 400, 'missing_parameter'],
    [{ email: 'gran@example.net' }, 400, 'missing_parameter'],
    [{ uid: 999_999 }, 400, 'invalid_parameter'],
    [{ gid: 999_999 }, 400, 'invalid_parameter'],
    [{ uid: 'ben' }, 400, 'invalid_parameter'],
    [{ uid: -1 }, 400, 'invalid_parameter'],
    [{ name: 'Gran', email: 'gran' }, 400, 'invalid_parameter'],
    [{ name: 'Gran', email: 'gran@example.net\r\nBcc: all@example.net' }, 400, 'invalid_parameter'],
    [{ name: 'Gran\r\nBcc: all@example.net', email: 'gran@example.net' }, 400, 'invalid_parameter'],
    [{ name: '  ', email: 'gran@example.net' }, 400, 'invalid_parameter'],
    [{ uid: 2, download: 'perhaps' }, 400, 'invalid_parameter'],
    [{ uid: 2, alias: '<b>Ours</b>' }, 400, 'invalid_parameter'],
    [{ uid: 2, alias: '../up' }, 400, 'invalid_parameter'],
    [{ uid: 2, alias: '..' }, 400, 'invalid_parameter'],
  ])('refuses %j and shares nothing', async (form, status, code) => {
    const path = `${HOME}/${box}`;
    expect(outcome(await olga().post('files/share', { path, ...form }))).toEqual([status, code]);
    const { files } = (await olga().get('files/browse', { path: HOME, 'details[]': 'isShared' })).body.data;
    expect(files.find(({ filename }: { filename: string }) => filename === box).isShared).toBe(false);
  });

  it('refuses oneself, an alias of a file, the home, lists, and missing items', async () => {
    const { olga: own, ben: uid } = household.ids;
    const share = async (form: Record<string, string | number>) => outcome(await olga().post('files/share', form));
    expect(await share({ path: `${HOME}/${box}`, uid: own })).toEqual([400, 'invalid_parameter']);
    expect(await share({ path: `${HOME}/${box}/a.txt`, uid, alias: 'A' })).toEqual([400, 'invalid_parameter']);
    expect(await share({ path: HOME, uid })).toEqual([400, 'invalid_path']);
    expect(await share({ path: '/STARRED', uid })).toEqual([400, 'invalid_path']);
    expect(await share({ path: `${HOME}/nothing`, uid })).toEqual([404, 'not_found']);
  });

  it('refuses accounts that the sharer may not see', async () => {
    await household.control('accounts.add', { username: 'una', password: 'correct horse battery', name: 'Una' });
    const { accounts } = (await household.control('accounts.list')) as { accounts: { id: number; username: string }[] };
    const una = accounts.find(({ username }) => username === 'una')?.id ?? 0;
    const see = (list: string) =>
      household.control('accounts.update', { username: 'olga', permissions: { users_may_see: list } });
    const to = async (form: Record<string, number>) => {
      const reply = await olga().post('files/share', { path: `${HOME}/${box}`, ...form });
      return reply.status === 200 ? 200 : reply.body.error;
    };
    try {
      await see(`u${household.ids.ben}`);
      expect(await to({ uid: household.ids.ben })).toBe(200);
      expect(await to({ uid: una })).toBe(await to({ uid: 999_999 }));
      expect(await to({ gid: household.family })).toBe(await to({ gid: 999_999 }));
      await see(`g${household.family}`);
      expect(await to({ gid: household.family })).toBe(200);
      expect(await to({ uid: household.ids.gil })).toBe(200);
      expect(await to({ uid: una })).not.toBe(200);
    } finally {
      await see('-ALL-');
    }
    expect(await to({ uid: una })).toBe(200);
  });
});

describe('files/unshare', () => {
  it('ends a share for that user or group only', async () => {
    const path = `${HOME}/${box}`;
    const { olga: owner, ben: uid } = household.ids;
    const id = await household.share(path, { uid });
    const other = await household.share(path, { gid: household.family });
    const reply = await olga().post('files/unshare', { path, uid });
    expect([reply.status, reply.body]).toEqual([200, { success: true, error: false, data: {} }]);
    expect((await ben().get('files/browse', { path: `/ROOT/${owner}/${id}` })).status).toBe(404);
    expect((await household.as('gil').get('files/browse', { path: `/ROOT/${owner}/${other}` })).status).toBe(200);
    expect((await olga().post('files/unshare', { path, gid: household.family })).status).toBe(200);
    expect((await household.as('gil').get('files/browse', { path: `/ROOT/${owner}/${other}` })).status).toBe(404);
    // Never given again: whoever kept the path reaches nothing of what is shared next.
    expect(await household.share(path, { uid })).toBeGreaterThan(other);
  });

  it('fails if nothing is shared with the user or group (§3, §8.4)', async () => {
    const path = `${HOME}/${box}`;
    const { ben: uid, sam } = household.ids;
    const unshare = async (form: Record<string, string | number>) => outcome(await olga().post('files/unshare', form));
    expect(await unshare({ path, uid })).toEqual([409, 'not_shared']);
    await household.share(path, { uid });
    expect(await unshare({ path, uid: sam })).toEqual([409, 'not_shared']);
    expect(await unshare({ path, gid: household.family })).toEqual([409, 'not_shared']);
    expect(await unshare({ path: `${path}/sub`, uid })).toEqual([409, 'not_shared']);
    expect(await unshare({ path })).toEqual([400, 'missing_parameter']);
    expect(await unshare({ path: `${HOME}/nothing`, uid })).toEqual([404, 'not_found']);
    expect(await unshare({ path, uid })).toEqual([200, undefined]);
    expect(await unshare({ path, uid })).toEqual([409, 'not_shared']);
  });
});

describe('a shared item', () => {
  it('is marked for its owner: /SHARES, isShared', async () => {
    await household.share(`${HOME}/${box}`, { uid: household.ids.ben });
    await household.share(`${HOME}/${box}`, { gid: household.family });
    await household.share(`${HOME}/${box}/a.txt`, { gid: household.family });
    const shares = await olga().get('files/browse', { path: '/SHARES' });
    const own = listed(shares).filter(([, path]) => path.includes(`/${box}`));
    expect(own).toEqual([
      [box, `${HOME}/${box}`],
      ['a.txt', `${HOME}/${box}/a.txt`],
    ]);
    expect(listed(await olga().get('files/browse', { path: '/ROOT/SHARES' }))).toEqual(listed(shares));
    const { files } = (await olga().get('files/browse', { path: `${HOME}/${box}`, 'details[]': 'isShared' })).body.data;
    expect(files.map((file: { isShared: boolean }) => file.isShared)).toEqual([false, true]);
    expect(listed(await ben().get('files/browse', { path: '/SHARES' }))).toEqual([]);
  });

  it('shows recipients its owner, but not other recipients', async () => {
    const id = await household.share(`${HOME}/${box}`, { uid: household.ids.ben });
    await household.share(`${HOME}/${box}/a.txt`, { gid: household.family });
    const path = `/ROOT/${household.ids.olga}/${id}`;
    const { files } = (await ben().get('files/browse', { path, 'details[]': 'isShared' })).body.data;
    expect(files.map((file: { isShared: boolean }) => file.isShared)).toEqual([false, false]);
  });

  it('is searched, starred and listed among photos and music for recipients', async () => {
    await household.put(`${box}/pic.jpg`, `${box}/sub/song.mp3`, `${box}/secret word.txt`);
    await writeFile(household.at(`${box}/notes.txt`), 'the zanzibar treaty');
    const id = await household.share(`${HOME}/${box}`, { uid: household.ids.ben });
    const base = `/ROOT/${household.ids.olga}/${id}`;
    await ben().get('files/browse', { path: base, recursive: '1' });
    for (const path of [base, `${base}/sub`]) await ben().get('files/browse', { path });
    const found = await ben().post('files/search', { path: base, filename: 'song' });
    expect(listed(found)).toEqual([['song.mp3', `${base}/sub/song.mp3`]]);
    expect(found.body.data.meta).toMatchObject({ path: base, parentPath: `/ROOT/${household.ids.olga}` });
    expect(listed(await ben().get('files/browse', { path: '/PHOTOS' }))).toContainEqual(['pic.jpg', `${base}/pic.jpg`]);
    const music = listed(await ben().get('files/browse', { path: '/MUSIC' }));
    expect(music).toContainEqual(['song.mp3', `${base}/sub/song.mp3`]);
    for (const path of [base, `${base}/sub/song.mp3`]) {
      expect((await ben().post('files/star', { path })).status).toBe(200);
    }
    const starred = listed(await ben().get('files/browse', { path: '/STARRED' }));
    expect(starred).toEqual([
      [box, base],
      ['song.mp3', `${base}/sub/song.mp3`],
    ]);
    await olga().post('files/unshare', { path: `${HOME}/${box}`, uid: household.ids.ben });
    for (const path of ['/RECENT', '/STARRED', '/PHOTOS', '/MUSIC']) {
      expect(listed(await ben().get('files/browse', { path })).filter(([, one]) => one.startsWith(base))).toEqual([]);
    }
  });
});
