import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setPermissions } from '../../support/households/member.ts';
import { listed, openSharingHousehold, outcome, type SharingHousehold } from '../../support/requests/sharing.ts';

let household: SharingHousehold;
beforeAll(async () => {
  household = await openSharingHousehold();
  for (const [username, name, lastName] of [
    ['olga', 'Olga', 'Ohm'],
    ['ben', 'Ben', 'Bell'],
  ]) {
    await household.control('accounts.update', { username, name, lastName });
  }
});
afterAll(() => household.close());

const HOME = '/ROOT/HOME';
let box: string;
beforeEach(async () => {
  box = await household.newBox();
});

const olga = () => household.as('olga');
const ben = () => household.as('ben');
const sam = () => household.as('sam');
const EVERYTHING = { upload: 1, download: 1, comment: 1, read_comments: 1, alter: 1, share: 1 };

describe('an anonymous share', () => {
  it('is listed separately in /ROOT/SHARED, without an owner', async () => {
    const id = await household.share(`${HOME}/${box}`, { uid: household.ids.ben, anonymous: 1, alias: 'Found' });
    const shared = await ben().get('files/browse', { path: '/ROOT/SHARED' });
    expect(listed(shared)).toContainEqual(['Found', `/ROOT/0/${id}`]);
    const inside = await ben().get('files/browse', { path: `/ROOT/0/${id}` });
    expect(inside.body.data.meta).toMatchObject({ parentPath: '/ROOT/SHARED', folderName: 'Found' });
    for (const path of [`/ROOT/${household.ids.olga}/${id}`, `/ROOT/${household.ids.olga}`, '/ROOT/0']) {
      expect(outcome(await ben().get('files/browse', { path })), path).toEqual([404, 'not_found']);
    }
  });

  it('never reveals the name of its owner', async () => {
    const id = await household.share(`${HOME}/${box}`, { uid: household.ids.ben, anonymous: 1, ...EVERYTHING });
    const base = `/ROOT/0/${id}`;
    await olga().put({ path: `${HOME}/${box}/a.txt` }, 'by Olga');
    await ben().put({ path: `${base}/a.txt` }, 'by Ben');
    await olga().post('files/lock', { path: `${HOME}/${box}/sub/b.txt` });
    const details = ['uuid', 'isLocked', 'isShared', 'version', 'description']
      .map((key) => `details[]=${key}`)
      .join('&');
    const replies = [
      await ben().get('files/browse', { path: '/ROOT/SHARED' }),
      await ben().send('GET', `/api.php/files/browse?path=${base}&recursive=1&${details}`),
      await ben().get('files/versions/list', { path: `${base}/a.txt` }),
      await ben().put({ path: `${base}/sub/b.txt` }, 'locked'),
      await ben().post('files/delete', { path: `${base}/sub` }),
      await ben().post('files/unlock', { path: `${base}/sub/b.txt` }),
      await ben().post('files/search', { path: base, filename: 'a' }),
      await ben().post('files/share', { path: base, uid: household.ids.sam }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 423, 423, 423, 200, 200]);
    for (const { text } of replies) expect(text).not.toMatch(/olga|ohm/i);
    const { versions } = replies[2]?.body.data ?? {};
    expect(versions.map(({ by }: { by: string }) => by)).toEqual(['Ben Bell', null, null]);
    // Named, it is told.
    await household.share(`${HOME}/${box}`, { uid: household.ids.ben, anonymous: 0 });
    const named = await ben().put({ path: `/ROOT/${household.ids.olga}/${id}/sub/b.txt` }, 'x');
    expect(named.body.details.by).toBe('Olga Ohm');
  });

  it('can become a named one at once, and vice versa', async () => {
    const share = (anonymous: number) => household.share(`${HOME}/${box}`, { uid: household.ids.ben, anonymous });
    const id = await share(1);
    const status = async (who: number) => (await ben().get('files/browse', { path: `/ROOT/${who}/${id}` })).status;
    expect([await status(0), await status(household.ids.olga)]).toEqual([200, 404]);
    expect(await share(0)).toBe(id);
    expect([await status(0), await status(household.ids.olga)]).toEqual([404, 200]);
  });
});

