import { existsSync } from 'node:fs';
import { appendFile, cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspectFolder } from '../../dist/main/folder-check.js';
import { backupsIn } from '../../dist/server/backup/format/list-backups.js';
import { scanBeforeOpening } from '../../dist/server/control/doctor/before-opening.js';
import { prepareFolder } from '../../dist/server/storage/installation/data-folder.js';
import { layoutOf } from '../../dist/server/storage/layout.js';
import { itInFull, sampled } from '../support/forms.ts';
import { OWNER } from '../support/households/household.ts';
import { setUpFolder } from '../support/households/set-up-folder.ts';
import { like, t } from '../support/server-texts.ts';
import { larder, larderTo } from './command.ts';
import { remove, scratchFolder } from './support.ts';

let scratch: string;
let folder: string;

beforeAll(async () => {
  scratch = await scratchFolder();
  folder = join(scratch, 'larder');
  await setUpFolder(folder);
  await mkdir(join(folder, 'homes', OWNER.username, 'letters'));
  for (const name of ['a.txt', 'b.txt', 'c.txt'])
    await writeFile(join(folder, 'homes', OWNER.username, 'letters', name), name);
});
afterAll(() => remove(scratch));

const BACKUP = ['backup', '--files', '--history', '--passphrase-stdin', '--json'];
const backup = () => larder([...BACKUP, '--folder', folder]);
const backupTo = (point: string) => larderTo(scratch, point, 'kill', [...BACKUP, '--folder', folder]);
const place = () => join(folder, '.larder', 'backups');
const backups = async () => (await readdir(place())).filter((name) => name.startsWith('larder-')).sort();

describe('a backup that a power cut interrupts', () => {
  it.each(
    sampled(
      ['storage.backup.write', 'storage.backup.flush', 'backup.database', 'backup.written', 'backup.verified'],
      2,
    ),
  )('at %s does not exist afterwards, and the next one succeeds', async (point) => {
    const before = await backups();
    await writeFile(join(folder, 'homes', OWNER.username, `${point}.txt`), 'new');
    expect((await backupTo(point)).signal).toBe('SIGKILL');
    const left = (await backups()).filter((name) => !before.includes(name));
    expect(left).toEqual([expect.stringMatching(/^larder-.*\.partial$/)]);
    expect((await backupsIn(place())).map(({ name }) => name).sort()).toEqual(before);
    const { code, stdout } = await backup();
    expect(code).toBe(0);
    expect((await backups()).filter((name) => !before.includes(name))).toEqual([JSON.parse(stdout).name]);
  });

  itInFull('after it got its name is complete', async () => {
    const before = await backups();
    expect((await backupTo('backup.named')).signal).toBe('SIGKILL');
    const [made = ''] = (await backups()).filter((name) => !before.includes(name));
    const verified = await larder(['backup', '--verify', made, '--passphrase-stdin', '--json', '--folder', folder]);
    expect([verified.code, JSON.parse(verified.stdout)]).toEqual([0, { name: made, ok: true, problems: [] }]);
  });
});

itInFull('reads the passphrase from standard input only', async () => {
  const { code, stdout } = await larder(['backup', '--set-passphrase', '--json', '--folder', folder]);
  expect([code, JSON.parse(stdout)]).toEqual([0, { passphraseSet: true }]);
  const made = JSON.parse((await larder(['backup', '--json', '--folder', folder])).stdout);
  expect(made.keys).toBe(true);
  const check = ['backup', '--verify', made.path, '--passphrase-stdin', '--json', '--folder', folder];
  expect((await larder(check)).code).toBe(0);
  expect((await larder(['backup', '--set-passphrase', 'seven green bottles', '--folder', folder])).code).toBe(2);
});

