import { access, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { added, as, edit, household, info, inOneHousehold, owner, refusal } from './admin-users-support.ts';

inOneHousehold();

describe('homes', () => {
  it('cannot be or contain another home or the data folder, or be a folder with files', async () => {
    const outside = join(household.folder, '..', `${household.folder.split('/').at(-1)}-outside`);
    await mkdir(join(outside, 'full'), { recursive: true });
    await writeFile(join(outside, 'full', 'a.txt'), 'mine');
    await mkdir(join(outside, 'empty'));
    await symlink('/etc', join(outside, 'link'));
    try {
      const attempt = (homefolder: string) =>
        owner.post('admin-users/add', {
          'data[username]': `h${Math.random().toString(36).slice(2)}`,
          'data[name]': 'Homes',
          'perms[homefolder]': homefolder,
        });
      for (const path of [
        join(household.folder, 'homes', 'ann'),
        join(household.folder, 'homes'),
        household.folder,
        join(household.folder, '.larder'),
        join(household.folder, '.larder', 'trash'),
        join(household.folder, 'homes', 'ann', 'sub'),
        join(outside, 'empty'),
      ]) {
        expect([path, ...refusal(await attempt(path))]).toEqual([path, 400, 'invalid_parameter', 'perms[homefolder]']);
      }
      await household.control('settings.update', { homeLocations: [outside] });
      for (const path of [join(outside, 'full'), join(outside, 'link'), join(outside, 'link', 'ssl')]) {
        expect([path, ...refusal(await attempt(path))]).toEqual([path, 400, 'invalid_parameter', 'perms[homefolder]']);
      }
      expect((await attempt(join(outside, 'empty'))).status).toBe(200);
      expect(refusal(await attempt(join(outside, 'empty', 'inner')))).toEqual([
        400,
        'invalid_parameter',
        'perms[homefolder]',
      ]);
    } finally {
      await household.control('settings.update', { homeLocations: [] });
      await rm(outside, { recursive: true, force: true });
    }
  });

  it('follow the template of a role at creation; a role replaces the permissions of an account', async () => {
    const role = (await household.control('roles.add', {
      name: 'Child',
      permissions: { weblink: false, space_quota_max: 5 },
      homeTemplate: 'child-{USERNAME}',
    })) as { id: number };
    const uid = await added({ 'data[username]': 'kim', 'perms[role]': String(role.id), 'perms[share]': '0' });
    const data = await info(uid);
    expect(data.perms).toMatchObject({
      role: role.id,
      weblink: false,
      space_quota_max: 5,
      share: true,
      homefolder: join(household.folder, 'homes', 'child-kim'),
    });
    const api = await as('kim');
    expect((await api.put({ path: '/ROOT/HOME/a.bin' }, Buffer.alloc(4 * 1024 * 1024))).status).toBe(201);
    expect((await api.put({ path: '/ROOT/HOME/b.bin' }, Buffer.alloc(2 * 1024 * 1024))).body.code).toBe(
      'quota_exceeded',
    );
    // A change of the role holds at once, and the home stays where it is.
    await household.control('roles.update', {
      id: role.id,
      permissions: { space_quota_max: 50 },
      homeTemplate: 'elsewhere-{USERNAME}',
    });
    expect((await api.put({ path: '/ROOT/HOME/b.bin' }, Buffer.alloc(2 * 1024 * 1024))).status).toBe(201);
    expect((await info(uid)).perms.homefolder).toBe(join(household.folder, 'homes', 'child-kim'));
    await edit(uid, { 'perms[role]': '' });
    expect((await info(uid)).perms).toMatchObject({ role: null, weblink: true, share: false, space_quota_max: 0 });
  });

  it('of deleted accounts are kept or moved to the trash of the data folder', async () => {
    const [stays, goes] = [
      await added({ 'data[username]': 'stays', create_home_folder: '1' }),
      await added({ 'data[username]': 'goes', create_home_folder: '1' }),
    ];
    for (const username of ['stays', 'goes']) await (await as(username)).put({ path: '/ROOT/HOME/a.txt' }, username);
    const one = await owner.post('admin-users/delete', { 'UIDS[]': stays });
    expect(one.body.data).toEqual({ [stays]: { success: true, message: 'Deleted.' } });
    expect(await readdir(join(household.folder, 'homes', 'stays'))).toContain('a.txt');
    // The API adopts nothing that exists and is not empty.
    const again = await owner.post('admin-users/add', {
      'data[username]': 'stays',
      'data[name]': 'S',
      create_home_folder: '1',
    });
    expect(again.status).toBe(400);
    await owner.post('admin-users/delete', { UIDS: goes, deleteHomeFolder: '1' });
    await expect(access(join(household.folder, 'homes', 'goes'))).rejects.toThrow();
    const { homes } = (await household.control('homes.trash.list')) as { homes: { username: string }[] };
    expect(homes.map(({ username }) => username)).toContain('goes');
  });
});
