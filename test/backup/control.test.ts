import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Household, openHousehold } from '../support/households/household.ts';
import { t } from '../support/server-texts.ts';
import { inPlace, make, namesIn, PASSPHRASE } from './support.ts';

let household: Household;

beforeAll(async () => {
  household = await openHousehold();
  await writeFile(join(household.home, 'a.txt'), 'a');
});
afterAll(() => household.close());

const refusalOf = (method: string, input: object = {}) =>
  household.control(method, input).then(
    () => null,
    ({ code, field, message }) => ({ code, ...(field === undefined ? {} : { field }), message }),
  );

describe('the control methods for backups', () => {
  it('make, list, verify and remove backups', async () => {
    const made = await make(household, { files: true, passphrase: PASSPHRASE });
    const { place, backups } = (await household.control('backup.list')) as { place: string; backups: object[] };
    expect(place).toBe(join(household.folder, '.larder', 'backups'));
    const { notCopied, notes: _notes, removed: _removed, heldBack, ...view } = made;
    expect(notCopied).toEqual([]);
    expect(heldBack).toEqual([]);
    expect(backups).toEqual([
      { name: made.name, path: made.path, own: true, problem: null, backup: view, checked: null },
    ]);
    const verify = (passphrase?: string) =>
      household.control('backup.verify', { name: made.name, ...(passphrase ? { passphrase } : {}) });
    expect(await verify()).toEqual({ name: made.name, ok: true, problems: [] });
    expect(await verify(PASSPHRASE)).toEqual({ name: made.name, ok: true, problems: [] });
    expect(await verify('something else')).toMatchObject({
      ok: false,
      problems: [expect.stringMatching(/passphrase/)],
    });
    const checked = async () =>
      ((await household.control('backup.list')) as { backups: { checked: { problems: string[] } | null }[] }).backups[0]
        ?.checked;
    expect(await checked()).toMatchObject({ problems: [] });
    await household.restart();
    expect(await checked(), 'remembered').toMatchObject({ problems: [] });
    await writeFile(join(made.path, 'files', 'homes', 'ann', 'a.txt'), 'b');
    expect(await verify()).toMatchObject({ ok: false });
    expect(await checked()).toMatchObject({
      problems: [expect.stringContaining(`a.txt (${t('api.backup.damageChanged')})`)],
    });
    await writeFile(join(made.path, 'manifest.json'), '{}');
    expect(await household.control('backup.list')).toMatchObject({
      backups: [{ name: made.name, own: false, backup: null, problem: expect.stringMatching(/damaged/) }],
    });
    expect(await household.control('backup.remove', { name: made.name })).toEqual({ name: made.name });
    expect(await inPlace(household)).toEqual([]);
  });

  it('report whether the destination is available, its disk, and why the last backup failed', async () => {
    const state = () => household.control('backup.state');
    expect(await state()).toMatchObject({ placeThere: true, sameDisk: true, failure: null });
    const place = join(household.folder, 'elsewhere');
    await household.control('settings.update', { backupFolder: place });
    await rm(place, { recursive: true });
    expect(await state()).toMatchObject({ place, placeThere: false, sameDisk: false, failure: null });
    await refusalOf('backup.make');
    expect(await state()).toMatchObject({
      failure: { at: expect.stringMatching(/Z$/), message: expect.stringMatching(/not connected/) },
      // Nobody was promised that one.
      attention: [],
    });
    await household.control('settings.update', { backupFolder: '' });
    await make(household);
    expect(await state()).toMatchObject({ placeThere: true, failure: null });
  });

  it('accept only names of backups', async () => {
    for (const name of ['nothing', '..', '.', '', '../..', 'larder-2020-01-01T000000Z', 'newest-backup.json']) {
      for (const method of ['backup.verify', 'backup.remove'])
        expect(await refusalOf(method, { name }), name).toMatchObject({ code: 'refused' });
    }
    expect(await readdir(join(household.folder, '.larder'))).toContain('backups');
  });

  it('encrypt the keys with the configured passphrase, which is neither returned nor stored', async () => {
    for (const passphrase of ['short', '', 'x'.repeat(2_000)]) {
      for (const [method, input] of [
        ['backup.setPassphrase', { passphrase }],
        ['backup.make', { passphrase }],
      ] as const)
        expect(await refusalOf(method, input)).toMatchObject({ code: 'invalid_input', field: 'passphrase' });
    }
    expect(await household.control('backup.setPassphrase', { passphrase: PASSPHRASE })).toEqual({
      passphraseSet: true,
    });
    expect(await household.control('settings.get')).toMatchObject({ backupPassphraseSet: true });
    await household.restart();
    const made = await make(household);
    expect(await household.control('backup.verify', { name: made.name, passphrase: PASSPHRASE })).toMatchObject({
      ok: true,
    });
    const everything = JSON.stringify([
      await household.control('settings.get'),
      await household.control('activity.list'),
      await household.control('backup.state'),
    ]);
    const sealed = JSON.parse(await readFile(join(made.path, 'keys.sealed'), 'utf8'));
    for (const secret of [PASSPHRASE, sealed.publicKey, sealed.salt]) {
      expect(everything).not.toContain(secret);
      expect(household.logged()).not.toContain(secret);
    }
    const key = await readFile(join(household.folder, '.larder', 'tls', 'ca.key'), 'utf8');
    const line = key.split('\n')[1] ?? '';
    for (const path of ['larder.sqlite', 'larder.sqlite-wal'].map((name) => join(household.folder, '.larder', name))) {
      const bytes = await readFile(path).catch(() => Buffer.alloc(0));
      expect(bytes.includes(PASSPHRASE)).toBe(false);
    }
    for (const name of await readdir(made.path, { recursive: true, withFileTypes: true })) {
      if (name.isFile()) expect((await readFile(join(name.parentPath, name.name))).includes(line)).toBe(false);
    }
    expect(await household.control('backup.setPassphrase', { passphrase: null })).toEqual({ passphraseSet: false });
    expect((await make(household)).keys).toBe(false);
  });
});

