import { execFileSync } from 'node:child_process';
import {
  chmod,
  copyFile,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LARDER } from '../../dist/server/lib/events.js';
import { itInFull } from '../support/forms.ts';
import { openHomeFolders } from '../support/households/home-folders.ts';
import { type Household, openHousehold } from '../support/households/household.ts';
import { like, t } from '../support/server-texts.ts';
import { inPlace, linesOf, make, remove, restore, scratchFolder, signInAt, whileServed } from './support.ts';

let household: Household;
let scratch: string;

beforeEach(async () => {
  scratch = await scratchFolder();
  household = await openHousehold();
  await writeFile(join(household.home, 'a.txt'), 'a');
});
afterEach(async () => {
  await household.close();
  await remove(scratch);
});

const refusalOf = (method: string, input: object = {}) =>
  household.control(method, input).then(
    () => null,
    ({ code, field, message }) => ({ code, ...(field === undefined ? {} : { field }), message }),
  );
const set = (changes: object) => household.control('settings.update', changes);
const withPoints = (actions: string) => household.restart({ failPoints: `${scratch};${actions}` });

describe('a disk', () => {
  it.each([
    ['storage.backup.write', 'enospc', /is full/],
    ['storage.backup.flush', 'enospc', /is full/],
    ['storage.backup.flush', 'eio', /has errors/],
    ['backup.database', 'enospc', /is full/],
    ['backup.written', 'eperm', like('api.backup.denied')],
  ])('that fails at %s with %s ends the backup, which leaves nothing', async (point, action, sentence) => {
    await withPoints(`${point}=${action}`);
    expect(await refusalOf('backup.make', { files: true })).toEqual({
      code: 'refused',
      message: expect.stringMatching(sentence),
    });
    expect(await readdir(scratch)).toContain(`${point}.reached`);
    expect(await inPlace(household)).toEqual([]);
    await household.restart({ failPoints: '' });
    const { name } = await make(household, { files: true });
    expect(await inPlace(household)).toEqual([name]);
  });

  const canMount = process.getuid?.() === 0 && process.platform === 'linux';
  /** What the catalogue knows decides whether a backup is begun. */
  const list = async () => (await household.signIn()).get('files/browse', { path: '/ROOT/HOME' });

  it.runIf(canMount)(
    'on which an old backup cannot be erased gets new ones, and the rest is removed later',
    async () => {
      const { name, path } = await make(household);
      const { installation } = JSON.parse(await readFile(join(path, 'manifest.json'), 'utf8'));
      const rest = `${name}.${installation.slice(0, 8)}.removing`;
      const mounted = join(path, '..', rest, 'mounted');
      await mkdir(mounted, { recursive: true });
      execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', mounted]);
      try {
        household.clock.advance(5_000);
        expect((await make(household)).heldBack).toEqual([{ name: rest, reason: expect.any(String) }]);
      } finally {
        execFileSync('umount', ['-l', mounted]);
      }
      household.clock.advance(5_000);
      expect((await make(household)).heldBack).toEqual([]);
      expect(await inPlace(household)).not.toContain(rest);
    },
  );

  it.runIf(canMount)('that is full, disconnected or read-only is reported, and works again afterwards', async () => {
    const place = join(scratch, 'small');
    await mkdir(place);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', place]);
    try {
      await set({ backupFolder: place });
      await writeFile(join(household.home, 'large.bin'), Buffer.alloc(8_000_000));
      await list();
      expect(await refusalOf('backup.make', { files: true })).toMatchObject({
        message: expect.stringMatching(like('api.backup.tooLarge')),
      });
      expect(await readdir(place)).toEqual(['.larder-backups']);
      await rm(join(household.home, 'large.bin'));
      await list();
      const made = await make(household, { files: true });
      expect(made.notes.join()).not.toContain(t('api.warnings.sameDisk'));
      execFileSync('mount', ['-o', 'remount,ro', place]);
      expect(await refusalOf('backup.make')).toMatchObject({
        message: expect.stringMatching(like('api.backup.readOnly')),
      });
      expect(await household.control('backup.verify', { name: made.name })).toMatchObject({ ok: true });
    } finally {
      execFileSync('umount', ['-l', place]);
    }
    // What stands there now is the folder that the disk belongs to: nothing is written into it.
    expect(await refusalOf('backup.make')).toMatchObject({ message: expect.stringMatching(/not connected/) });
    expect(await refusalOf('backup.list')).toMatchObject({
      message: expect.stringMatching(like('api.backup.folderAwayAdvice')),
    });
    expect(await readdir(place)).toEqual([]);
  });
});

