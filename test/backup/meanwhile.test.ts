import { appendFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { OWNER } from '../support/households/household.ts';
import { setUpFolder } from '../support/households/set-up-folder.ts';
import { t } from '../support/server-texts.ts';
import { larder } from './command.ts';
import { type Line, linesOf, type Made, remove, scratchFolder, whileServed } from './support.ts';

let scratch: string;
let folder: string;
const live = (...names: string[]) => join(folder, 'homes', OWNER.username, ...names);

beforeAll(async () => {
  scratch = await scratchFolder();
  folder = join(scratch, 'larder');
  const { clientId: client_id, clientSecret: client_secret } = await setUpFolder(folder);
  await mkdir(live('known'));
  for (const name of ['kept.txt', 'removed.txt', 'gone.txt']) await writeFile(live('known', name), name);
  await whileServed(folder, async ({ api }) => {
    const form = { grant_type: 'password', ...OWNER, scope: 'list', client_id, client_secret };
    const token = (await api.token(form)).body.access_token;
    for (const path of ['/ROOT/HOME', '/ROOT/HOME/known'])
      expect((await api.with(token).get('files/browse', { path })).status).toBe(200);
  });
});
afterAll(() => remove(scratch));

const BACKUP = ['backup', '--files', '--json'];

it('files are made consistent with the copy of the database', async () => {
  // Nobody serves the folder: the database says what it said before.
  await rm(live('known', 'gone.txt'));
  await mkdir(live('unknown'));
  await writeFile(live('unknown', 'away.txt'), 'away');
  await writeFile(live('known', 'new.txt'), 'new');
  await writeFile(live('known', 'changing.txt'), 'before');
  const work = larder([...BACKUP, '--folder', folder], `${scratch};backup.database=pause`);
  await expect.poll(() => readdir(scratch)).toContain('backup.database.reached');
  await rm(live('unknown'), { recursive: true });
  await rm(live('known', 'removed.txt'));
  await writeFile(live('known', 'changing.txt'), 'after that');
  await writeFile(live('late.txt'), 'late');
  await writeFile(join(scratch, 'backup.database.go'), '');
  const { code, stdout, stderr } = await work;
  expect([code, stderr]).toEqual([0, '']);
  const made = JSON.parse(stdout) as Made;
  const lines = await linesOf(made.path);
  const ofHome = (line: Line) => line.path.replace(/^homes\/ann\//, '');
  expect(lines.filter(({ sha256 }) => sha256 !== undefined).map(ofHome)).toEqual([
    'known/changing.txt',
    'known/kept.txt',
    'known/new.txt',
    'known/removed.txt',
    'late.txt',
  ]);
  expect(lines.filter(({ absent }) => absent).map(ofHome)).toEqual(['known/gone.txt']);
  expect(made.files).toMatchObject({ count: 5, absent: 1, changed: 0, leftOut: 0 });
  expect(made.notCopied).toEqual([{ path: 'homes/ann/known/gone.txt', reason: expect.any(String) }]);
  const copies = join(made.path, 'files', 'homes', 'ann');
  expect((await readdir(copies)).sort()).toEqual(['known', 'late.txt']);
  expect(await readFile(join(copies, 'known', 'changing.txt'), 'utf8')).toBe('after that');
  expect(await readFile(join(copies, 'known', 'removed.txt'), 'utf8')).toBe('removed.txt');
});

it('reports a file that is written to all the time', async () => {
  await writeFile(live('log.txt'), Buffer.alloc(20_000_000, 97));
  let isMade = false;
  const backup = larder([...BACKUP, '--folder', folder]).finally(() => {
    isMade = true;
  });
  while (!isMade) {
    appendFileSync(live('log.txt'), 'more');
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { stdout, stderr } = await backup;
  expect(stderr).toBe('');
  const made = JSON.parse(stdout) as Made;
  expect(made.files).toMatchObject({ changed: 1 });
  expect(made.notes.join()).toContain(t('api.backup.noteChanged', { count: 1 }));
  const line = (await linesOf(made.path)).find(({ path }) => path.endsWith('log.txt'));
  expect(line).toMatchObject({ changed: true });
  // It is no base for the next one.
  const next = JSON.parse((await larder([...BACKUP, '--folder', folder])).stdout) as Made;
  expect((await linesOf(next.path)).find(({ path }) => path.endsWith('log.txt'))).not.toHaveProperty('linked');
});
