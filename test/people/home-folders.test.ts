import { existsSync } from 'node:fs';
import { link, mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OpenHomeFolders, openHomeFolders } from '../support/households/home-folders.ts';
import { like, t } from '../support/server-texts.ts';

let base: string;
let folder: string;
let outside: string;
let open: OpenHomeFolders;

beforeEach(async () => {
  base = await mkdtemp(join(await realpath(tmpdir()), 'larder-test-'));
  [folder, outside] = [join(base, 'larder'), join(base, 'disk')];
  await mkdir(outside);
  open = await openHomeFolders(folder);
});
afterEach(async () => {
  await open.close();
  await rm(base, { recursive: true, force: true });
});

const MIA = { username: 'mia', name: 'Mia', email: 'mia@orchard.example', company: 'Orchard' };
const NOT_ALLOWED = t('api.homes.notAllowed');
const IN_USE = t('api.homes.overlapsHome');

const place = (path: string, by: 'api' | 'owner' = 'owner') => open.homeFolders.location({ path, account: MIA, by });
const fill = (template: string, by: 'api' | 'owner' = 'owner', account = MIA) =>
  open.homeFolders.location({ template, account, by });
const refusal = (work: Promise<unknown>) =>
  work.then(
    (accepted) => ({ accepted }),
    (error) => (error.field === 'homefolder' ? error.message : error),
  );
const make = async (username: string, path: string, adopt = false) => {
  const created = await open.homeFolders.create(path, { adopt, by: 'owner' });
  await open.give(username, created);
  return created;
};
/** Without what is behind links, one of which leads to a folder above. */
const everything = async (path: string) =>
  (await readdir(path, { recursive: true, withFileTypes: true }))
    .map(({ parentPath, name }) => relative(path, join(parentPath, name)))
    .sort();