describe('a backup in progress', () => {
  it('is reported, prevents others from starting, and can be cancelled', async () => {
    const before = await namesIn(household);
    const told: { what: string | null; phase: string | null }[] = [];
    const events = await household.larder.dispatcher.events();
    let end = () => {};
    const begun = new Promise<void>((resolve) => {
      end = events.subscribe((name, payload) => {
        if (name !== 'backup.progress') return;
        told.push(payload as never);
        resolve();
      });
    });
    const work = refusalOf('backup.make', { files: true });
    await begun;
    expect(told).toMatchObject([{ what: 'backup', phase: 'files' }]);
    expect(await refusalOf('backup.make')).toMatchObject({
      code: 'refused',
      message: t('api.backup.busy'),
    });
    expect(await household.control('backup.state')).toMatchObject({ progress: { what: 'backup' } });
    expect(await household.control('backup.cancel')).toEqual({ cancelled: true });
    expect(await work).toMatchObject({ code: 'refused', message: t('api.backup.cancelled') });
    end();
    expect(told.at(-1)).toEqual({ what: null, phase: null, doneFiles: 0, doneBytes: 0, totalBytes: null });
    expect(await namesIn(household)).toEqual(before);
    expect(await inPlace(household)).toEqual([...before].sort());
    expect(await household.control('backup.cancel')).toEqual({ cancelled: false });
    expect(await household.control('backup.state')).toMatchObject({ progress: { what: null } });
  });

  it('is cancelled when the server stops, and leaves nothing', async () => {
    const before = await inPlace(household);
    for (let count = 0; count < 200; count += 1) await writeFile(join(household.home, `${count}.txt`), `${count}`);
    const work = refusalOf('backup.make', { files: true });
    await expect.poll(async () => (await inPlace(household)).length).toBeGreaterThan(before.length);
    await household.restart();
    expect(await work).toMatchObject({ code: 'refused' });
    expect(await inPlace(household)).toEqual(before);
  });
});
