import { mkdir, readdir, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newBackupName } from '../../dist/server/backup/format/names.js';
import { tooMany } from '../../dist/server/backup/make/prune.js';
import { scanBeforeOpening } from '../../dist/server/control/doctor/before-opening.js';
import { Connection } from '../../dist/server/database/connection.js';
import { DAY, HOUR } from '../../dist/server/lib/clock.js';
import { layoutOf } from '../../dist/server/storage/layout.js';
import { type Household, openHousehold } from '../support/households/household.ts';
import { like } from '../support/server-texts.ts';
import { make, namesIn, remove, scratchFolder } from './support.ts';

describe('the surplus backups', () => {
  const NOW = Date.parse('2026-11-22T03:00:00Z');
  const one = (
    name: string,
    { files = false, history = false, keys = true, homes = [] as object[], madeAt = '2026-11-20T03:00:00Z' } = {},
  ) => ({ name, manifest: { files: files ? { history, homes } : null, keys: keys ? {} : null, madeAt } }) as never;
  const names = (backups: { name: string }[]) => backups.map(({ name }) => name);

  it('are the oldest, never the only one, and never the newest complete one', () => {
    expect(names(tooMany([one('c'), one('b'), one('a')], 2, NOW))).toEqual(['a']);
    expect(names(tooMany([one('a')], 1, NOW))).toEqual([]);
    const many = [one('e'), one('d'), one('c', { files: true }), one('b', { files: true }), one('a')];
    expect(names(tooMany(many, 1, NOW))).toEqual(['d', 'b', 'a']);
    const older = [one('c', { keys: false }), one('b', { files: true, keys: false }), one('a')];
    expect(names(tooMany(older, 1, NOW))).toEqual([]);
    const history = [one('c', { files: true }), one('b', { files: true, history: true }), one('a', { files: true })];
    expect(names(tooMany(history, 1, NOW))).toEqual(['a']);
  });

  it('never include the last one with a home on a disconnected disk', () => {
    const home = (state: string) => ({ files: true, homes: [{ id: 'mia', state }] });
    const backups = [
      one('d', home('offline')),
      one('c', home('offline')),
      one('b', home('copied')),
      one('a', home('copied')),
    ];
    expect(names(tooMany(backups, 2, NOW))).toEqual(['a']);
    // One that is not there any more is in nobody's way for ever.
    expect(names(tooMany([one('e', { files: true }), ...backups], 1, NOW))).toEqual(['d', 'c', 'b', 'a']);
  });

  it('never include the latest one, even if a wrong clock has dated others in the future', () => {
    const madeAt = '2036-01-01T03:00:00Z';
    const backups = [one('d', { madeAt }), one('c', { madeAt }), one('b'), one('a')];
    expect(names(tooMany(backups, 2, NOW))).toEqual(['d', 'c']);
    // A clock that has been set back: all others are of the future.
    expect(names(tooMany([one('b', { madeAt }), one('a')], 1, Date.parse('2026-11-20T03:00:01Z')))).toEqual(['b']);
  });
});

describe('backups made within the same second', () => {
  it('are numbered in order, also after earlier ones were removed', () => {
    const at = Date.parse('2026-11-22T03:15:00Z');
    const base = 'larder-2026-11-22T031500Z';
    expect(newBackupName(at, [])).toBe(base);
    expect(newBackupName(at, [base, 'larder-2026-11-22T031459Z-7', `${base}.0123abcd.partial`])).toBe(`${base}-2`);
    expect(newBackupName(at, [`${base}-9`, `${base}-10`])).toBe(`${base}-11`);
  });

  it('are listed and removed in that order', async () => {
    const household = await openHousehold();
    try {
      await household.control('settings.update', { backupKeep: 2 });
      const made: string[] = [];
      for (let count = 0; count < 12; count += 1) {
        made.push((await make(household)).name);
        expect(await namesIn(household)).toEqual(made.slice(-2).reverse());
      }
    } finally {
      await household.close();
    }
  });
});

