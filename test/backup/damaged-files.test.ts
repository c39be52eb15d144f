import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { itInFull } from '../support/forms.ts';
import { type Household, openHousehold } from '../support/households/household.ts';
import { like, t } from '../support/server-texts.ts';
import { larder } from './command.ts';
import { linesOf, make, PASSPHRASE, remove, restore, scratchFolder } from './support.ts';

let household: Household;
let scratch: string;

beforeAll(async () => {
  household = await openHousehold();
  scratch = await scratchFolder();
});
afterAll(async () => {
  await household.close();
  await remove(scratch);
});

const live = (...names: string[]) => join(household.home, ...names);
const inside = (backup: string, ...names: string[]) => join(backup, 'files', 'homes', 'ann', ...names);

/** Changes one byte without changing the size. */
async function corrupt(path: string): Promise<void> {
  const bytes = await readFile(path);
  bytes[0] = (bytes[0] ?? 0) ^ 1;
  await writeFile(path, bytes);
}

it('copies a file again if its content in the previous backup is damaged', async () => {
  await mkdir(live('reuse'));
  const names = Array.from({ length: 40 }, (_, index) => `file-${index}.txt`);
  for (const name of names) await writeFile(live('reuse', name), `content of ${name}`);
  const first = await make(household, { files: true });
  for (const name of names.slice(0, 20)) await corrupt(inside(first.path, 'reuse', name));
  const second = await make(household, { files: true });
  for (const name of names)
    expect(await readFile(inside(second.path, 'reuse', name), 'utf8')).toBe(`content of ${name}`);
  const lines = (await linesOf(second.path)).filter(({ path }) => path.includes('/reuse/'));
  expect(lines.filter(({ linked }) => linked).map(({ path }) => path.split('/').at(-1))).toEqual(
    names.slice(20).sort(),
  );
  expect(await household.control('backup.verify', { name: second.name })).toMatchObject({ ok: true });
  const checked = (await household.control('backup.verify', { name: first.name })) as { problems: string[] };
  for (const name of names.slice(0, 20)) expect(checked.problems.join('\n')).toContain(join('reuse', name));
});

it('restores everything except damaged files, and lists those', async () => {
  const api = await household.signIn();
  for (const name of ['whole.txt', 'flipped.txt', 'short.txt', 'missing.txt', 'linked.txt'])
    await api.put({ filePath: `/ROOT/HOME/part/${name}` }, `content of ${name}`);
  await api.put({ filePath: '/ROOT/HOME/gone/inner/far.txt' }, 'far');
  await api.put({ filePath: '/ROOT/HOME/elsewhere/secret.txt' }, 'not secret');
  await api.put({ filePath: '/ROOT/HOME/part/old.txt' }, 'one');
  await api.put({ filePath: '/ROOT/HOME/part/old.txt', overwrite: 1 }, 'two');
  await api.put({ filePath: '/ROOT/HOME/part/old.txt', overwrite: 1 }, 'three');
  const made = await make(household, { files: true, history: true, passphrase: PASSPHRASE });
  await corrupt(inside(made.path, 'part', 'flipped.txt'));
  await writeFile(inside(made.path, 'part', 'short.txt'), 'short');
  await rm(inside(made.path, 'part', 'missing.txt'));
  const outside = join(scratch, 'outside.txt');
  await rename(inside(made.path, 'part', 'linked.txt'), outside);
  await symlink(outside, inside(made.path, 'part', 'linked.txt'));
  await rm(inside(made.path, 'gone'), { recursive: true });
  await rename(inside(made.path, 'elsewhere'), join(scratch, 'moved-away'));
  await symlink(join(scratch, 'moved-away'), inside(made.path, 'elsewhere'));
  const [version = ''] = (await linesOf(made.path))
    .map(({ path }) => path)
    .filter((path) => /^versions\/.+\/./.test(path));
  await corrupt(join(made.path, 'files', version));

  const folder = join(scratch, 'partly');
  const args = ['restore', '--from', made.path, '--folder', folder, '--passphrase-stdin'];
  const { code, stdout, stderr } = await larder([...args, '--json']);
  expect(stderr).toBe('');
  expect(code).toBe(1);
  const restored = JSON.parse(stdout) as { damaged: { path: string; problem: string }[]; forgotten: object };
  expect(restored.damaged.map(({ path }) => path).sort()).toEqual(
    [
      ...['elsewhere/secret.txt', 'gone/inner/far.txt', 'part/flipped.txt', 'part/linked.txt'].map(
        (path) => `homes/ann/${path}`,
      ),
      ...['part/missing.txt', 'part/short.txt'].map((path) => `homes/ann/${path}`),
      version,
    ].sort(),
  );
  for (const { problem } of restored.damaged) expect(problem).not.toBe('');
  const home = join(folder, 'homes', 'ann');
  expect((await readdir(join(home, 'part'))).sort()).toEqual(['old.txt', 'whole.txt']);
  expect(await readFile(join(home, 'part', 'whole.txt'), 'utf8')).toBe('content of whole.txt');
  expect(existsSync(join(home, 'elsewhere', 'secret.txt'))).toBe(false);
  expect(restored.forgotten).toMatchObject({ versions: 1 });

  const asText = await larder([...args.with(4, join(scratch, 'as-text'))]);
  expect(asText.code).toBe(1);
  for (const { path } of restored.damaged) expect(asText.stdout).toContain(path);

  const target = join(scratch, 'by-control');
  const overControl = (await household.control('backup.restore', {
    name: made.name,
    folder: target,
    passphrase: PASSPHRASE,
  })) as { damaged: { path: string }[]; notes: string[] };
  expect(overControl.damaged.length).toBe(restored.damaged.length);
  expect(overControl.notes.join('\n')).toContain(t('api.restore.noteDamaged', { count: 7 }));
});