it('names a part of the installation that cannot be read, and not the folder of the backups', async () => {
  const tls = join(household.folder, '.larder', 'tls');
  await rename(tls, `${tls} away`);
  await writeFile(tls, 'not a folder');
  const message = t('api.backup.sourceUnreadable', { path: tls, reason: 'ENOTDIR' });
  expect(await refusalOf('backup.make')).toEqual({ code: 'refused', message });
  expect(await inPlace(household)).toEqual([]);
  await rm(tls);
  await rename(`${tls} away`, tls);
  await make(household);
});

describe('a destination', () => {
  it('is created and marked if its parent folder exists', async () => {
    const place = join(scratch, 'backups');
    await set({ backupFolder: place });
    expect(await readdir(place)).toEqual(['.larder-backups']);
    const made = await make(household);
    expect(made.path).toBe(join(place, made.name));
    expect(made.notes.join()).toContain(t('api.warnings.sameDisk'));
    await rename(place, `${place} away`);
    expect(await refusalOf('backup.make')).toMatchObject({ message: expect.stringMatching(/not connected/) });
    await rename(`${place} away`, place);
    await make(household);
  });

  it('cannot be a folder of anybody’s files, under any name', async () => {
    await mkdir(join(household.home, 'inner'));
    await symlink(join(household.home, 'inner'), join(scratch, 'link'));
    await writeFile(join(scratch, 'file'), '');
    const homes = join(household.folder, 'homes');
    for (const place of [
      household.home,
      join(household.home, 'inner'),
      join(household.home, 'new'),
      join(scratch, 'link'),
      join(scratch, 'link', 'new'),
      homes,
      join(homes, 'backups'),
      join(household.folder, '.larder', 'versions'),
      join(household.folder, '.larder'),
      join(scratch, 'file'),
      join(scratch, 'no', 'such'),
      '/etc/backups',
      '/',
    ]) {
      const refusal = await refusalOf('settings.update', { backupFolder: place });
      expect(refusal, place).toMatchObject({ code: 'invalid_input', field: 'backupFolder' });
    }
    expect(await readdir(household.home)).not.toContain('new');
    expect((await household.control('settings.get')).backupFolder).toBe('');
    for (const place of ['backups', '../up', `${scratch}/../x`])
      expect(await refusalOf('settings.update', { backupFolder: place })).toMatchObject({ field: 'backupFolder' });
  });

  it('that becomes part of a home is refused for the next backup', async () => {
    const place = join(scratch, 'shared');
    await set({ backupFolder: place });
    await household.control('accounts.add', {
      ...{ username: 'mia', name: 'Mia', password: 'correct horse battery' },
      ...{ homeFolder: place, adoptHomeFolder: true },
    });
    expect(await refusalOf('backup.make')).toMatchObject({ message: expect.stringMatching(like('api.backup.inHome')) });
  });

  itInFull('keeps a backup that somebody uses as a home', async () => {
    const place = join(scratch, 'shared');
    await set({ backupFolder: place, backupKeep: 1 });
    const made = await make(household, { files: true });
    const homeFolder = join(made.path, 'files', 'homes', 'ann');
    await household.control('accounts.add', {
      ...{ username: 'mia', name: 'Mia', password: 'correct horse battery', homeFolder, adoptHomeFolder: true },
    });
    expect(await refusalOf('backup.remove', { name: made.name })).toMatchObject({
      code: 'refused',
      message: expect.stringMatching(like('api.backup.homeInBackup')),
    });
    household.clock.advance(5_000);
    expect((await make(household, { files: true })).removed).toEqual([]);
    expect(await readdir(homeFolder)).toContain('a.txt');
  });

  it('keeps a backup in which a home was created while the next one was made', async () => {
    await set({ backupFolder: join(scratch, 'shared'), backupKeep: 1 });
    const first = await make(household, { files: true });
    await withPoints('backup.database=pause');
    household.clock.advance(5_000);
    const second = make(household, { files: true });
    await expect.poll(() => readdir(scratch)).toContain('backup.database.reached');
    const homeFolder = join(first.path, 'files', 'homes', 'ann');
    await household.control('accounts.add', {
      ...{ username: 'mia', name: 'Mia', password: 'correct horse battery', homeFolder, adoptHomeFolder: true },
    });
    await writeFile(join(scratch, 'backup.database.go'), '');
    expect((await second).removed).toEqual([]);
    expect(await readdir(homeFolder)).toContain('a.txt');
  });

  it.each([
    ['whose real path cannot be resolved', (way: string) => symlink(way, way)],
    ['whose path leads to an empty folder', (way: string) => mkdir(join(way, 'mia'), { recursive: true })],
  ])('keeps only the backup that has a home %s', async (_kind, lose) => {
    await set({ backupFolder: join(scratch, 'shared'), backupKeep: 1 });
    const used = await make(household, { files: true });
    const way = join(scratch, 'way');
    await mkdir(way);
    await household.control('accounts.add', {
      ...{ username: 'mia', name: 'Mia', password: 'correct horse battery', homeFolder: join(way, 'mia') },
      createHomeFolder: true,
    });
    // As if the folder had been mounted from there, until nothing can be read through its path.
    await rename(join(way, 'mia'), join(used.path, 'files', 'homes', 'mia'));
    await rm(way, { recursive: true });
    await lose(way);
    household.clock.advance(5_000);
    const unused = await make(household, { files: true });
    const heldBack = [{ name: used.name, reason: expect.stringMatching(like('api.backup.homeInBackup')) }];
    expect(unused).toMatchObject({ removed: [], heldBack });
    household.clock.advance(5_000);
    expect(await make(household, { files: true })).toMatchObject({ removed: [unused.name], heldBack });
    const state = await household.control('backup.state');
    expect(state).toMatchObject({ heldBack, attention: [expect.stringMatching(like('api.backup.heldBack'))] });
    expect(await readdir(join(used.path, 'files', 'homes', 'mia'))).toContain('.larder-home');
    // Once it is known where the home is, the backup can go.
    await rm(way, { recursive: true });
    await mkdir(way);
    await rename(join(used.path, 'files', 'homes', 'mia'), join(way, 'mia'));
    await household.control('backup.remove', { name: used.name });
    expect(await household.control('backup.state')).toMatchObject({ heldBack: [], attention: [] });
  });

  it('removes a backup with copies of the marker of such a home, and of files of its name', async () => {
    const place = join(scratch, 'elsewhere');
    await mkdir(place);
    await household.control('accounts.add', {
      ...{ username: 'mia', name: 'Mia', password: 'correct horse battery', homeFolder: join(place, 'mia') },
      createHomeFolder: true,
    });
    await mkdir(join(household.home, 'Old'));
    await mkdir(join(household.home, 'Long'));
    await copyFile(join(place, 'mia', '.larder-home'), join(household.home, 'Old', '.larder-home'));
    await writeFile(join(household.home, 'Long', '.larder-home'), 'x'.repeat(100));
    const { name } = await make(household, { files: true });
    await rename(place, join(scratch, 'away'));
    await household.control('backup.remove', { name });
    expect(await inPlace(household)).toEqual([]);
  });

  it('keeps a backup that cannot be searched for such a home', async () => {
    const { name, path } = await make(household, { files: true });
    const place = join(scratch, 'place');
    await mkdir(place);
    await household.control('accounts.add', {
      ...{ username: 'mia', name: 'Mia', password: 'correct horse battery', homeFolder: join(place, 'mia') },
      createHomeFolder: true,
    });
    await rename(place, join(scratch, 'aside'));
    await symlink(place, place);
    const marker = join(path, 'files', 'homes', '.larder-home');
    await writeFile(marker, 'x'.repeat(100));
    expect(await refusalOf('backup.remove', { name })).toMatchObject({
      message: expect.stringMatching(like('api.backup.homeUnknown')),
    });
    await rm(marker);
    await household.control('backup.remove', { name });
    expect(await inPlace(household)).toEqual([]);
  });

  itInFull('can be shared with another installation', async () => {
    const place = join(scratch, 'shared');
    const other = await openHousehold();
    try {
      for (const one of [household, other])
        await one.control('settings.update', { backupFolder: place, backupKeep: 1 });
      const first = await make(household);
      const theirs = (await other.control('backup.make')) as { name: string; removed: string[] };
      expect(theirs.removed).toEqual([]);
      // Unfinished ones are left to whose they are.
      await mkdir(join(place, `${first.name}.00000000.partial`));
      await make(household);
      const { backups } = (await other.control('backup.list')) as { backups: { name: string; own: boolean }[] };
      expect(backups.map(({ own }) => own).sort()).toEqual([false, true]);
      expect(await readdir(place)).toContain(`${first.name}.00000000.partial`);
    } finally {
      await other.close();
    }
  });
});

