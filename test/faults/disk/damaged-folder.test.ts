import {
  copyFile,
  cp,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Connection } from '../../../dist/server/database/connection.js';
import { type Installation as Folder, newInstallation, run, setUpInstallation } from '../../cli/support.ts';
import { treeOf } from '../../support/content/tree.ts';
import { describeInFull, itInFull, oneOfEachKind, sampled } from '../../support/forms.ts';
import { OWNER } from '../../support/households/household.ts';
import { Installation } from '../../support/households/server-process.ts';
import { like, t } from '../../support/server-texts.ts';

const PAGE = 4096;

async function overwrite(file: string, from: number, bytes: number): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.write(Buffer.alloc(bytes, 0xa5), 0, bytes, from);
  await handle.close();
}

/** What can become of a database between two starts, and what the start has to say of it. */
const damages: readonly [name: string, says: RegExp, damage: (file: string) => Promise<void>][] = [
  ['missing', like('api.storage.databaseMissing'), (file) => rm(file)],
  ['of no length', like('api.storage.databaseEmpty'), (file) => truncate(file, 0)],
  [
    'no database',
    like('api.doctor.databaseUnreadable'),
    (file) => writeFile(file, Buffer.alloc(20 * PAGE, 'no database')),
  ],
  ['cut off', like('api.doctor.databaseUnreadable'), (file) => truncate(file, 20 * PAGE)],
  ['cut off within a page', like('api.doctor.databaseUnreadable'), (file) => truncate(file, 5_000)],
  ['without its first page', like('api.doctor.databaseUnreadable'), (file) => overwrite(file, 0, PAGE)],
  ['without the pages of its schema', like('api.doctor.databaseUnreadable'), (file) => overwrite(file, PAGE, 6 * PAGE)],
  ['copied without its log', like('api.storage.databaseForeign'), (file) => replaced(file, 'PRAGMA journal_mode=WAL')],
  [
    'another program’s',
    like('api.storage.databaseForeign'),
    (file) => replaced(file, 'CREATE TABLE songs (name TEXT)'),
  ],
];

/** Puts a database of SQLite in its place that nobody has migrated. */
async function replaced(file: string, sql: string): Promise<void> {
  await rm(file);
  const connection = await Connection.open(file);
  await connection.exec(sql);
  await connection.close();
}

itInFull('a first start that was interrupted while creating the database is repeated by the next start', async () => {
  const folder = await newInstallation();
  const database = join(folder.folder, '.larder', 'larder.sqlite');
  await mkdir(dirname(database), { recursive: true });
  const first = await Connection.open(database);
  await first.exec('PRAGMA journal_mode=WAL; CREATE TABLE migrations (name TEXT PRIMARY KEY) STRICT');
  const left = ['', '-wal'].map((end) => `${database}${end}`);
  for (const path of left) await copyFile(path, `${path}.left`);
  await first.close();
  for (const path of left) await rename(`${path}.left`, path);
  expect((await stat(`${database}-wal`)).size).toBeGreaterThan(0);
  await folder.setUp();
  const server = await folder.serve();
  await server.stop();
  await folder.remove();
});