it('restores only requested files if the database or keys are damaged', async () => {
  await writeFile(live('wanted.txt'), 'wanted');
  const made = await make(household, { files: true, passphrase: PASSPHRASE });
  await corrupt(join(made.path, 'larder.sqlite'));
  await corrupt(join(made.path, 'keys.sealed'));
  const folder = join(scratch, 'none');
  await expect(restore(made.path, folder, { passphrase: PASSPHRASE })).rejects.toThrow(like('api.backup.changedFile'));
  expect(existsSync(folder)).toBe(false);
  const { code, stderr } = await larder([
    'restore',
    '--from',
    made.path,
    '--folder',
    folder,
    '--include',
    'ann/wanted.txt',
  ]);
  expect([code, stderr]).toEqual([0, '']);
  expect(await readFile(join(folder, 'homes', 'ann', 'wanted.txt'), 'utf8')).toBe('wanted');
});

itInFull('restores only what --include names, without database and keys', async () => {
  for (const path of [
    'album/2024/one.jpg',
    'album/2024/two.jpg',
    'album/2025/three.jpg',
    'album.txt',
    'letter.txt',
    'Grüße/a.txt',
  ]) {
    await mkdir(live(path, '..'), { recursive: true });
    await writeFile(live(path), path);
  }
  const made = await make(household, { files: true, passphrase: PASSPHRASE });
  await corrupt(inside(made.path, 'album', '2024', 'two.jpg'));
  await corrupt(inside(made.path, 'album', '2025', 'three.jpg'));
  const folder = join(scratch, 'included');
  const base = ['restore', '--from', made.path, '--json'];
  const including = (...paths: string[]) => paths.flatMap((path) => ['--include', path]);
  const { code, stdout, stderr } = await larder([
    ...[...base, '--folder', folder],
    ...including('ann/album/2024', '/ROOT/HOME/letter.txt', 'homes/ann/Gru\u0308ße/'),
  ]);
  expect(stderr).toBe('');
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    folder,
    files: 3,
    damaged: [{ path: 'homes/ann/album/2024/two.jpg' }],
  });
  expect(await readdir(folder)).toEqual(['homes']);
  expect(
    (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort(),
  ).toEqual(['a.txt', 'letter.txt', 'one.jpg']);
  expect(await readFile(join(folder, 'homes', 'ann', 'album', '2024', 'one.jpg'), 'utf8')).toBe('album/2024/one.jpg');

  const nothing = await larder([
    ...base,
    '--folder',
    join(scratch, 'nothing'),
    ...including('ann/letter.txt', 'ann/not-there'),
  ]);
  expect(nothing.code).toBe(4);
  expect(nothing.stderr).toContain('ann/not-there');
  expect(existsSync(join(scratch, 'nothing'))).toBe(false);
});