describe('a file', () => {
  itInFull('gets its time and access rights back, even if the disk of the backups cannot store them', async () => {
    const path = join(household.home, 'a.txt');
    await chmod(path, 0o640);
    await utimes(path, 1_700_000_001.25, 1_700_000_001.25);
    const made = await make(household, { files: true });
    const copy = join(made.path, 'files', 'homes', 'ann', 'a.txt');
    await chmod(copy, 0o777);
    await utimes(copy, 1_700_000_002, 1_700_000_002);
    const folder = join(scratch, 'restored');
    await restore(made.path, folder);
    const { mode, mtimeMs } = await stat(join(folder, 'homes', 'ann', 'a.txt'));
    expect([mode & 0o777, mtimeMs]).toEqual([0o640, 1_700_000_001_250]);
  });

  it('is never restored into the backup itself', async () => {
    const made = await make(household, { files: true });
    await symlink(made.path, join(scratch, 'link'));
    for (const folder of [join(made.path, 'new'), made.path, join(scratch, 'link', 'new')])
      await expect(restore(made.path, folder), folder).rejects.toThrow(like('api.restore.inBackup'));
    await expect(restore(made.path, join(scratch, 'new'), { homesTo: join(made.path, 'homes') })).rejects.toThrow(
      like('api.restore.inBackup'),
    );
    expect(await household.control('backup.verify', { name: made.name })).toMatchObject({ ok: true });
    expect(await readdir(made.path)).not.toContain('new');
  });

  const isRoot = process.getuid?.() === 0;
  it.skipIf(isRoot)('that cannot be read is left out and reported', async () => {
    await chmod(join(household.home, 'a.txt'), 0);
    const made = await make(household, { files: true });
    expect(made.files).toMatchObject({ leftOut: 1 });
  });

  it('whose name is impossible on the disk of the backups is left out, without the rest', async () => {
    await writeFile(join(household.home, `${'n'.repeat(200)}.txt`), 'long');
    // A path that is too long with the folder of the backup before it.
    const LONGEST = 4_080;
    let folder = household.home;
    while (folder.length < LONGEST - 2) folder = join(folder, 'd'.repeat(Math.min(200, LONGEST - 1 - folder.length)));
    await mkdir(folder, { recursive: true });
    const made = await make(household, { files: true });
    expect(made.files).toMatchObject({ leftOut: 1, count: 2 });
    expect(made.notes.join()).toMatch(like('api.backup.noteLeftOut'));
    expect((await linesOf(made.path)).find(({ leftOut }) => leftOut !== undefined)?.leftOut).toBe(
      t('api.backup.reasonPath'),
    );
  });
});