describe('sharing further', () => {
  /** Olga to Ben, Ben to Sam. @returns the paths of both for those who have them */
  async function chain(first: object, second: object): Promise<{ bens: string; sams: string; samsId: number }> {
    const bensId = await household.share(`${HOME}/${box}`, { uid: household.ids.ben, ...first });
    const bens = `/ROOT/${'anonymous' in first ? 0 : household.ids.olga}/${bensId}`;
    const reply = await ben().post('files/share', { path: `${bens}/sub`, uid: household.ids.sam, ...second });
    expect(outcome(reply)).toEqual([200, undefined]);
    const samsId = reply.body.data.shareid;
    return { bens, sams: `/ROOT/${household.ids.ben}/${samsId}`, samsId };
  }

  const perms = async (path: string) => (await sam().get('files/browse', { path })).body.data?.meta.perms ?? null;

  it('requires the right to share, and grants no more rights than the sharer has', async () => {
    const { sams } = await chain({ share: 1, download: 1 }, { ...EVERYTHING });
    expect(await perms(sams)).toEqual({ upload: false, download: true, alter: false });
    await household.share(`${HOME}/${box}`, { uid: household.ids.ben, upload: 1 });
    expect(await perms(sams)).toEqual({ upload: true, download: true, alter: false });
    await household.share(`${HOME}/${box}`, { uid: household.ids.ben, upload: 0, download: 0 });
    expect(await perms(sams)).toEqual({ upload: false, download: false, alter: false });
  });

  it('is refused without that right', async () => {
    const id = await household.share(`${HOME}/${box}`, { uid: household.ids.ben, upload: 1, alter: 1 });
    const path = `/ROOT/${household.ids.olga}/${id}`;
    const reply = await ben().post('files/share', { path, uid: household.ids.sam });
    expect([...outcome(reply), reply.body.details]).toEqual([403, 'permission_denied', { permission: 'share' }]);
  });

  it('ends when the right is removed, and is restored with it', async () => {
    const { sams } = await chain(EVERYTHING, {});
    await household.share(`${HOME}/${box}`, { uid: household.ids.ben, share: 0 });
    expect(await perms(sams)).toBeNull();
    await household.share(`${HOME}/${box}`, { uid: household.ids.ben, share: 1 });
    expect(await perms(sams)).not.toBeNull();
  });

  it('ends permanently with the share it derives from', async () => {
    const { sams } = await chain(EVERYTHING, {});
    await olga().post('files/unshare', { path: `${HOME}/${box}`, uid: household.ids.ben });
    expect(await perms(sams)).toBeNull();
    await household.share(`${HOME}/${box}`, { uid: household.ids.ben, ...EVERYTHING });
    expect(await perms(sams)).toBeNull();
  });

  it('ends when the item is moved out of the shared folder', async () => {
    const { sams } = await chain(EVERYTHING, {});
    await olga().post('files/move', { path: `${HOME}/${box}/sub`, moveTo: HOME });
    expect(await perms(sams)).toBeNull();
    await olga().post('files/move', { path: `${HOME}/sub`, moveTo: `${HOME}/${box}` });
    expect(await perms(sams)).not.toBeNull();
  });

  it('is limited by the permissions of the person who shares further', async () => {
    const { sams } = await chain(EVERYTHING, EVERYTHING);
    try {
      await setPermissions(household, { ben: { readonly: true } });
      expect(await perms(sams)).toEqual({ upload: false, download: true, alter: false });
      await setPermissions(household, { ben: { share: false } });
      expect(await perms(sams)).toBeNull();
    } finally {
      await setPermissions(household, { ben: {} });
    }
  });

  it('through a group ends for those who leave it', async () => {
    await household.control('groups.setMembers', { id: household.family, accountIds: [household.ids.ben] });
    const id = await household.share(`${HOME}/${box}`, { gid: household.family, ...EVERYTHING });
    const path = `/ROOT/${household.ids.olga}/${id}`;
    const { shareid } = (await ben().post('files/share', { path, uid: household.ids.sam })).body.data;
    const sams = `/ROOT/${household.ids.ben}/${shareid}`;
    expect(await perms(sams)).not.toBeNull();
    await household.control('groups.setMembers', { id: household.family, accountIds: [household.ids.gil] });
    expect(await perms(sams)).toBeNull();
  });

  it('also hides an anonymous owner from the next recipient', async () => {
    const { sams } = await chain({ ...EVERYTHING, anonymous: 1 }, EVERYTHING);
    await olga().post('files/lock', { path: `${HOME}/${box}/sub/b.txt` });
    const locked = await sam().put({ path: `${sams}/b.txt` }, 'x');
    expect(outcome(locked)).toEqual([423, 'locked']);
    expect(locked.text).not.toMatch(/olga|ohm/i);
  });

  it('can be seen and ended by the owner', async () => {
    const { sams, samsId } = await chain(EVERYTHING, {});
    const { files } = (await olga().get('files/browse', { path: `${HOME}/${box}`, 'details[]': 'isShared' })).body.data;
    expect(files[0]).toMatchObject({ filename: 'sub', isShared: true });
    expect(listed(await ben().get('files/browse', { path: '/SHARES' })).map(([name]) => name)).toContain('sub');
    const path = `${HOME}/${box}/sub`;
    expect(outcome(await olga().post('files/unshare', { path, uid: household.ids.sam }))).toEqual([200, undefined]);
    expect(await perms(sams)).toBeNull();
    expect(samsId).toBeGreaterThan(0);
  });

  it('back to its owner changes nothing, and creates no cycles', async () => {
    const { bens, sams } = await chain(EVERYTHING, EVERYTHING);
    const back = await sam().post('files/share', { path: sams, uid: household.ids.ben, ...EVERYTHING });
    expect(back.status).toBe(200);
    const again = `/ROOT/${household.ids.sam}/${back.body.data.shareid}`;
    const round = await ben().post('files/share', { path: again, uid: household.ids.sam, ...EVERYTHING });
    expect(round.status).toBe(200);
    const home = await sam().post('files/share', { path: sams, uid: household.ids.olga });
    expect(home.status).toBe(200);
    expect(listed(await olga().get('files/browse', { path: '/ROOT/SHARED' }))).toEqual([]);
    expect((await ben().get('files/browse', { path: again })).status).toBe(200);
    await olga().post('files/unshare', { path: `${HOME}/${box}`, uid: household.ids.ben });
    for (const path of [bens, again]) expect((await ben().get('files/browse', { path })).status).toBe(404);
    expect(await perms(sams)).toBeNull();
  });
});