describe('a start with a database that is', () => {
  let folder: Folder;
  let database: string;
  let backup: string;

  beforeAll(async () => {
    folder = await setUpInstallation();
    database = join(folder.folder, '.larder', 'larder.sqlite');
    const made = JSON.parse((await folder.larder(['backup', '--json'])).stdout) as { path: string };
    backup = made.path;
  });
  afterEach(async () => {
    // What it says to do.
    for (const end of ['', '-wal', '-shm']) await rm(`${database}${end}`, { force: true, recursive: true });
    await copyFile(join(backup, 'larder.sqlite'), database);
  });
  afterAll(() => folder.remove());

  async function refused(...command: string[]): Promise<string> {
    const { code, stdout, stderr } = await folder.larder(command, 'correct horse battery\n');
    expect([command[0], code, stdout]).toEqual([command[0], 3, '']);
    expect(stderr.trim().split('\n'), 'one line, and no stack').toHaveLength(1);
    return stderr;
  }

  it.each(oneOfEachKind(damages, ([, says]) => String(says)))(
    '%s reports it, names the newest backup, and changes nothing',
    async (_name, says, damage) => {
      await damage(database);
      const before = await treeOf(join(folder.folder, 'homes'));
      const size = () =>
        stat(database).then(
          (found) => found.size,
          () => null,
        );
      const left = await size();
      const bytes = await readFile(database).catch(() => null);
      const said = await refused('serve');
      expect(said).toMatch(says);
      expect(said).toContain(database);
      expect(said).toContain(`larder.cjs restore --from "${backup}"`);
      expect(await treeOf(join(folder.folder, 'homes'))).toEqual(before);
      expect(await size()).toEqual(left);
      expect(await readFile(database).catch(() => null)).toEqual(bytes);
      // A log that is left of the old one would be taken into the copy.
      const order = ['First move larder.sqlite, larder.sqlite-wal', `Then copy ${join(backup, 'larder.sqlite')}`];
      const [first, then] = order.map((step) => said.indexOf(step));
      expect([first, then], said).not.toContain(-1);
      expect(first).toBeLessThan(then ?? 0);
    },
  );

  itInFull('missing, with the log of a crash, keeps that log and does not apply it to the backup', async () => {
    const server = await folder.serve();
    await folder.control('accounts.add', { username: 'late', password: OWNER.password, name: 'Late' });
    await server.stop('SIGKILL');
    const log = await readFile(`${database}-wal`);
    expect(log.length).toBeGreaterThan(0);
    await rm(database);
    const area = join(folder.folder, '.larder');
    await rename(join(area, 'tls'), join(folder.folder, 'tls'));
    for (let start = 0; start < 2; start += 1)
      expect(await refused('serve')).toMatch(like('api.storage.databaseMissing'));
    await rename(join(folder.folder, 'tls'), join(area, 'tls'));
    const [aside = ''] = (await readdir(area)).filter((name) => name.startsWith('larder.sqlite-wal'));
    expect(aside).toMatch(/^larder\.sqlite-wal\.left-\d+$/);
    expect(await readFile(join(area, aside))).toEqual(log);
    await copyFile(join(backup, 'larder.sqlite'), database);
    expect(JSON.stringify(await folder.control('accounts.list'))).not.toContain('late');
    const { problems } = JSON.parse((await folder.larder(['doctor', '--json'])).stdout);
    expect(problems.filter((problem: string) => problem.includes('database'))).toEqual([]);
    await rm(join(area, aside));
    await rm(join(folder.folder, 'homes', 'late'), { recursive: true, force: true });
  });

  itInFull('missing, in a folder with only that log, does not create a new installation', async () => {
    const other = await newInstallation();
    const log = join(other.folder, '.larder', 'larder.sqlite-wal');
    await mkdir(join(other.folder, '.larder'));
    await writeFile(log, 'what was in it');
    for (let start = 0; start < 2; start += 1) {
      const { code, stderr } = await other.larder(['serve']);
      expect([code, stderr]).toEqual([3, expect.stringMatching(like('api.storage.databaseMissing'))]);
    }
    await rm(other.folder, { recursive: true });
  });

  it('present, but inaccessible, is not reported as missing', async () => {
    await rm(database);
    await symlink('larder.sqlite', database);
    const { code, stderr } = await folder.larder(['serve']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('ELOOP')]);
    const { problems } = JSON.parse((await folder.larder(['doctor', '--json'])).stdout);
    expect(problems).toEqual([expect.stringContaining('ELOOP')]);
  });

  itInFull('intact, but has a damaged lock, names the lock and says what to do with it', async () => {
    const lock = join(folder.folder, '.larder', 'lock.sqlite');
    await writeFile(lock, 'no lock '.repeat(1_000));
    const said = await refused('serve');
    expect(said).toContain(`The lock file ${lock} is damaged`);
    expect(said).toContain('can be deleted');
    expect(said).not.toContain('larder.sqlite');
    await rm(lock);
    await (await folder.serve()).stop();
    await rm(lock);
    await mkdir(lock);
    expect(await refused('serve')).toContain(`The lock file ${lock} cannot be used`);
    await rm(lock, { recursive: true });
  });

  itInFull('missing is refused by every command that opens it, and works after the backup is restored', async () => {
    await rm(database);
    for (const command of [['setup', '--owner', 'eve', '--password-stdin'], ['status']])
      expect(await refused(...command)).toMatch(like('api.storage.databaseMissing'));
    await copyFile(join(backup, 'larder.sqlite'), database);
    const server = await folder.serve();
    expect(server.greeting).toContain('Panel:');
    const { ok, problems } = JSON.parse((await folder.larder(['doctor', '--json'])).stdout);
    expect([ok, problems]).toEqual([true, []]);
    await server.stop();
  });

  itInFull('missing names the newest backup also without the note about it', async () => {
    const noted = join(folder.folder, '.larder', 'backups', 'newest-backup.json');
    await rename(noted, `${noted} away`);
    await rm(database);
    expect(await refused('serve')).toContain(backup);
    await rename(`${noted} away`, noted);
  });

  itInFull('missing is reported also without any backup, and if only the homes are left', async () => {
    await rm(database);
    const area = (name: string) => join(folder.folder, '.larder', name);
    for (const name of ['tls', 'backups']) await rename(area(name), join(folder.folder, name));
    expect(await refused('serve')).toMatch(
      new RegExp(`${like('api.storage.databaseMissing').source}.*${like('api.backup.putBackAny').source}`),
    );
    expect(await readdir(join(folder.folder, '.larder'))).not.toContain('larder.sqlite');
    await rm(area('backups'), { recursive: true });
    for (const name of ['tls', 'backups']) await rename(join(folder.folder, name), area(name));
  });

  itInFull('a folder names what cannot be opened', async () => {
    await rm(database);
    await mkdir(database);
    expect(await refused('serve')).toContain(join(folder.folder, '.larder'));
  });
});