describe('older versions', () => {
  it('that cannot be read are reported as such, not as removed, and the rest is copied', async () => {
    const api = await household.signIn();
    for (const content of ['first', 'second']) await api.put({ filePath: '/ROOT/HOME/note.txt' }, content);
    const folder = join(household.folder, '.larder', 'versions');
    await rename(folder, join(scratch, 'versions'));
    await writeFile(folder, 'in place of the folder');
    try {
      const made = await make(household, { files: true, history: true });
      const lines = await linesOf(made.path);
      expect(lines.filter(({ absent }) => absent === true)).toEqual([]);
      expect(lines.filter(({ leftOut }) => leftOut !== undefined).map(({ leftOut }) => leftOut)).toEqual([
        t('api.backup.reasonUnreadable', { reason: 'ENOTDIR' }),
      ]);
      expect(lines.map(({ path }) => path)).toContain('homes/ann/note.txt');
    } finally {
      await rm(folder);
      await rename(join(scratch, 'versions'), folder);
    }
  });
});

describe('a home', () => {
  it('on a disconnected disk is left out and named, and is offline after a restore', async () => {
    await rename(household.home, join(scratch, 'away'));
    try {
      const made = await make(household, { files: true });
      expect(made.files).toMatchObject({ count: 0, homes: [{ username: 'ann', state: 'offline' }] });
      expect(made.notes.join()).toMatch(like('api.backup.noteHomeOffline', { who: 'ann' }));
    } finally {
      await rename(join(scratch, 'away'), household.home);
    }
  });

  it('in another place is included, and restored only to a stated place', async () => {
    const outside = join(scratch, 'disk', 'photos');
    await mkdir(outside, { recursive: true });
    await writeFile(join(outside, 'photo.jpg'), 'photo');
    await household.control('accounts.add', {
      ...{ username: 'mia', name: 'Mia', password: 'correct horse battery' },
      ...{ homeFolder: outside, adoptHomeFolder: true },
    });
    const made = await make(household, { files: true, history: true });
    const stays = join(scratch, 'stays');
    const report = await restore(made.path, stays);
    expect(report.homes).toContainEqual(
      expect.objectContaining({ username: 'mia', files: 'elsewhere', path: outside }),
    );
    const moved = join(scratch, 'moved');
    const homesTo = join(scratch, 'homes');
    const { homes } = await restore(made.path, moved, { homesTo });
    expect(homes).toContainEqual(
      expect.objectContaining({ username: 'mia', files: 'restored', path: join(homesTo, 'photos') }),
    );
    await whileServed(moved, async ({ api, control }) => {
      const mia = await signInAt(api, household, 'mia', 'correct horse battery');
      expect((await mia.get('files/download', { path: '/ROOT/HOME/photo.jpg' })).text).toBe('photo');
      expect((await mia.put({ filePath: '/ROOT/HOME/new.txt' }, 'new')).status).toBe(201);
      expect(await control('doctor')).toMatchObject({ ok: true });
    });
    expect(await readdir(outside)).not.toContain('new.txt');
    await expect(restore(made.path, join(scratch, 'again'), { homesTo })).rejects.toThrow(
      like('api.restore.homeExists'),
    );
    await expect(restore(made.path, join(scratch, 'in'), { homesTo: join(scratch, 'in', 'x') })).rejects.toThrow(
      t('api.restore.homesOutside'),
    );
    expect((await readdir(scratch)).sort()).not.toContain('again');
  });

  it('in the trash is included with the history, and removed without it', async () => {
    await household.whileStopped(async () => {
      const folders = await openHomeFolders(household.folder);
      try {
        const path = join(household.folder, 'homes', 'bob');
        const home = await folders.homeFolders.create(path, { adopt: false, by: 'owner' });
        await folders.give('bob', home);
        await writeFile(join(path, 'bobs.txt'), 'of bob');
        await folders.take('bob', home.homeId);
        await folders.homeFolders.moveToTrash(home.homeId, 'bob', LARDER);
      } finally {
        await folders.close();
      }
    });
    const whole = await make(household, { files: true, history: true });
    const part = await make(household, { files: true });
    const [with_, without] = [join(scratch, 'with'), join(scratch, 'without')];
    expect((await restore(whole.path, with_)).homes).toContainEqual(
      expect.objectContaining({ username: 'bob', files: 'restored' }),
    );
    const { forgotten, homes } = await restore(part.path, without);
    expect(forgotten.homes).toBe(1);
    expect(homes).toContainEqual(expect.objectContaining({ username: 'bob', files: 'forgotten' }));
    await whileServed(with_, async ({ control }) => {
      const { homes: trashed } = (await control('homes.trash.list')) as { homes: { id: string }[] };
      expect(trashed).toHaveLength(1);
      await control('homes.trash.restore', { id: trashed[0]?.id });
      expect(await readdir(join(with_, 'homes', 'bob'))).toContain('bobs.txt');
      expect(await control('doctor')).toMatchObject({ ok: true });
    });
    await whileServed(without, async ({ control }) => {
      expect(await control('homes.trash.list')).toEqual({ homes: [] });
      expect(await control('doctor')).toMatchObject({ ok: true });
    });
  });
});