describe('the folder of a home', () => {
  it('is named after the account by default', async () => {
    const home = await open.homeFolders.location({ account: { ...MIA, username: 'mi\u0301a' }, by: 'api' });
    expect(home).toBe(join(folder, 'homes', 'm\u00eda'));
    expect(await fill('')).toBe(join(folder, 'homes', 'mia'));
    expect(await open.homeFolders.location({ path: '', template: '', account: MIA, by: 'api' })).toBe(
      join(folder, 'homes', 'mia'),
    );
    expect(await everything(join(folder, 'homes'))).toEqual([]);
  });

  it('follows a template', async () => {
    await mkdir(join(outside, 'Orchard'));
    expect(await fill('{NAME} ({COMPANY})', 'api')).toBe(join(folder, 'homes', 'Mia (Orchard)'));
    expect(await fill(`${outside}/{COMPANY}/{USERNAME}`)).toBe(join(outside, 'Orchard', 'mia'));
    expect(await fill(`${folder}/homes/{USERNAME}`, 'api')).toBe(join(folder, 'homes', 'mia'));
    expect(await place(`${outside}//x/`)).toBe(join(outside, 'x'));
  });

  it.each([
    ['{COMPANY}/{USERNAME}', t('api.homes.nested')],
    ['../{USERNAME}', t('api.homes.nested')],
    ['{USERNAME}.', t('api.files.invalidName', { problem: 'ending', max: 255 })],
    ['CON.{USERNAME}', t('api.files.invalidName', { problem: 'device', max: 255 })],
    ['{USERNAME}:x', t('api.files.invalidName', { problem: 'characters', max: 255 })],
    ['{USERNAME}{FOO}', like('api.homes.templateBraces')],
  ])('is refused outside of the folder of homes by the template %j', async (template, sentence) => {
    expect(await refusal(fill(template))).toMatch(sentence);
  });

  it.each([
    ['a/b', like('api.homes.unfit', { problem: 'characters' })],
    ['..', like('api.homes.unfit', { problem: 'dot' })],
    ['CON', like('api.homes.unfit', { problem: 'device' })],
    ['mia.', like('api.homes.unfit', { problem: 'ending' })],
    ['', like('api.homes.unfit', { problem: 'empty' })],
    ['\u200fmia', like('api.homes.unfit', { problem: 'bidi' })],
  ])('is not named after an account named %j', async (name, sentence) => {
    expect(await refusal(fill('{NAME}', 'api', { ...MIA, name }))).toMatch(sentence);
    expect(await refusal(fill(`${outside}/{NAME}`, 'owner', { ...MIA, name }))).toMatch(sentence);
  });

  it('is refused to everybody in places that cannot be a home', async () => {
    const own = [folder, join(folder, 'homes'), join(folder, 'homes', 'a', 'b'), join(folder, 'x')];
    const appliance = [join(folder, '.larder'), join(folder, '.larder', 'trash'), join(folder, '.larder', 'x')];
    const system = ['/', '/etc', '/etc/x', '/usr/x', '/bin', '/boot', '/dev/x', '/proc/x', '/sys', '/var', '/root'];
    const odd = ['mia', '../mia', `${outside}/../x`, `${outside}/.`, `${outside}/a\0b`, `/${'x/'.repeat(5_000)}`];
    for (const path of [...own, ...appliance, base, homedir(), ...system, ...odd, `${outside}/${'x'.repeat(256)}`]) {
      for (const by of ['api', 'owner'] as const)
        expect(await refusal(place(path, by)), path).toEqual(expect.any(String));
    }
    expect(await everything(outside)).toEqual([]);
  });

  it('is refused if it is, contains or is inside of another home of any owner', async () => {
    await mkdir(join(outside, 'photos'));
    const photos = await make('eve', join(outside, 'photos', 'eve'));
    await make('bob', join(folder, 'homes', 'bob'));
    const taken = [
      join(outside, 'photos'),
      join(outside, 'photos', 'eve', 'x'),
      outside,
      join(outside, 'photos', 'EVE'),
    ];
    for (const path of [...taken, join(outside, 'photos', 'eve'), join(folder, 'homes', 'Bob')]) {
      expect(await refusal(place(path)), path).toBe(IN_USE);
    }
    await open.take('eve', photos.homeId);
    for (const path of taken) expect(await refusal(place(path)), path).toBe(IN_USE);
    expect(await place(join(outside, 'photos', 'eve'))).toBe(join(outside, 'photos', 'eve'));
    await open.allow(outside);
    expect(await refusal(place(join(outside, 'photos', 'eve'), 'api'))).toBe(IN_USE);
  });

  it('is refused if it is reached through a symbolic link', async () => {
    await mkdir(join(outside, 'real'));
    await symlink(join(outside, 'real'), join(outside, 'link'));
    await symlink(outside, join(base, 'way'));
    await symlink(join(outside, 'nowhere'), join(outside, 'dangling'));
    await symlink(outside, join(folder, 'homes', 'mia'));
    await writeFile(join(outside, 'file'), '');
    const links = [
      join(outside, 'link'),
      join(base, 'way', 'real'),
      join(outside, 'dangling'),
      join(outside, 'link', 'x'),
    ];
    for (const path of [...links, join(folder, 'homes', 'mia')]) {
      expect(await refusal(place(path)), path).toBe(t('api.homes.link'));
    }
    expect(await refusal(place(join(outside, 'file')))).toBe(t('api.homes.notFolder'));
    expect(await refusal(place(join(outside, 'file', 'x')))).toBe(t('api.homes.notFolder'));
  });

  it('is compared with the appliance’s folder also behind a symbolic link to it', async () => {
    await open.close();
    await symlink(folder, join(base, 'installed'));
    open = await openHomeFolders(join(base, 'installed'));
    expect(await place(join(base, 'installed', 'homes', 'mia'), 'api')).toBe(join(base, 'installed', 'homes', 'mia'));
    expect(await refusal(place(join(folder, 'homes', 'mia')))).toMatch(like('api.homes.overlapsData'));
    expect(await refusal(place(join(folder, '.larder')))).toMatch(like('api.homes.overlapsData'));
    const { root, homeId } = await make('mia', join(base, 'installed', 'homes', 'mia'));
    expect((await open.homes.byId(homeId))?.homeRoot.root).toBe(root);
    expect(await open.database.get('SELECT path FROM homes')).toEqual({ path: 'homes/mia' });
  });

  it('is limited for administrators to permitted places, without revealing others', async () => {
    await mkdir(join(outside, 'allowed'));
    await writeFile(join(outside, 'file'), '');
    await symlink(outside, join(base, 'way'));
    await make('eve', join(outside, 'eve'));
    await open.allow(join(outside, 'allowed'));
    const secret = [outside, join(outside, 'eve'), join(outside, 'file'), join(base, 'way'), join(outside, 'nothing')];
    for (const path of [...secret, join(outside, 'allowed'), join(outside, 'allowed2', 'x'), '/etc', '/root/x', base]) {
      expect(await refusal(place(path, 'api')), path).toBe(NOT_ALLOWED);
    }
    expect(await place(join(outside, 'allowed', 'Orchard', 'mia'), 'api')).toBe(
      join(outside, 'allowed', 'Orchard', 'mia'),
    );
    await symlink(outside, join(outside, 'allowed', 'out'));
    expect(await refusal(place(join(outside, 'allowed', 'out', 'x'), 'api'))).toBe(t('api.homes.unusable'));
  });

  it('can have one missing level at most, except in places of the owner', async () => {
    expect(await refusal(place(join(outside, 'a', 'b')))).toBe(
      t('api.homes.parentMissing', { folder: join(outside, 'a') }),
    );
    await open.allow(join(outside, 'gone'));
    expect(await refusal(place(join(outside, 'gone', 'mia'), 'api'))).toBe(NOT_ALLOWED);
    expect(existsSync(join(outside, 'gone'))).toBe(false);
  });
});