describe('an item that moves from one person to another', () => {
  const uuidOf = async (api: ReturnType<typeof ben>, path: string, name: string) => {
    const { files } = (await api.get('files/browse', { path, 'details[]': ['uuid', 'isShared'] })).body.data;
    return files.find(({ filename }: { filename: string }) => filename === name);
  };

  it('belongs to its new owner, counts for their quota, and is no longer shared', async () => {
    const id = await household.share(`${HOME}/${box}`, { uid: household.ids.ben, ...EVERYTHING });
    const sub = await household.share(`${HOME}/${box}/sub`, { uid: household.ids.sam, ...EVERYTHING });
    const path = `/ROOT/${household.ids.olga}/${id}`;
    const before = await uuidOf(ben(), path, 'sub');
    const moved = await ben().post('files/move', { path: `${path}/sub`, moveTo: HOME });
    expect([moved.status, moved.body.data]).toEqual([200, { path: `${HOME}/sub` }]);
    const after = await uuidOf(ben(), HOME, 'sub');
    expect([after.uuid, after.isShared]).toEqual([before.uuid, false]);
    const gone = `/ROOT/${household.ids.olga}/${sub}`;
    expect((await sam().get('files/browse', { path: gone })).status).toBe(404);
    expect((await olga().get('files/browse', { path: `${HOME}/${box}/sub` })).status).toBe(404);
    // And back: it is Olga's again, in what she shares with Ben, and nothing comes to Sam by itself.
    const back = await ben().post('files/move', { path: `${HOME}/sub`, moveTo: path });
    expect(back.body.data).toEqual({ path: `${path}/sub` });
    expect((await uuidOf(olga(), `${HOME}/${box}`, 'sub')).uuid).toBe(before.uuid);
    expect((await sam().get('files/browse', { path: gone })).status).toBe(404);
  });

  it('replaces nothing if only uploads are allowed', async () => {
    const id = await household.share(`${HOME}/${box}`, { uid: household.ids.ben, upload: 1 });
    const path = `/ROOT/${household.ids.olga}/${id}`;
    await ben().put({ path: `${HOME}/a.txt` }, 'from Ben');
    const move = (overwrite: number) => ben().post('files/move', { path: `${HOME}/a.txt`, moveTo: path, overwrite });
    expect(outcome(await move(0))).toEqual([409, 'already_exists']);
    expect(outcome(await move(1))).toEqual([403, 'permission_denied']);
    expect((await olga().get('files/download', { path: `${HOME}/${box}/a.txt` })).text).toBe(`content of ${box}/a.txt`);
    await household.share(`${HOME}/${box}`, { uid: household.ids.ben, alter: 1 });
    expect((await move(1)).status).toBe(200);
    expect((await olga().get('files/download', { path: `${HOME}/${box}/a.txt` })).text).toBe('from Ben');
  });
});