itInFull(
  'a household without its authority gets a new one, which is reported to the owner until the next start',
  async () => {
    const folder = await setUpInstallation();
    try {
      for (const name of ['ca.crt', 'ca.key']) await rm(join(folder.folder, '.larder', 'tls', name));
      const first = await folder.serve();
      expect(first.greeting).toContain(`${t('cli.serve.attention')}    ${t('api.reports.newAuthority')}`);
      await first.stop();
      const second = await folder.serve();
      expect(second.greeting).not.toContain(t('api.reports.newAuthority'));
      await second.stop();
    } finally {
      await folder.remove();
    }
  },
);

it('a household without any backup regains its files in a new installation by the printed instructions', async () => {
  const [lost, anew] = [await Installation.create(), await Installation.create()];
  try {
    const before = await lost.start();
    expect((await before.put({ path: '/ROOT/HOME/photo.txt' }, 'a photo')).status).toBe(201);
    await lost.kill();
    for (const end of ['', '-wal', '-shm'])
      await rm(join(lost.folder, '.larder', `larder.sqlite${end}`), { force: true });
    await expect(lost.start()).rejects.toThrow(like('api.backup.putBackAny'));
    const api = await anew.start();
    const filter = (path: string) => basename(path) !== '.larder-home';
    await cp(lost.home, anew.home, { recursive: true, filter });
    expect((await api.get('files/download', { path: '/ROOT/HOME/photo.txt' })).text).toBe('a photo');
    const { files } = (await api.get('files/browse', { path: '/ROOT/HOME' })).body.data;
    expect(files.map(({ filename }: { filename: string }) => filename)).toEqual(['photo.txt']);
    await expect.poll(async () => (await anew.doctor()).problems).toEqual([]);
  } finally {
    await lost.remove();
    await anew.remove();
  }
});

/** What can become of the log that SQLite keeps beside it while a server runs, and after it was killed. */
const damagesOfTheLog: readonly [string, (file: string) => Promise<void>][] = [
  ['gone', (file) => rm(file)],
  ['cut off', async (file) => truncate(file, Math.floor((await stat(file)).size / 2) + 77)],
  ['damaged in the middle', async (file) => overwrite(file, Math.floor((await stat(file)).size / 2), 500)],
  ['no log', (file) => writeFile(file, Buffer.alloc(50_000, 0xa5))],
];

itInFull('a damaged log of the database loses only its content: all files exist and are found again', async () => {
  const installation = await Installation.create();
  try {
    const written = new Set<string>();
    for (const [damage, damaged] of sampled(damagesOfTheLog, 2)) {
      const api = await installation.start();
      for (const name of ['a', 'b', 'c'].map((letter) => `${damage} ${letter}.txt`)) {
        expect((await api.put({ path: `/ROOT/HOME/${name}` }, name)).status).toBe(201);
        written.add(name);
      }
      await installation.kill();
      await damaged(join(installation.folder, '.larder', 'larder.sqlite-wal'));
      // The token may have been in it.
      installation.forgetToken();
      const again = await installation.start();
      const { files } = (await again.get('files/browse', { path: '/ROOT/HOME' })).body.data;
      expect(new Set(files.map(({ filename }: { filename: string }) => filename)), damage).toEqual(written);
      expect((await again.get('files/download', { path: `/ROOT/HOME/${damage} b.txt` })).text).toBe(`${damage} b.txt`);
      const told = damage === 'gone' ? [expect.stringMatching(like('api.storage.logMissing'))] : [];
      await expect
        .poll(async () => {
          const { problems, notes } = await installation.doctor();
          return [...problems, ...notes.filter((note) => /other programs|belongs to nothing/.test(note))];
        })
        .toEqual(told);
      await installation.kill();
    }
  } finally {
    await installation.remove();
  }
});

describeInFull('a folder that was copied from another one and has lost its database', () => {
  let original: Folder;
  let copy: string;

  beforeAll(async () => {
    original = await setUpInstallation();
  });
  afterAll(async () => {
    await original.remove();
    await rm(copy, { recursive: true, force: true });
  });

  it('gets the name of its own backup, and of none of the original folder', async () => {
    const outside = `${original.folder}-backups`;
    const made = JSON.parse((await original.larder(['backup', '--json'])).stdout) as { path: string };
    copy = `${original.folder}-copy`;
    await cp(original.folder, copy, { recursive: true, preserveTimestamps: true });
    await rm(join(copy, '.larder', 'larder.sqlite'));
    const refused = async () => (await run(['serve', '--folder', copy, '--port', '0'])).stderr;
    const said = await refused();
    expect(said).toContain(`larder.cjs restore --from "${join(copy, '.larder', 'backups', basename(made.path))}"`);
    expect(said).not.toContain(`"${made.path}"`);
    // The same where the backups lie outside of both.
    const noted = join(copy, '.larder', 'backups', 'newest-backup.json');
    await cp(made.path, outside, { recursive: true });
    const note = JSON.parse(await readFile(noted, 'utf8')) as object;
    await writeFile(noted, JSON.stringify({ ...note, folder: outside }));
    expect(await refused()).not.toContain(outside);
    await rm(outside, { recursive: true });
  });
});
