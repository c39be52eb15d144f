import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Household, openHousehold } from '../support/households/household.ts';
import { like } from '../support/server-texts.ts';
import { type Made, make, PASSPHRASE, remove, restore, scratchFolder } from './support.ts';

let household: Household;
let made: Made;
let scratch: string;
let copies = 0;

beforeAll(async () => {
  household = await openHousehold();
  scratch = await scratchFolder();
  const api = await household.signIn();
  await api.put({ filePath: '/ROOT/HOME/a/photo.bin' }, Buffer.alloc(300_000, 7));
  await api.put({ filePath: '/ROOT/HOME/a/old.txt' }, 'one');
  await api.put({ filePath: '/ROOT/HOME/a/old.txt', overwrite: 1 }, 'two');
  made = await make(household, { files: true, history: true, passphrase: PASSPHRASE });
});
afterAll(async () => {
  await household.close();
  await remove(scratch);
});

/** A copy that a test may damage. */
async function copyOf(): Promise<string> {
  const copy = join(scratch, `copy-${++copies}`, made.name);
  await cp(made.path, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

async function everyFile(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Of a backup with another content, or whose manifest is missing. */
const DAMAGED = new RegExp(
  [like('api.backup.changedFile'), like('api.backup.unreadablePart'), like('api.backup.notBackup')]
    .map(({ source }) => source)
    .join('|'),
);

async function expectRefused(copy: string, what: RegExp): Promise<void> {
  const target = join(scratch, `restored-${copies}`);
  await expect(restore(copy, target, { passphrase: PASSPHRASE })).rejects.toThrow(what);
  expect(await readdir(scratch)).not.toContain(`restored-${copies}`);
}

it('refuses a backup with one changed byte in any part except files of people, and writes nothing', async () => {
  const all = (await everyFile(made.path)).map((path) => path.slice(made.path.length + 1));
  const files = all.filter((path) => !path.startsWith('files/'));
  // Database, keys, list, manifest and its sum, two certificates.
  expect(files.length).toBe(7);
  for (const file of files) {
    const copy = await copyOf();
    const path = join(copy, file);
    const bytes = await readFile(path);
    const position = Math.floor(bytes.length / 2);
    bytes[position] = (bytes[position] ?? 0) ^ 1;
    await writeFile(path, bytes);
    await expectRefused(copy, DAMAGED);
    await rm(join(copy, '..'), { recursive: true });
  }
});

it.each([
  ['the database', 'larder.sqlite'],
  ['the keys', 'keys.sealed'],
  ['the list of files', 'files.jsonl'],
  ['the manifest', 'manifest.json'],
  ['its sum', 'manifest.sha256'],
])('refuses a backup without %s', async (_what, file) => {
  const copy = await copyOf();
  await rm(join(copy, file), { recursive: true });
  await expectRefused(copy, DAMAGED);
});

it('follows no symbolic links in a backup', async () => {
  const secrets = join(scratch, 'elsewhere');
  const copy = await copyOf();
  await rename(join(copy, 'files', 'homes', 'ann', 'a'), secrets);
  await symlink(secrets, join(copy, 'files', 'homes', 'ann', 'a'));
  const other = await copyOf();
  const photo = join(other, 'files', 'homes', 'ann', 'a', 'photo.bin');
  await rename(photo, join(scratch, 'photo.bin'));
  await symlink(join(scratch, 'photo.bin'), photo);
  for (const [from, names, left] of [
    [copy, ['a/old.txt', 'a/photo.bin'], []],
    [other, ['a/photo.bin'], ['old.txt']],
  ] as const) {
    const target = join(scratch, `restored-${names.length}`);
    const { damaged } = await restore(from, target, { passphrase: PASSPHRASE });
    expect(damaged.map(({ path }) => path).sort()).toEqual(names.map((name) => `homes/ann/${name}`));
    expect(await readdir(join(target, 'homes', 'ann', 'a'))).toEqual(left);
  }
});

it.each(['../../../evil.txt', 'homes/ann/../../../evil.txt', '/evil.txt', 'homes//evil.txt', 'homes/ann/./evil.txt'])(
  'refuses paths in a list that lead elsewhere: %s',
  async (path) => {
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
    const copy = await copyOf();
    const list = `${await readFile(join(copy, 'files.jsonl'), 'utf8')}${JSON.stringify({ path, size: 4, mtime: '0', ctime: '0', mode: 0o644, sha256: sha256('evil') })}\n`;
    await writeFile(join(copy, 'files.jsonl'), list);
    const manifest = JSON.parse(await readFile(join(copy, 'manifest.json'), 'utf8'));
    manifest.files.list = { file: 'files.jsonl', bytes: Buffer.byteLength(list), sha256: sha256(list) };
    const text = `${JSON.stringify(manifest, null, 2)}\n`;
    await writeFile(join(copy, 'manifest.json'), text);
    await writeFile(join(copy, 'manifest.sha256'), `${sha256(text)}  manifest.json\n`);
    await expectRefused(copy, like('api.backup.pathOutside'));
  },
);

it('reports a folder that is not a backup, and the version that a newer one needs', async () => {
  await expect(restore(join(scratch, 'nothing'), join(scratch, 'new'))).rejects.toThrow(like('api.backup.notBackup'));
  const empty = join(scratch, 'empty');
  await mkdir(empty);
  await expect(restore(empty, join(scratch, 'new'))).rejects.toThrow(like('api.backup.notBackup'));
});
