import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Household, OWNER, openHousehold } from '../support/households/household.ts';
import { like, t } from '../support/server-texts.ts';
import { make, PASSPHRASE, remove, scratchFolder, signInAt, whileServed } from './support.ts';

let household: Household;
let scratch: string;
let name: string;

beforeAll(async () => {
  household = await openHousehold();
  scratch = await scratchFolder();
  await writeFile(join(household.home, 'plums.txt'), 'ripe');
  ({ name } = await make(household, { files: true, passphrase: PASSPHRASE }));
});
afterAll(async () => {
  await household.close();
  await remove(scratch);
});

const restore = (wanted: object) => household.control('backup.restore', { name, passphrase: PASSPHRASE, ...wanted });
const refusalOf = (wanted: object) =>
  restore(wanted).then(
    () => null,
    ({ code, field, message }) => ({ code, field, message }),
  );

describe('a restore beside the running server', () => {
  it('is a separate installation, and does not change the running one', async () => {
    const folder = join(scratch, 'new', 'Larder');
    const restored = await restore({ folder });
    expect(restored).toMatchObject({ folder, files: 1, bytes: 4, authority: 'kept', homes: [{ files: 'restored' }] });
    expect(await readFile(join(folder, 'homes', 'ann', 'plums.txt'), 'utf8')).toBe('ripe');
    await writeFile(join(household.home, 'since.txt'), 'later');
    expect((await household.control('status')).running).toBe(true);
    const api = await household.signIn();
    expect((await api.get('files/browse', { path: '/ROOT/HOME' })).text).toContain('since.txt');
    await whileServed(folder, async ({ api: other }) => {
      const there = await signInAt(other, household, OWNER.username, OWNER.password);
      const listed = await there.get('files/browse', { path: '/ROOT/HOME' });
      expect(listed.text).toContain('plums.txt');
      expect(listed.text).not.toContain('since.txt');
    });
    const { entries } = (await household.control('activity.list', { kinds: ['backup.restored'] })) as {
      entries: { subject: string; details: object }[];
    };
    expect(entries).toEqual([expect.objectContaining({ subject: name, details: { folder } })]);
    expect(await household.control('backup.state')).toMatchObject({ progress: { what: null }, failure: null });
  });

  it('goes only into an empty folder outside of this household', async () => {
    const full = join(scratch, 'full');
    await mkdir(full);
    await writeFile(join(full, 'mine.txt'), 'mine');
    const within = join(household.folder, 'homes', 'ann', 'new');
    // The same place by another name.
    const byLink = join(scratch, 'link');
    await symlink(household.folder, byLink);
    const cases: [string, RegExp][] = [
      ['', like('api.settings.folder')],
      ['somewhere', like('api.settings.folder')],
      [join(scratch, 'a\u0000b'), like('api.settings.folder')],
      ['/etc/larder', like('api.backup.systemFolder')],
      [full, like('api.restore.notEmpty')],
      [household.folder, like('api.restore.inData')],
      [within, like('api.restore.inData')],
      [join(household.folder, '.larder', 'backups', 'new'), like('api.restore.inBackups')],
      [join(byLink, 'new'), like('api.restore.inData')],
    ];
    for (const [folder, message] of cases) {
      const refusal = await refusalOf({ folder });
      expect([folder, refusal?.field], folder).toEqual([folder, 'folder']);
      expect(refusal?.message).toMatch(message);
    }
    expect(existsSync(within)).toBe(false);
    expect(await readFile(join(full, 'mine.txt'), 'utf8')).toBe('mine');
  });

  it('accepts the passphrase, reports if there is none, and leaves nothing after a failure', async () => {
    const folder = join(scratch, 'keys');
    for (const wanted of [{ passphrase: 'six green bottles' }, { passphrase: undefined }]) {
      expect(await refusalOf({ folder, ...wanted })).toMatchObject({ field: 'passphrase' });
      expect(existsSync(folder)).toBe(false);
    }
    const restored = await restore({ folder, passphrase: undefined, newAuthority: true });
    expect(restored).toMatchObject({ authority: 'new' });
    expect(restored.authorityFingerprint).not.toBe((await household.control('status')).authorityFingerprint);
  });

  it('accepts only backups of the destination', async () => {
    for (const wrong of ['nothing', '../..', name.slice(0, -1)]) {
      expect(await refusalOf({ name: wrong, folder: join(scratch, 'no') })).toMatchObject({ code: 'refused' });
    }
    expect(existsSync(join(scratch, 'no'))).toBe(false);
  });

  it('can be cancelled, and leaves nothing', async () => {
    const big = join(household.home, 'Many');
    await mkdir(big);
    await Promise.all(Array.from({ length: 400 }, (_, n) => writeFile(join(big, `${n}.bin`), Buffer.alloc(64_000, n))));
    const { name: larger } = await make(household, { files: true });
    const folder = join(scratch, 'cancelled');
    const work = refusalOf({ name: larger, folder, passphrase: undefined, newAuthority: true });
    const what = async () => ((await household.control('backup.state')).progress as { what: string | null }).what;
    // It goes on in this process: it cannot pass in a turn of the event loop.
    while ((await what()) !== 'restore') await turn();
    // One thing at a time.
    expect(await refusalOf({ folder: join(scratch, 'other') })).toMatchObject({ code: 'refused' });
    expect(await household.control('backup.cancel')).toEqual({ cancelled: true });
    expect(await work).toMatchObject({ message: t('api.restore.cancelled') });
    expect(existsSync(folder)).toBe(false);
    expect((await readdir(scratch)).sort()).toEqual(['full', 'keys', 'link', 'new']);
    expect(await household.control('backup.state')).toMatchObject({ progress: { what: null }, failure: null });
  });
});
