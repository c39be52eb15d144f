import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OWNER } from '../support/household.ts';
import { setUpFolder } from '../support/set-up-folder.ts';
import { PASSPHRASE, remove, scratchFolder } from './support.ts';

const LARDER = fileURLToPath(new URL('../../dist/server/larder.cjs', import.meta.url));

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

/** Runs a command; with a fail point it has to come there. */
async function larder(args: readonly string[], point = '', action = 'kill') {
  const failPoints = point === '' ? {} : { LARDER_FAIL_POINTS: `${scratch};${point}=${action}` };
  const child = spawn(process.execPath, [LARDER, ...args], { env: { ...process.env, ...failPoints }, stdio: 'pipe' });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  child.stdin.end(`${PASSPHRASE}\n`);
  const [code, signal] = await once(child, 'close');
  if (point !== '') {
    expect(existsSync(join(scratch, `${point}.reached`)), `${point} was not reached: ${stderr}`).toBe(true);
    await remove(join(scratch, `${point}.reached`));
  }
  return { code, signal, stdout, stderr };
}

const BACKUP = ['backup', '--files', '--history', '--passphrase-stdin', '--json'];
const backup = (point = '', action = 'kill') => larder([...BACKUP, '--folder', folder], point, action);
const backups = async () =>
  (await readdir(join(folder, '.larder', 'backups'))).filter((name) => name.startsWith('larder-')).sort();

describe('a backup that a power cut ends', () => {
  it.each(['storage.backup.write', 'storage.backup.flush', 'backup.database', 'backup.written', 'backup.verified'])(
    'at %s is not there, and the next one is',
    async (point) => {
      const before = await backups();
      expect((await backup(point)).signal).toBe('SIGKILL');
      const left = (await backups()).filter((name) => !before.includes(name));
      expect(left).toEqual([expect.stringMatching(/^larder-.*\.partial$/)]);
      const listed = await larder(['backup', '--list', '--json', '--folder', folder]);
      expect(JSON.parse(listed.stdout).backups.map(({ name }: { name: string }) => name)).not.toContain(left[0]);
      const { code, stdout } = await backup();
      expect(code).toBe(0);
      expect((await backups()).filter((name) => !before.includes(name))).toEqual([JSON.parse(stdout).name]);
    },
    60_000,
  );

  it('after it has its name is there, whole', async () => {
    const before = await backups();
    expect((await backup('backup.named')).signal).toBe('SIGKILL');
    const [made = ''] = (await backups()).filter((name) => !before.includes(name));
    const verified = await larder(['backup', '--verify', made, '--passphrase-stdin', '--json', '--folder', folder]);
    expect([verified.code, JSON.parse(verified.stdout)]).toEqual([0, { name: made, ok: true, problems: [] }]);
  });
});

describe('a restore that a power cut ends', () => {
  let from: string;
  beforeAll(async () => {
    from = JSON.parse((await backup()).stdout).path;
  });
  const restore = (target: string, point = '', action = 'kill') =>
    larder(['restore', '--from', from, '--folder', target, '--passphrase-stdin', '--json'], point, action);
  const letters = (target: string) => readdir(join(target, 'homes', OWNER.username, 'letters'));

  it.each(['restore.keys', 'storage.backup.flush', 'restore.files', 'restore.built'])(
    'at %s leaves nothing that a server starts on, and begins anew the next time',
    async (point) => {
      const target = join(scratch, point);
      expect((await restore(target, point)).signal).toBe('SIGKILL');
      expect(await readdir(target)).toEqual(['.larder-restoring']);
      const served = await larder(['serve', '--folder', target, '--port', '0', '--control-port', '0']);
      expect([served.code, served.stderr]).toEqual([
        3,
        expect.stringMatching(/restore into .* did not come to its end/),
      ]);
      const looked = await larder(['doctor', '--json', '--folder', target]);
      expect(JSON.parse(looked.stdout)).toMatchObject({ ok: false, problems: [expect.stringMatching(/restore/)] });
      expect(await readdir(target)).toEqual(['.larder-restoring']);
      expect((await restore(target)).code).toBe(0);
      expect(await letters(target)).toEqual(['a.txt', 'b.txt', 'c.txt']);
    },
    60_000,
  );

  it('between its last steps leaves nothing that a server starts on', async () => {
    const target = join(scratch, 'homes moved');
    expect((await restore(target, 'restore.homes')).signal).toBe('SIGKILL');
    const served = await larder(['serve', '--folder', target, '--port', '0', '--control-port', '0']);
    expect(served.code).toBe(3);
    const again = await restore(target);
    expect([again.code, again.stderr]).toEqual([3, expect.stringMatching(/replaces nothing/)]);
    expect((await readdir(target)).sort()).toEqual(['.larder-restoring', 'homes']);
  });

  it('after its last step is done', async () => {
    const target = join(scratch, 'done');
    expect((await restore(target, 'restore.done')).signal).toBe('SIGKILL');
    expect(await letters(target)).toEqual(['a.txt', 'b.txt', 'c.txt']);
    const status = await larder(['status', '--json', '--folder', target]);
    expect(JSON.parse(status.stdout)).toMatchObject({ hasOwner: true });
  });

  it.each([
    ['restore.files', 'enospc'],
    ['storage.backup.write', 'enospc'],
    ['storage.backup.flush', 'eio'],
  ])('at %s by a disk (%s) leaves nothing', async (point, action) => {
    const target = join(scratch, `${point} ${action}`);
    const { code, stderr } = await restore(target, point, action);
    expect([code, stderr]).toEqual([4, expect.stringMatching(action === 'enospc' ? /is full/ : /has errors/)]);
    expect(existsSync(target)).toBe(false);
    // A folder that was there, empty, is there again.
    await mkdir(target);
    expect((await restore(target, point, action)).code).toBe(4);
    expect(await readdir(target)).toEqual([]);
  });

  it('is not begun from a backup that is damaged', async () => {
    const copy = join(scratch, 'copy');
    await cp(from, copy, { recursive: true });
    await writeFile(join(copy, 'files', 'homes', OWNER.username, 'letters', 'b.txt'), 'B.txt');
    const target = join(scratch, 'of a damaged one');
    const args = ['restore', '--from', copy, '--folder', target, '--passphrase-stdin'];
    const { code, stderr } = await larder(args);
    expect([code, stderr]).toEqual([4, expect.stringContaining('b.txt is not what was written')]);
    expect(existsSync(target)).toBe(false);
  });
});