describe('a restore that a power cut interrupts', () => {
  let from: string;
  beforeAll(async () => {
    from = JSON.parse((await backup()).stdout).path;
  });
  const args = (target: string) => ['restore', '--from', from, '--folder', target, '--passphrase-stdin', '--json'];
  const restore = (target: string) => larder(args(target));
  const restoreTo = (target: string, point: string, action = 'kill') => larderTo(scratch, point, action, args(target));
  const letters = (target: string) => readdir(join(target, 'homes', OWNER.username, 'letters'));

  it.each(sampled(['restore.keys', 'storage.backup.flush', 'restore.files', 'restore.built'], 2))(
    'at %s leaves nothing that a server would open, and can be repeated',
    async (point) => {
      const target = join(scratch, point);
      expect((await restoreTo(target, point)).signal).toBe('SIGKILL');
      expect(await readdir(target)).toEqual(['.larder-restoring']);
      await expect(prepareFolder(layoutOf(target))).rejects.toThrow(like('api.storage.restoreInterrupted'));
      expect((await scanBeforeOpening(layoutOf(target))).blocking).toEqual([expect.stringMatching(/restore/)]);
      expect(await readdir(target)).toEqual(['.larder-restoring']);
      expect((await restore(target)).code).toBe(0);
      expect(await letters(target)).toEqual(['a.txt', 'b.txt', 'c.txt']);
    },
  );

  itInFull('between its last steps leaves nothing that a server would open', async () => {
    const target = join(scratch, 'homes moved');
    expect((await restoreTo(target, 'restore.homes')).signal).toBe('SIGKILL');
    const served = await larder(['serve', '--folder', target, '--port', '0', '--control-port', '0']);
    expect(served.code).toBe(3);
    const again = await restore(target);
    expect([again.code, again.stderr]).toEqual([3, expect.stringMatching(like('api.restore.notEmpty'))]);
    expect((await readdir(target)).sort()).toEqual(['.larder-restoring', 'homes']);
  });

  itInFull('after its last step is complete', async () => {
    const target = join(scratch, 'done');
    expect((await restoreTo(target, 'restore.done')).signal).toBe('SIGKILL');
    expect(await letters(target)).toEqual(['a.txt', 'b.txt', 'c.txt']);
    const status = await larder(['status', '--json', '--folder', target]);
    expect(JSON.parse(status.stdout)).toMatchObject({ hasOwner: true });
  });

  itInFull.each(
    sampled(
      [
        ['restore.files', 'enospc'],
        ['storage.backup.write', 'enospc'],
        ['storage.backup.flush', 'eio'],
        ['restore.homes', 'eio'],
      ],
      1,
    ),
  )('at %s by a disk (%s) leaves nothing', async (point, action) => {
    const target = join(scratch, `${point} ${action}`);
    const { code, stderr } = await restoreTo(target, point, action);
    expect([code, stderr]).toEqual([4, expect.stringMatching(action === 'enospc' ? /is full/ : /has errors/)]);
    expect(existsSync(target)).toBe(false);
    // A folder that was there, empty, is there again.
    await mkdir(target);
    expect((await restoreTo(target, point, action)).code).toBe(4);
    expect(await readdir(target)).toEqual([]);
  });

  it('goes to another folder: no server starts in the backup itself', async () => {
    const before = await readdir(from);
    const served = await larder(['serve', '--folder', from, '--port', '0', '--control-port', '0']);
    expect([served.code, served.stderr + served.stdout]).toEqual([
      3,
      expect.stringMatching(/is a backup.*larder\.cjs restore/),
    ]);
    expect((await scanBeforeOpening(layoutOf(from))).blocking).toEqual([expect.stringMatching(/is a backup/)]);
    expect(await inspectFolder(from)).toMatchObject({
      kind: 'unusable',
      problem: expect.stringMatching(/is a backup/),
    });
    expect(await readdir(from)).toEqual(before);
  });

  it('is not started from a backup with a damaged database', async () => {
    const copy = join(scratch, 'copy');
    await cp(from, copy, { recursive: true });
    await appendFile(join(copy, 'larder.sqlite'), 'more');
    const target = join(scratch, 'of a damaged one');
    const { code, stderr } = await larder(['restore', '--from', copy, '--folder', target, '--passphrase-stdin']);
    expect([code, stderr]).toEqual([
      4,
      expect.stringContaining(t('api.backup.changedFile', { folder: copy, file: 'larder.sqlite' })),
    ]);
    expect(existsSync(target)).toBe(false);
  });
});
