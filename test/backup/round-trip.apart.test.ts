import { cp, mkdir, readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../dist/server/database/database.js';
import { openSnapshot } from '../../dist/server/database/snapshot.js';
import { layoutOf } from '../../dist/server/storage/layout.js';
import { itInFull } from '../support/forms.ts';
import { type Household, OWNER, openHousehold } from '../support/households/household.ts';
import type { ApiClient } from '../support/requests/api-client.ts';
import { like, t } from '../support/server-texts.ts';
import { eventually } from '../support/system/eventually.ts';
import {
  linesOf,
  type Made,
  make,
  PASSPHRASE,
  remove,
  restore,
  scratchFolder,
  signInAt,
  whileServed,
} from './support.ts';

let household: Household;
let api: ApiClient;
let scratch: string;

beforeAll(async () => {
  household = await openHousehold();
  await household.whileStopped(async () => {
    const { database: file, backups } = layoutOf(household.folder);
    const database = await openDatabase(file, backups);
    await database.write((tx) => tx.run("INSERT INTO password_resets VALUES (x'00', 1, 0, 9000000000000)"));
    await database.close();
  });
  api = await household.signIn();
  scratch = await scratchFolder();
});
afterAll(async () => {
  await household.close();
  await remove(scratch);
});

const HOME = '/ROOT/HOME';
const put = (path: string, content: string) => api.put({ filePath: `${HOME}/${path}`, overwrite: 1 }, content);
const textOf = async (client: ApiClient, path: string, more = {}) => {
  const { status, text } = await client.get('files/download', { path: `${HOME}/${path}`, ...more });
  return status === 200 ? text : status;
};
const uuidsIn = async (client: ApiClient, path: string) => {
  const { body } = await client.get('files/browse', { path, 'details[]': ['uuid'] });
  return Object.fromEntries(
    body.data.files.map((file: { filename: string; uuid: string }) => [file.filename, file.uuid]),
  );
};

describe('a backup with files, history and keys', () => {
  let made: Made;
  let restored: string;
  let lastToken: string;

  let albums: unknown[] = [];
  beforeAll(async () => {
    await put('letters/plan.txt', 'first');
    await put('letters/plan.txt', 'second');
    await put('gone/away.txt', 'deleted');
    await put('gone/deeper/too.txt', 'deleted as well');
    await api.post('files/delete', { path: `${HOME}/gone` });
    await api.post('files/star', { path: `${HOME}/letters/plan.txt` });
    await put('photos/lake.jpg', 'lake');
    const { album } = (await api.post('albums/add', { title: 'Summer' })).body.data;
    const items = JSON.stringify([{ path: `${HOME}/photos/lake.jpg` }]);
    expect((await api.post('albums/items/add', { album, items })).status).toBe(200);
    expect((await api.post('albums/folder', { path: `${HOME}/photos` })).status).toBe(200);
    albums = (await api.get('albums/list')).body.data.albums;
    await mkdir(join(household.home, 'empty'));
    await symlink('/etc/passwd', join(household.home, 'letters', 'passwd'));
    await household.control('backup.setPassphrase', { passphrase: PASSPHRASE });
    // People go on working while it is made.
    let going = true;
    let count = 0;
    const load = [0, 1, 2].map(async (lane) => {
      while (going && count < 400) {
        count += 1;
        await put(`busy/${lane}/${count}.txt`, `${count}`);
        if (count % 5 === 0) await put('busy/same.txt', `${count}`);
        if (count % 7 === 0) await api.post('files/delete', { path: `${HOME}/busy/${lane}/${count}.txt` });
        if (count % 11 === 0)
          await api.post('files/move', { path: `${HOME}/busy/${lane}/${count}.txt`, moveTo: `${HOME}/letters` });
      }
    });
    await eventually(
      () => count,
      (seen) => seen >= 40,
    );
    made = await make(household, { files: true, history: true });
    going = false;
    await Promise.all(load);
    await put('after.txt', 'too late');
    lastToken = api.token_ ?? '';
    restored = join(scratch, 'restored');
    await restore(made.path, restored, { passphrase: PASSPHRASE });
  });

  it('lists its contents', async () => {
    expect(made).toMatchObject({
      keys: true,
      files: { history: true, linked: 0, leftOut: 0, changed: 0, notFollowed: 1, homes: [{ state: 'copied' }] },
    });
    expect(made.name).toMatch(/^larder-\d{4}-\d\d-\d\dT\d{6}Z$/);
    const names = (await linesOf(made.path)).map(({ path }) => path);
    expect(names).toContain('homes/ann/empty');
    expect(names).not.toContain('homes/ann/letters/passwd');
    expect(names).not.toContain('homes/ann/.larder-home');
  });

  it('contains the content of every row of its database, or reports it as absent', async () => {
    const lines = new Map((await linesOf(made.path)).map((line) => [line.path, line]));
    const snapshot = await openSnapshot(join(made.path, 'larder.sqlite'));
    const rows = await snapshot.all<{ path: string }>(
      `WITH RECURSIVE tree (id, path) AS (
         SELECT id, 'homes/ann' FROM items WHERE parent_id IS NULL AND name = ''
         UNION ALL SELECT items.id, tree.path || '/' || items.name FROM tree JOIN items ON parent_id = tree.id
         WHERE missing_since IS NULL)
       SELECT path FROM tree`,
    );
    const stored = await snapshot.all<{ path: string }>(
      `SELECT stored.kind || '/' || home_id || '/' || stored.id AS path FROM items JOIN (
         SELECT 'versions' AS kind, id, item_id FROM versions UNION ALL SELECT 'trash', id, item_id FROM trash
       ) AS stored ON items.id = item_id`,
    );
    await snapshot.close();
    expect(rows.length).toBeGreaterThan(40);
    expect(stored.length).toBeGreaterThan(5);
    for (const { path } of [...rows, ...stored]) expect(lines.has(path), path).toBe(true);
  });

  it('keeps authorizations of apps, and no sessions or one-time secrets', async () => {
    const snapshot = await openSnapshot(join(restored, '.larder', 'larder.sqlite'));
    const count = async (table: string) =>
      (await snapshot.get<{ count: number }>(`SELECT count(*) AS count FROM ${table}`))?.count;
    expect(await count('tokens')).toBeGreaterThan(0);
    expect(await count('password_resets')).toBe(0);
    await snapshot.close();
  });

  it('serves the same files to the same accounts with the same authority', async () => {
    await whileServed(restored, async ({ api: there, ca, control }) => {
      expect(ca).toBe(household.ca);
      const old = there.with(lastToken);
      expect(await textOf(old, 'letters/plan.txt')).toBe('second');
      const ann = await signInAt(there, household, OWNER.username, OWNER.password);
      expect(await textOf(ann, 'letters/plan.txt', { version: 1 })).toBe('first');
      expect(await textOf(ann, 'after.txt')).toBe(404);
      expect(await uuidsIn(ann, `${HOME}/letters`)).toMatchObject({
        'plan.txt': (await uuidsIn(api, `${HOME}/letters`))['plan.txt'],
      });
      expect(Object.keys(await uuidsIn(ann, '/STARRED'))).toEqual(['plan.txt']);
      expect(albums).toHaveLength(3);
      expect((await ann.get('albums/list')).body.data.albums).toEqual(albums);
      const trash = (await ann.get('files/browse', { path: '/TRASH' })).body.data.files;
      const gone = trash.find(({ filename }: { filename: string }) => filename === 'gone');
      expect((await ann.post('files/trash/restore', { path: gone.path })).status).toBe(200);
      expect(await textOf(ann, 'gone/deeper/too.txt')).toBe('deleted as well');
      expect((await ann.put({ filePath: `${HOME}/new.txt` }, 'new')).status).toBe(201);
      expect(await control('doctor')).toMatchObject({ ok: true, problems: [] });
      expect(await readdir(join(restored, 'homes', 'ann'))).toContain('empty');
      expect(await readdir(join(restored, 'homes', 'ann', 'letters'))).not.toContain('passwd');
    });
    expect(await readdir(restored)).toEqual(['.larder', 'homes']);
  });

  it('is restored into folders that other users of the computer cannot read, with any umask', async () => {
    const umask = process.umask(0);
    try {
      const open = join(scratch, 'open');
      await restore(made.path, open, { passphrase: PASSPHRASE });
      for (const path of ['.', 'homes', 'homes/ann', '.larder']) {
        expect([path, (await stat(join(open, path))).mode & 0o777]).toEqual([path, 0o700]);
      }
    } finally {
      process.umask(umask);
    }
  });

  itInFull('becomes another installation when restored: neither removes the backups of the other', async () => {
    const idOf = async (folder: string) => {
      const { installation } = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
      return installation;
    };
    const again = await whileServed(
      restored,
      async ({ control }) => (await control('backup.make')) as { path: string },
    );
    expect(await idOf(again.path)).not.toBe(await idOf(made.path));
  });

  it('drops older versions and the trash if the backup has none', async () => {
    const plain = await make(household, { files: true });
    const folder = join(scratch, 'plain');
    const { forgotten } = await restore(plain.path, folder, { passphrase: PASSPHRASE });
    expect(forgotten.versions).toBeGreaterThan(0);
    expect(forgotten.trash).toBeGreaterThan(0);
    await whileServed(folder, async ({ api: there, control }) => {
      const ann = await signInAt(there, household, OWNER.username, OWNER.password);
      expect((await ann.get('files/browse', { path: '/TRASH' })).body.data.files).toEqual([]);
      const { body } = await ann.get('files/versions/list', { path: `${HOME}/letters/plan.txt` });
      // The present content is one, too.
      expect(body.data.versions.map(({ version }: { version: number }) => version)).toEqual([2]);
      expect(await textOf(ann, 'letters/plan.txt')).toBe('second');
      expect(await control('doctor')).toMatchObject({ ok: true, problems: [] });
    });
  });
});

describe('a backup of the database alone', () => {
  it('has offline homes until their files are copied back, with all their records then', async () => {
    const made = await make(household, { files: false });
    expect(made.files).toBeNull();
    const folder = join(scratch, 'by hand');
    const { homes } = await restore(made.path, folder, { passphrase: PASSPHRASE });
    expect(homes).toMatchObject([{ username: 'ann', files: 'awaited', path: join(folder, 'homes', 'ann') }]);
    await whileServed(folder, async ({ api: there, control }) => {
      const ann = await signInAt(there, household, OWNER.username, OWNER.password);
      expect((await ann.get('files/browse', { path: HOME })).body.code).toBe('storage_offline');
      await cp(household.home, join(folder, 'homes', 'ann.new'), { recursive: true, verbatimSymlinks: true });
      await rename(join(folder, 'homes', 'ann.new'), join(folder, 'homes', 'ann'));
      await expect.poll(() => textOf(ann, 'letters/plan.txt')).toBe('second');
      expect(await uuidsIn(ann, `${HOME}/letters`)).toEqual(await uuidsIn(api, `${HOME}/letters`));
      expect(await control('doctor')).toMatchObject({ ok: true, problems: [] });
    });
  });

  it('has empty homes if requested', async () => {
    const made = await make(household, { files: false });
    const folder = join(scratch, 'empty');
    const { homes } = await restore(made.path, folder, { passphrase: PASSPHRASE, emptyHomes: true });
    expect(homes).toMatchObject([{ username: 'ann', files: 'empty' }]);
    await whileServed(folder, async ({ api: there }) => {
      const ann = await signInAt(there, household, OWNER.username, OWNER.password);
      expect((await ann.get('files/browse', { path: HOME })).body.data.files).toEqual([]);
      // Whoever puts a file back finds it known.
      await mkdir(join(folder, 'homes', 'ann', 'letters'));
      await writeFile(join(folder, 'homes', 'ann', 'letters', 'plan.txt'), 'second');
      expect((await uuidsIn(ann, `${HOME}/letters`))['plan.txt']).toBe(
        (await uuidsIn(api, `${HOME}/letters`))['plan.txt'],
      );
    });
  });

  itInFull('keeps the records of older versions and the trash, if they are copied back by hand', async () => {
    const made = await make(household, { files: false });
    const folder = join(scratch, 'history by hand');
    await restore(made.path, folder, { passphrase: PASSPHRASE, historyFollows: true });
    const area = (base: string, name: string) => join(base, '.larder', name);
    for (const name of ['versions', 'trash'])
      await cp(area(household.folder, name), area(folder, name), { recursive: true });
    await cp(household.home, join(folder, 'homes', 'ann'), { recursive: true, verbatimSymlinks: true });
    await whileServed(folder, async ({ api: there, control }) => {
      const ann = await signInAt(there, household, OWNER.username, OWNER.password);
      expect(await textOf(ann, 'letters/plan.txt', { version: 1 })).toBe('first');
      expect(await control('doctor')).toMatchObject({ ok: true, problems: [] });
    });
  });
});

describe('without the passphrase', () => {
  it('restores nothing, unless a new authority is requested', async () => {
    const made = await make(household);
    const folder = join(scratch, 'no keys');
    await expect(restore(made.path, folder)).rejects.toThrow(t('api.restore.passphraseNeeded'));
    await expect(restore(made.path, folder, { passphrase: `${PASSPHRASE}!` })).rejects.toThrow(
      t('api.backup.passphraseWrong'),
    );
    expect(await readdir(scratch)).not.toContain('no keys');
    const { authority, authorityFingerprint } = await restore(made.path, folder, { newAuthority: true });
    expect(authority).toBe('new');
    await whileServed(folder, async ({ api: there, ca, control }) => {
      expect(ca).not.toBe(household.ca);
      expect(await control('status')).toMatchObject({ authorityFingerprint });
      await signInAt(there, household, OWNER.username, OWNER.password);
    });
  });

  it('omits the keys, and says so', async () => {
    await household.control('backup.setPassphrase', { passphrase: null });
    const made = await make(household);
    expect(made.keys).toBe(false);
    expect(made.notes.join(' ')).toContain(t('api.backup.noteKeys'));
    expect(await readdir(made.path)).not.toContain('keys.sealed');
    const { authority } = await restore(made.path, join(scratch, 'none'));
    expect(authority).toBe('new');
  });
});

describe('a folder that is restored into', () => {
  it('is refused unless it is empty, and not changed', async () => {
    const made = await make(household);
    const folder = join(scratch, 'full');
    await mkdir(folder);
    await writeFile(join(folder, 'note.txt'), 'mine');
    await expect(restore(made.path, folder)).rejects.toThrow(like('api.restore.notEmpty'));
    await expect(restore(made.path, household.folder)).rejects.toThrow(like('api.restore.hasInstallation'));
    expect(await readdir(folder)).toEqual(['note.txt']);
  });
});