describe('creating a home', () => {
  it('creates folder, marker and, in another place, a private work area', async () => {
    const inside = await make('bob', join(folder, 'homes', 'bob'));
    const away = await make('mia', join(outside, 'mia'));
    expect(await everything(inside.root)).toEqual(['.larder-home']);
    expect(await everything(away.root)).toEqual([
      '.larder-area',
      '.larder-area/incoming',
      '.larder-area/trash',
      '.larder-area/versions',
      '.larder-home',
    ]);
    expect(await readFile(join(away.root, '.larder-home'), 'utf8')).toBe(`${away.homeId}\n`);
    expect(await everything(join(folder, '.larder', 'incoming'))).toEqual([]);
    expect((await open.homes.byId(away.homeId))?.area.trash).toBe(join(away.root, '.larder-area', 'trash'));
    expect(await open.homeFolders.list('in-place')).toMatchObject([
      { id: inside.homeId, isOutside: false, isOnline: true, username: 'bob' },
      { id: away.homeId, isOutside: true, isOnline: true, username: 'mia' },
    ]);
  });

  it('is undone without a trace if the account cannot be stored', async () => {
    await open.allow(outside);
    await mkdir(join(outside, 'empty'));
    for (const path of [join(folder, 'homes', 'bob'), join(outside, 'Orchard', 'mia'), join(outside, 'empty')]) {
      const created = await open.homeFolders.create(path, { adopt: false });
      await created.undo();
      await created.undo();
    }
    expect(await everything(outside)).toEqual(['empty']);
    expect(await everything(join(folder, 'homes'))).toEqual([]);
    const created = await make('mia', join(outside, 'mia'));
    await created.undo();
    expect(existsSync(join(created.root, '.larder-home'))).toBe(true);
  });

  it('happens once for two concurrent requests', async () => {
    const path = join(folder, 'homes', 'mia');
    const results = await Promise.allSettled([1, 2, 3].map(() => open.homeFolders.create(path, { adopt: false })));
    const made = results.filter((result) => result.status === 'fulfilled');
    expect(made).toHaveLength(1);
    await made[0]?.value.undo();
    expect(existsSync(path)).toBe(false);
    await make('mia', path);
  });

  it('refuses a folder with files, unless the owner adopts it without changes', async () => {
    const photos = join(outside, 'photos');
    await mkdir(join(photos, 'sub'), { recursive: true });
    await writeFile(join(photos, 'a.jpg'), 'a');
    await link(join(photos, 'a.jpg'), join(photos, 'sub', 'b.jpg'));
    await symlink('/etc', join(photos, 'sub', 'link'));
    const before = await everything(photos);
    expect(await refusal(open.homeFolders.create(photos, { adopt: false, by: 'owner' }))).toBe(t('api.homes.hasFiles'));
    await open.allow(outside);
    expect(await refusal(open.homeFolders.create(photos, { adopt: false }))).toBe(t('api.homes.notEmpty'));
    expect(await refusal(open.homeFolders.create(photos, { adopt: true, by: 'api' }))).toBe(
      t('api.homes.adoptOwnerOnly'),
    );
    expect(await everything(photos)).toEqual(before);
    const undone = await open.homeFolders.create(photos, { adopt: true });
    await undone.undo();
    expect(await everything(photos)).toEqual(before);
    await make('mia', photos, true);
    expect((await everything(photos)).filter((name) => !name.startsWith('.larder'))).toEqual(before);
    expect(await readFile(join(photos, 'a.jpg'), 'utf8')).toBe('a');
  });

  it.each([
    ['a marker that it does not know', 'marker', '11111111-2222-4333-8444-555555555555\n'],
    ['a marker that says nothing', 'marker', 'nonsense'],
    ['a file where the work area belongs', 'area', ''],
    ['a link where the work area belongs', 'area-link', ''],
    ['a link where a part of the work area belongs', 'part-link', ''],
    ['a link for a marker', 'marker-link', ''],
  ])('refuses a folder with %s', async (_what, kind, content) => {
    const path = join(outside, 'odd');
    await mkdir(path);
    const [marker, area] = [join(path, '.larder-home'), join(path, '.larder-area')];
    if (kind === 'marker') await writeFile(marker, content);
    if (kind === 'area') await writeFile(area, content);
    if (kind === 'area-link') await symlink(base, area);
    if (kind === 'marker-link') await symlink('/etc/hostname', marker);
    if (kind === 'part-link') {
      await mkdir(area);
      await symlink(base, join(area, 'trash'));
    }
    const before = await everything(path);
    expect(await refusal(open.homeFolders.create(path, { adopt: true }))).toEqual(expect.any(String));
    expect(await everything(path)).toEqual(before);
  });

  it('continues after a power cut', async () => {
    const { homeId } = await open.homeFolders.create(join(folder, 'homes', 'mia'), { adopt: false });
    await open.close();
    open = await openHomeFolders(folder);
    expect(await make('mia', join(folder, 'homes', 'mia'))).toMatchObject({ homeId, isTakenOver: false });
  });

  it.each([
    ['storage.home.made', 'eperm', t('api.homes.notWritable')],
    ['storage.home.probe', 'enospc', t('api.homes.diskFull')],
    ['storage.home.probe', 'eio', t('api.homes.cannotUse', { code: 'EIO' })],
    ['storage.home.marked', 'eperm', t('api.homes.notWritable')],
  ] as const)(
    'reports the failure of the disk at %s: %s, and leaves nothing behind',
    async (point, action, sentence) => {
      await open.close();
      open = await openHomeFolders(folder, { folder: base, actions: { [point]: action } });
      for (const path of [join(outside, 'mia'), join(folder, 'homes', 'mia')]) {
        expect(await refusal(open.homeFolders.create(path, { adopt: true }))).toMatch(sentence);
      }
      expect(existsSync(join(base, `${point}.reached`))).toBe(true);
      expect([await everything(outside), await everything(join(folder, 'homes'))]).toEqual([[], []]);
      expect(await everything(join(folder, '.larder', 'incoming'))).toEqual([]);
    },
  );
});

