import { randomBytes } from 'node:crypto';
import { readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { homeOf, setPermissions } from '../../support/households/member.ts';
import { listed, openSharingHousehold, outcome, type SharingHousehold } from '../../support/requests/sharing.ts';
import { eventually } from '../../support/system/eventually.ts';

let household: SharingHousehold;
beforeAll(async () => {
  household = await openSharingHousehold();
});
afterAll(() => household.close());

const HOME = '/ROOT/HOME';
let box: string;
beforeEach(async () => {
  box = await household.newBox();
});

const olga = () => household.as('olga');
const ben = () => household.as('ben');
const EVERYTHING = { upload: 1, download: 1, comment: 1, read_comments: 1, alter: 1, share: 1 };

/** Olga shares the folder of the test with Ben. @returns its path for him */
async function shared(form: Record<string, string | number> = EVERYTHING): Promise<string> {
  const id = await household.share(`${HOME}/${box}`, { uid: household.ids.ben, ...form });
  return `/ROOT/${household.ids.olga}/${id}`;
}

const reaches = async (path: string) => (await ben().get('files/browse', { path })).status;

describe('a share', () => {
  it('follows its folder through renames and moves', async () => {
    const path = await shared();
    await household.put('elsewhere/');
    await olga().post('files/rename', { path: `${HOME}/${box}`, newName: `${box}-renamed` });
    expect((await ben().get('files/browse', { path })).body.data.meta.folderName).toBe(`${box}-renamed`);
    await olga().post('files/move', { path: `${HOME}/${box}-renamed`, moveTo: `${HOME}/elsewhere` });
    expect((await ben().get('files/download', { path: `${path}/sub/b.txt` })).text).toBe(`content of ${box}/sub/b.txt`);
    await olga().post('files/rename', { path: `${HOME}/elsewhere`, newName: `elsewhere${box}` });
    expect(await reaches(`${path}/sub`)).toBe(200);
  });

  it('follows its folder when another program moves it', async () => {
    const path = await shared();
    await olga().get('files/browse', { path: HOME });
    await rename(household.at(box), household.at(`${box} by hand`));
    await olga().get('files/browse', { path: HOME });
    const seen = await eventually(
      () => ben().get('files/browse', { path }),
      ({ status }) => status === 200,
    );
    expect(listed(seen)).toContainEqual(['a.txt', `${path}/a.txt`]);
  });

  it('does not apply to an item that replaces its folder', async () => {
    const path = await shared();
    await olga().post('files/rename', { path: `${HOME}/${box}`, newName: `${box}-old` });
    await household.put(`${box}/private.txt`);
    expect(listed(await ben().get('files/browse', { path })).map(([name]) => name)).toEqual(['sub', 'a.txt']);
    expect((await ben().get('files/download', { path: `${path}/private.txt` })).status).toBe(404);
  });

  it('is restored from the trash together with its folder', async () => {
    const path = await shared();
    const { trash_path: trash } = (await olga().post('files/delete', { path: `${HOME}/${box}` })).body.data;
    expect(outcome(await ben().get('files/browse', { path }))).toEqual([404, 'not_found']);
    const entries = listed(await ben().get('files/browse', { path: '/ROOT/SHARED' }));
    expect(JSON.stringify(entries)).not.toContain(path);
    await household.put(`${box}/another.txt`);
    expect(await reaches(path)).toBe(404);
    const restored = await olga().post('files/trash/restore', { path: trash });
    expect(restored.body.data.path).toBe(`${HOME}/${box} (restored)`);
    expect(await reaches(`${path}/sub`)).toBe(200);
    expect((await ben().get('files/download', { path: `${path}/another.txt` })).status).toBe(404);
  });

  it('ends with its folder', async () => {
    const path = await shared();
    await olga().post('files/delete', { path: `${HOME}/${box}`, permanent: 1 });
    await household.put(`${box}/a.txt`);
    expect(await reaches(path)).toBe(404);
    expect(outcome(await olga().post('files/unshare', { path: `${HOME}/${box}`, uid: household.ids.ben }))).toEqual([
      409,
      'not_shared',
    ]);
  });

  it.each([
    ['nobody', 'ROOT/0'],
    ['another', 'ROOT/999'],
    ['oneself', 'ROOT/me'],
  ])('is found under its sharer only, not under %s', async (_, under) => {
    const path = await shared();
    const id = path.split('/').at(-1);
    const other = `/${under.replace('me', String(household.ids.ben))}/${id}`;
    expect(outcome(await ben().get('files/browse', { path: other }))).toEqual([404, 'not_found']);
  });

  it('is not found by others, whatever path they try', async () => {
    const path = await shared();
    const sam = household.as('sam');
    for (const one of [path, `${path}/a.txt`, `${path}/sub`, `/ROOT/${household.ids.olga}`]) {
      for (const [operation, form] of [
        ['files/browse', {}],
        ['files/download', {}],
        ['files/search', { filename: 'a' }],
        ['files/star', {}],
        ['files/versions/list', {}],
        ['files/share', { uid: household.ids.gil }],
      ] as const) {
        const reply = await sam.post(operation, { path: one, ...form });
        expect([operation, ...outcome(reply)]).toEqual([operation, 404, 'not_found']);
      }
    }
    expect(listed(await sam.get('files/browse', { path: '/ROOT/SHARED' }))).toEqual([]);
  });

  it.each([
    '..',
    '../a.txt',
    'sub/../..',
    'sub/../../../x',
    '.',
    './sub',
    '%2e%2e',
    '..%2f..',
    'sub/..%5c..',
    '\u0000',
    'sub//../..',
    '.larder',
  ])('does not allow leaving the folder: %j', async (below) => {
    await household.put('outside.txt');
    const path = await shared();
    const { status, text } = await ben().post('files/browse', { path: `${path}/${below}` });
    expect([400, 404]).toContain(status);
    expect(text).not.toContain('outside');
    const put = await ben().put({ path: `${path}/${below}/new-${box}.txt` }, 'x');
    expect([400, 404]).toContain(put.status);
    expect(await readdir(household.at(''))).not.toContain(`new-${box}.txt`);
  });

  it('follows no symbolic link out of its folder', async () => {
    await household.put(`private${box}/secret.txt`);
    await symlink(household.at(`private${box}`), household.at(`${box}/way`));
    await symlink(household.at(`private${box}/secret.txt`), household.at(`${box}/secret`));
    const path = await shared();
    expect(listed(await ben().get('files/browse', { path })).map(([name]) => name)).toEqual(['sub', 'a.txt']);
    for (const name of ['way', 'way/secret.txt', 'secret']) {
      expect((await ben().get('files/download', { path: `${path}/${name}` })).status, name).toBe(404);
    }
  });
});

describe('an operation in a share', () => {
  it('creates uploads, trash and versions that belong to the owner', async () => {
    const path = await shared();
    const put = await ben().put({ path: `${path}/new.txt` }, 'from Ben');
    expect([put.status, put.body.data.path]).toEqual([201, `${path}/new.txt`]);
    expect(await readdir(household.at(box))).toContain('new.txt');
    expect(await readdir(homeOf(household, 'ben'))).toEqual(['.larder-home']);
    await ben().put({ path: `${path}/a.txt` }, 'over');
    const { versions } = (await olga().get('files/versions/list', { path: `${HOME}/${box}/a.txt` })).body.data;
    expect(versions).toHaveLength(2);
    const deleted = await ben().post('files/delete', { path: `${path}/sub` });
    expect([deleted.status, deleted.body.data]).toEqual([200, {}]);
    expect((await ben().get('files/browse', { path: '/TRASH' })).body.data.files).toEqual([]);
    const trash = (await olga().get('files/browse', { path: '/TRASH' })).body.data.files;
    expect(trash.map(({ filename }: { filename: string }) => filename)).toContain('sub');
    const back = trash.find(({ filename }: { filename: string }) => filename === 'sub').path;
    const restored = await olga().post('files/trash/restore', { path: back });
    expect(restored.body.data.path).toBe(`${HOME}/${box}/sub`);
  });

  it('counts for the owner’s quota, which recipients cannot see', async () => {
    const path = await shared();
    await setPermissions(household, { olga: { space_quota_max: 1 } });
    try {
      const full = await ben().put({ path: `${path}/large.bin` }, Buffer.alloc(1_048_577));
      expect([...outcome(full), full.body.details]).toEqual([507, 'quota_exceeded', undefined]);
      const form = new FormData();
      form.append('file', new Blob([Buffer.alloc(1_048_577)]));
      form.append('path', `${path}/form.bin`);
      const packed = new Response(form);
      const headers = { 'content-type': packed.headers.get('content-type') ?? '' };
      const body = Buffer.from(await packed.arrayBuffer());
      expect(outcome(await ben().send('POST', '/api.php/files/upload', { headers, body }))).toEqual([
        507,
        'quota_exceeded',
      ]);
      expect((await ben().put({ path: `${HOME}/own.bin` }, Buffer.alloc(1_048_577))).status).toBe(201);
      const copied = await ben().post('files/copy', { path: `${HOME}/own.bin`, copyTo: path });
      expect(outcome(copied)).toEqual([507, 'quota_exceeded']);
    } finally {
      await setPermissions(household, { olga: {} });
    }
    expect(await readdir(household.at(box))).toEqual(['a.txt', 'sub']);
    expect(await readdir(join(household.folder, '.larder', 'incoming'))).toEqual([]);
  });

  it('accepts a form that names its destination after its content, also from another home', async () => {
    const path = await shared();
    const form = new FormData();
    form.append('file', new Blob([Buffer.from('from a form')]));
    form.append('path', `${path}/form.txt`);
    const packed = new Response(form);
    const headers = { 'content-type': packed.headers.get('content-type') ?? '' };
    const body = Buffer.from(await packed.arrayBuffer());
    const reply = await ben().send('POST', '/api.php/files/upload', { headers, body });
    expect([reply.status, reply.body.data.path]).toEqual([200, `${path}/form.txt`]);
    expect((await stat(household.at(`${box}/form.txt`))).size).toBe(11);
    expect(await readdir(join(household.folder, '.larder', 'incoming'))).toEqual([]);
  });

  it('continues chunked uploads, separately for each person', async () => {
    const path = await shared();
    await household.share(`${HOME}/${box}`, { gid: household.family, upload: 1 });
    const uploadId = 'the-upload-of-one-person';
    const piece = { path: `${path}/p.bin`, totalSize: 8, uploadId };
    expect((await ben().put({ ...piece, startByte: 0 }, 'abcd')).body.data).toEqual({ offset: 4, uploadId });
    const offset = await ben().send('PUT', `/api.php/files/upload?path=${path}/p.bin&getOffset=1&uploadId=${uploadId}`);
    expect(offset.body.data).toEqual({ offset: 4, uploadId });
    expect((await ben().put({ ...piece, startByte: 4 }, 'efgh')).status).toBe(201);
    expect((await olga().get('files/download', { path: `${HOME}/${box}/p.bin` })).text).toBe('abcdefgh');
  });

  it('does not overwrite if only uploads are allowed, also not in chunks', async () => {
    const path = await shared({ upload: 1 });
    const refused = [403, 'permission_denied'];
    expect(outcome(await ben().put({ path: `${path}/a.txt` }, 'over'))).toEqual(refused);
    expect(outcome(await ben().put({ path: `${path}/a.txt` }, Buffer.alloc(100_000)))).toEqual(refused);
    expect(outcome(await ben().put({ path: `${path}/a.txt`, totalSize: 2, startByte: 0 }, 'ab'))).toEqual(refused);
    expect(outcome(await ben().post('files/copy', { path: `${path}/a.txt`, copyTo: path, overwrite: 1 }))).toEqual(
      refused,
    );
    expect((await ben().put({ path: `${path}/b.txt` }, 'new')).status).toBe(201);
    expect((await olga().get('files/download', { path: `${HOME}/${box}/a.txt` })).text).toBe(`content of ${box}/a.txt`);
    // Nor what he has brought himself.
    expect(outcome(await ben().put({ path: `${path}/b.txt` }, 'newer'))).toEqual(refused);
  });

  it('deletes nothing permanently: only the owner can', async () => {
    const path = await shared();
    const gone = await ben().post('files/delete', { path: `${path}/a.txt`, permanent: 1 });
    expect([...outcome(gone), gone.body.details]).toEqual([403, 'permission_denied', { permission: 'owner' }]);
    await ben().put({ path: `${path}/a.txt` }, 'over');
    const version = await ben().post('files/versions/delete', { path: `${path}/a.txt`, version: 1 });
    expect(outcome(version)).toEqual([403, 'permission_denied']);
    expect((await olga().post('files/versions/delete', { path: `${HOME}/${box}/a.txt`, version: 1 })).status).toBe(200);
  });

  it('can lock files: locks of recipients apply to others, and the owner can remove them or the locked item', async () => {
    const path = await shared();
    expect((await ben().post('files/lock', { path: `${path}/a.txt` })).status).toBe(200);
    const locked = await olga().put({ path: `${HOME}/${box}/a.txt` }, 'x');
    expect([...outcome(locked), locked.body.details.by]).toEqual([423, 'locked', 'Mia']);
    expect((await olga().post('files/unlock', { path: `${HOME}/${box}/a.txt` })).status).toBe(200);
    await olga().post('files/lock', { path: `${HOME}/${box}/a.txt` });
    const other = await ben().post('files/unlock', { path: `${path}/a.txt` });
    expect([...outcome(other), other.body.details.path]).toEqual([423, 'locked', `${path}/a.txt`]);
    expect((await ben().post('files/lock', { path: `${path}/sub/b.txt` })).status).toBe(200);
    expect((await olga().post('files/delete', { path: `${HOME}/${box}` })).status).toBe(200);
  });

  it('is logged with its actor and the owner', async () => {
    const path = await shared();
    await ben().put({ path: `${path}/logged.txt` }, 'x');
    const rows = await eventually(
      async () =>
        ((await household.control('activity.list', { group: 'files', limit: 20 })) as { entries: unknown[] }).entries,
      (entries) => JSON.stringify(entries).includes('logged.txt'),
    );
    const details = { size: 1, of: 'olga' };
    expect(rows).toContainEqual(
      expect.objectContaining({ kind: 'file.created', subject: `${path}/logged.txt`, details }),
    );
  });
});

describe('a recipient whose share ended', () => {
  it('receives no more data of a download in progress', async () => {
    await writeFile(household.at(`${box}/big.bin`), randomBytes(60_000_000));
    const id = await household.share(`${HOME}/${box}`, { gid: household.family });
    const path = `/ROOT/${household.ids.olga}/${id}`;
    const gil = household.as('gil');
    const begun = [
      await gil.open('GET', `/api.php/files/download?path=${path}`),
      await gil.open('GET', `/api.php/files/download?path=${path}/big.bin`),
    ];
    expect(begun.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    await household.control('groups.setMembers', { id: household.family, accountIds: [] });
    try {
      const cutOff = () => household.logged().match(/"path":"[^"]*download","status":200,"ms":\d+,"complete":false/g);
      expect(
        await eventually(
          () => cutOff()?.length ?? 0,
          (seen) => seen === 2,
        ),
      ).toBe(2);
      for (const { body } of begun) await expect(body.arrayBuffer()).rejects.toThrow();
      const range = { headers: { range: 'bytes=500000-' } };
      const more = await gil.send('GET', `/api.php/files/download?path=${path}/big.bin`, range);
      expect(outcome(more)).toEqual([404, 'not_found']);
    } finally {
      await household.control('groups.setMembers', { id: household.family, accountIds: [household.ids.gil] });
      await rm(household.at(`${box}/big.bin`));
    }
  });

  it('has no access to items of a deactivated owner until that account is active again', async () => {
    const path = await shared();
    await household.control('accounts.update', { username: 'olga', activated: false });
    try {
      expect(await reaches(path)).toBe(404);
      expect(listed(await ben().get('files/browse', { path: '/ROOT/SHARED' }))).toEqual([]);
    } finally {
      await household.control('accounts.update', { username: 'olga', activated: true });
    }
    expect(await reaches(path)).toBe(200);
    await household.signInAgain('olga');
  });

  it('has no more rights than the owner', async () => {
    const path = await shared();
    const perms = async () => (await ben().get('files/browse', { path })).body.data.meta.perms;
    const all = { upload: true, download: true, alter: true };
    expect(await perms()).toEqual(all);
    try {
      await setPermissions(household, { olga: { readonly: true } });
      expect(await perms()).toEqual({ upload: false, download: true, alter: false });
      const refused = await ben().put({ path: `${path}/x.txt` }, 'x');
      expect([...outcome(refused), refused.body.details]).toEqual([403, 'permission_denied', { permission: 'upload' }]);
      await setPermissions(household, { olga: { download: false } });
      expect(await perms()).toEqual({ ...all, download: false });
      await setPermissions(household, { olga: { download_folders: false } });
      expect((await ben().get('files/download', { path: `${path}/a.txt` })).status).toBe(200);
      expect(outcome(await ben().get('files/download', { path }))).toEqual([403, 'permission_denied']);
      await setPermissions(household, { olga: { upload_limit_types: 'jpg' } });
      expect(outcome(await ben().put({ path: `${path}/x.exe` }, 'x'))).toEqual([415, 'type_not_allowed']);
      await setPermissions(household, { olga: { upload_max_size: 1 } });
      const large = await ben().put({ path: `${path}/large.bin` }, Buffer.alloc(1_048_577));
      expect(outcome(large)).toEqual([413, 'upload_too_large']);
      await setPermissions(household, { olga: { share: false } });
      expect(await reaches(path)).toBe(404);
    } finally {
      await setPermissions(household, { olga: {} });
    }
    expect(await perms()).toEqual(all);
  });
});