describe('automatic backups', () => {
  let household: Household;
  let scratch: string;

  beforeEach(async () => {
    household = await openHousehold();
    scratch = await scratchFolder();
    // Not between the set-up, which was some time before, and now: a backup would be due at once.
    const hour = new Date(household.clock.now()).getHours();
    await household.control('settings.update', { backupHour: (hour + 12) % 24 });
  });
  afterEach(async () => {
    await household.close();
    await remove(scratch);
  });

  const tick = () => household.larder.backUpIfDue();
  const set = (changes: object) => household.control('settings.update', changes);
  const kindsIn = async () => {
    const { entries } = (await household.control('activity.list', { group: 'system' })) as {
      entries: { kind: string; channel: string; details: object }[];
    };
    return entries;
  };

  it('are made once a day, kept in the configured number, and made up for after the computer was off', async () => {
    await tick();
    expect(await namesIn(household)).toEqual([]);
    const names: string[] = [];
    for (let day = 0; day < 4; day += 1) {
      household.clock.advance(DAY);
      await tick();
      await tick();
      const [newest = ''] = await namesIn(household);
      names.unshift(newest);
      expect(new Set(names).size).toBe(day + 1);
    }
    expect(await namesIn(household)).toEqual(names);
    await set({ backupKeep: 2 });
    await household.whileStopped(async () => household.clock.advance(9 * DAY));
    await tick();
    await tick();
    const left = await namesIn(household);
    expect(left.slice(1)).toEqual(names.slice(0, 1));
    expect(await kindsIn()).toContainEqual(
      expect.objectContaining({ kind: 'backup.made', channel: 'larder', subject: left[0], details: { files: true } }),
    );
  });

  it('continue after a wrong clock was corrected', async () => {
    household.clock.advance(1_000 * DAY);
    await tick();
    household.clock.advance(-1_000 * DAY);
    for (let day = 1; day < 4; day += 1) {
      household.clock.advance(DAY);
      await tick();
      await tick();
      expect(await namesIn(household)).toHaveLength(1 + day);
    }
    const notes = ((await household.control('doctor')) as { notes: string[] }).notes.join();
    expect(notes).not.toMatch(/backup/);
    await set({ backupEvery: 'week' });
    household.clock.advance(20 * DAY);
    expect(((await household.control('doctor')) as { notes: string[] }).notes.join()).toMatch(like('api.backup.late'));
  });

  it('are not made before the set-up, or if they are off', async () => {
    const empty = await openHousehold({ owner: null });
    try {
      empty.clock.advance(30 * DAY);
      await empty.larder.backUpIfDue();
      expect(await readdir(join(empty.folder, '.larder', 'backups'))).toEqual([]);
    } finally {
      await empty.close();
    }
    await set({ backupEvery: 'never' });
    household.clock.advance(30 * DAY);
    await tick();
    expect(await namesIn(household)).toEqual([]);
  });

  it('with files are due if the last one has none', async () => {
    await set({ backupFiles: false });
    household.clock.advance(DAY);
    await tick();
    await set({ backupFiles: true });
    await tick();
    const { backups } = (await household.control('backup.list')) as { backups: { backup: { files: object | null } }[] };
    expect(backups.map(({ backup }) => backup.files !== null)).toEqual([true, false]);
  });

  it('that do not fit are not started: the owner is told, and everything except files is backed up daily', async () => {
    const large = join(household.home, 'large.bin');
    await writeFile(large, '');
    // It takes no space itself, and its size is more than is free anywhere here.
    await truncate(large, 12 * 1024 ** 4);
    const api = await household.signIn();
    await api.get('files/browse', { path: '/ROOT/HOME', details: 'uuid' });
    household.clock.advance(DAY);
    await tick();
    const { attention } = (await household.control('status')) as { attention: string[] };
    expect(attention[0]).toMatch(like('api.backup.failed'));
    expect(attention[0]).toMatch(/12\.0 TB/);
    const contents = async () => {
      const { backups } = (await household.control('backup.list')) as { backups: { backup: { files: unknown } }[] };
      return backups.map(({ backup }) => backup.files !== null);
    };
    expect(await contents()).toEqual([false]);
    expect(await household.control('backup.state')).toMatchObject({
      ...{ newest: { files: false }, contents: { files: true, history: false } },
      failure: { message: expect.stringMatching(/12\.0 TB/) },
    });
    household.clock.advance(HOUR);
    await tick();
    expect(await contents()).toEqual([false]);
    await rm(large);
    await (await household.signIn()).get('files/browse', { path: '/ROOT/HOME', details: 'uuid' });
    household.clock.advance(HOUR);
    await expect
      .poll(async () => {
        household.clock.advance(HOUR);
        await tick();
        return contents();
      })
      .toEqual([true, false]);
    expect(await household.control('backup.state')).toMatchObject({ newest: { files: true }, failure: null });
  });

  it('do not change existing households until their owner decides', async () => {
    expect(await household.control('backup.state')).toMatchObject({ chosen: false, contents: { files: true } });
    // As set up before files were included.
    await household.whileStopped(async () => {
      const database = await Connection.open(layoutOf(household.folder).database);
      await database.run("DELETE FROM settings WHERE key LIKE 'backup%'");
      await database.close();
    });
    expect(await household.control('backup.state')).toMatchObject({ chosen: false, contents: { files: false } });
    const { bytes, freeBytes } = (await household.control('backup.estimate', { place: join(scratch, 'new') })) as {
      bytes: Record<string, number>;
      freeBytes: number;
    };
    expect([bytes.files, bytes.history, (bytes.database ?? 0) > 10_000, freeBytes > 0]).toEqual([0, 0, true, true]);
    await set({ backupFiles: true });
    expect(await household.control('backup.state')).toMatchObject({ chosen: true, contents: { files: true } });
  });

  it('that fail are reported until one succeeds, and repeated after an hour', async () => {
    const place = join(scratch, 'disk');
    await mkdir(place);
    await set({ backupFolder: place });
    await rename(place, `${place} away`);
    household.clock.advance(2 * DAY);
    await tick();
    const attention = async () => ((await household.control('status')) as { attention: string[] }).attention.join();
    expect(await attention()).toMatch(like('api.backup.failed'));
    expect(await household.control('backup.state')).toMatchObject({ attention: [expect.any(String)] });
    const failed = (await kindsIn()).filter(({ kind }) => kind === 'backup.failed');
    expect(failed).toMatchObject([{ channel: 'larder', details: { reason: expect.stringMatching(/not connected/) } }]);
    await rename(`${place} away`, place);
    await tick();
    expect(await namesIn(household)).toEqual([]);
    household.clock.advance(HOUR);
    await tick();
    expect(await namesIn(household)).toHaveLength(1);
    expect(await attention()).toBe('');
  });

  it('are reported as missing by the doctor, also with a damaged database', async () => {
    const notes = async () => ((await household.control('doctor')) as { notes: string[] }).notes.join('\n');
    expect(await notes()).not.toMatch(/backup/);
    household.clock.advance(3 * DAY);
    expect(await notes()).toMatch(like('api.backup.none', { files: 'true' }));
    const made = await make(household);
    expect(await notes()).not.toMatch(/backup/);
    household.clock.advance(3 * DAY);
    expect(await notes()).toMatch(like('api.backup.late', { files: 'true' }));
    await household.whileStopped(async () => {
      const layout = layoutOf(household.folder);
      await rename(layout.database, `${layout.database}.away`);
      expect((await scanBeforeOpening(layout)).blocking.join()).toContain(made.path);
      await rename(`${layout.database}.away`, layout.database);
    });
  });
});