describe('a former home', () => {
  it('keeps its id when the owner assigns it, also after a move', async () => {
    const first = await make('eve', join(outside, 'eve'));
    await writeFile(join(first.root, 'a.txt'), 'a');
    expect(await refusal(open.homeFolders.create(first.root, { adopt: true }))).toBe(IN_USE);
    await open.take('eve', first.homeId);
    expect(await refusal(open.homeFolders.create(first.root, { adopt: false, by: 'owner' }))).toBe(
      t('api.homes.orphan', { username: 'eve' }),
    );
    await rename(first.root, join(outside, 'moved'));
    expect(await open.homeFolders.list('in-place')).toMatchObject([
      { username: 'eve', accountId: null, isOnline: false },
    ]);
    const again = await make('mia', join(outside, 'moved'), true);
    expect(again).toMatchObject({ homeId: first.homeId, isTakenOver: true });
    expect(await open.homes.byId(first.homeId)).toMatchObject({ homeRoot: { root: join(outside, 'moved') } });
    await again.undo();
    expect(existsSync(join(outside, 'moved', '.larder-home'))).toBe(true);
  });

  it('is assigned to only one of two accounts at the same time', async () => {
    const first = await make('eve', join(outside, 'eve'));
    await open.take('eve', first.homeId);
    const path = join(outside, 'eve');
    const created = await open.homeFolders.create(path, { adopt: true });
    await open.database.write((tx) =>
      tx.run(`INSERT INTO accounts (type, username, username_fold, name, registered_at, home_id)
        VALUES ('user', 'bob', 'bob', 'bob', 0, '${first.homeId}')`),
    );
    expect(await refusal(open.give('mia', created))).toBe(t('api.homes.changedMeanwhile'));
    await created.undo();
    expect(existsSync(join(path, '.larder-home'))).toBe(true);
  });

  it('is distinguished from its copies, and stays inside or outside of the appliance’s folder', async () => {
    const first = await make('eve', join(folder, 'homes', 'eve'));
    await mkdir(join(outside, 'copy'));
    await writeFile(join(outside, 'copy', '.larder-home'), `${first.homeId}\n`);
    expect(await refusal(open.homeFolders.create(join(outside, 'copy'), { adopt: true }))).toMatch(
      t('api.homes.ofAccount'),
    );
    await open.take('eve', first.homeId);
    expect(await refusal(open.homeFolders.create(join(outside, 'copy'), { adopt: true }))).toMatch(
      /was at .*Move it back/,
    );
    await mkdir(join(folder, 'homes', 'copy'));
    await writeFile(join(folder, 'homes', 'copy', '.larder-home'), `${first.homeId}\n`);
    expect(await refusal(open.homeFolders.create(join(folder, 'homes', 'copy'), { adopt: true }))).toMatch(
      like('api.homes.copyOf'),
    );
    await rm(first.root, { recursive: true });
    await mkdir(first.root);
    expect(await refusal(open.homeFolders.create(first.root, { adopt: true }))).toMatch(like('api.homes.markerLost'));
  });
});
