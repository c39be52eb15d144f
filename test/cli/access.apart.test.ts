import { chmod, mkdir, mkdtemp, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { itInFull } from '../support/forms.ts';
import { type Household, openHousehold } from '../support/households/household.ts';
import { addMembersWithHomes } from '../support/households/member.ts';
import { setUpFolder } from '../support/households/set-up-folder.ts';
import { t } from '../support/server-texts.ts';
import { run } from './support.ts';

const UMASK = process.umask();
let folder: string;
let household: Household | null = null;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-access-'));
});
afterEach(async () => {
  await household?.close();
  household = null;
  // That of the last test may have been for a group.
  process.umask(UMASK);
  await rm(folder, { recursive: true, force: true });
});

const modeOf = async (...path: string[]) => ((await stat(join(...path))).mode & 0o7777).toString(8);

it('gives other users of the computer no access to the files it creates', async () => {
  household = await openHousehold();
  await addMembersWithHomes(household, { mia: {} });
  for (const path of ['.', 'homes', 'homes/ann', 'homes/mia', '.larder']) {
    expect([path, await modeOf(household.folder, path)]).toEqual([path, '700']);
  }
  const larder = join(household.folder, '.larder');
  for (const name of (await readdir(larder)).filter((one) => one.startsWith('larder.sqlite'))) {
    expect([name, await modeOf(larder, name)]).toEqual([name, '600']);
  }
});

itInFull('restricts the folders and the database of an older version at the next start', async () => {
  household = await openHousehold();
  const { folder: existing } = household;
  const outside = join(folder, 'photos');
  await mkdir(outside, { mode: 0o755 });
  await household.control('accounts.add', { username: 'ben', name: 'Ben', homeFolder: outside });
  await household.whileStopped(async () => {
    for (const path of ['.', 'homes', 'homes/ann']) await chmod(join(existing, path), 0o755);
    await chmod(join(existing, '.larder/larder.sqlite'), 0o644);
    await chmod(outside, 0o755);
    await writeFile(join(existing, 'homes/a file'), 'x', { mode: 0o644 });
  });
  for (const path of ['.', 'homes', 'homes/ann']) expect([path, await modeOf(existing, path)]).toEqual([path, '700']);
  expect(await modeOf(existing, '.larder/larder.sqlite')).toBe('600');
  expect(await modeOf(existing, 'homes/a file'), 'what is in them stays as it is').toBe('644');
  expect(await modeOf(outside), 'so does a home elsewhere').toBe('755');
});

it('gives the group access to homes, for Samba, if that is configured', async () => {
  household = await openHousehold({ config: { homeAccess: 'group' } });
  await addMembersWithHomes(household, { mia: {} });
  expect(await modeOf(household.folder)).toBe('750');
  expect(await modeOf(household.folder, 'homes')).toBe('750');
  expect(await modeOf(household.folder, 'homes/mia')).toBe('2770');
  expect(await modeOf(household.folder, '.larder')).toBe('700');
  const owner = await household.signIn();
  await owner.put({ filePath: '/ROOT/HOME/sub/a.txt' }, 'content');
  expect(await modeOf(household.home, 'sub')).toBe('2770');
  expect(await modeOf(household.home, 'sub/a.txt')).toBe('660');
  await household.restart({ homeAccess: 'owner' });
  expect(await modeOf(household.folder, 'homes/mia')).toBe('700');
});

itInFull('reads the JSON of a control method from standard input, and prints none of it', async () => {
  const setUp = ['setup', '--folder', folder, '--owner', 'ann', '--password-stdin'];
  expect((await run(setUp, 'correct horse battery staple\n')).code).toBe(0);
  const add = ['control', 'accounts.add', '-', '--folder', folder, '--json'];
  const person = { username: 'mia', name: 'Mia', password: 'correct horse battery' };
  const added = await run(add, JSON.stringify(person));
  expect([added.code, JSON.parse(added.stdout).username]).toEqual([0, 'mia']);
  const broken = await run(add, '{"password":"correct horse battery"');
  expect(broken.code).not.toBe(0);
  expect(broken.stderr).toContain(t('cli.usage.inputNotJson'));
  expect(`${broken.stderr}${broken.stdout}`).not.toContain('correct horse');
  const inline = await run(['control', 'accounts.get', '{"username":"mia"}', '--folder', folder, '--json']);
  expect(JSON.parse(inline.stdout).name).toBe('Mia');
});

itInFull('prints what a new account needs next, and names unknown keys', async () => {
  await setUpFolder(folder);
  const add = (person: object) => run(['control', 'accounts.add', '-', '--folder', folder], JSON.stringify(person));
  const added = await add({ username: 'mia', name: 'Mia', generatePassword: true, createHomeFolder: true });
  expect([added.code, added.stdout.endsWith('}\n')]).toEqual([0, true]);
  expect(JSON.parse(added.stdout)).toEqual({
    id: 2,
    username: 'mia',
    homeFolder: join(await realpath(folder), 'homes', 'mia'),
    generatedPassword: expect.stringMatching(/^[a-z0-9-]{12,}$/),
  });
  const unknown = await add({ username: 'ben', name: 'Ben', generatePasword: true });
  expect([unknown.code === 0, unknown.stderr]).toEqual([false, expect.stringContaining('generatePasword')]);
});
