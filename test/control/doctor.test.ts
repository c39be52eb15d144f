import { chmod, mkdir, readdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Connection } from '../../dist/server/database/connection.js';
import { DAY, HOUR } from '../../dist/server/lib/clock.js';
import type { ApiClient } from '../support/api-client.ts';
import { type Household, openHousehold } from '../support/household.ts';
import { treeOf } from '../support/tree.ts';
import { foreignCertificate } from '../tls/support.ts';

interface Report {
  ok: boolean;
  problems: string[];
  notes: string[];
  repaired?: string[];
}

let household: Household;
let api: ApiClient;

beforeEach(async () => {
  household = await openHousehold();
  api = await household.signIn();
});
afterEach(() => household.close());

const at = (...names: string[]) => join(household.home, ...names);
const area = (...names: string[]) => join(household.folder, '.larder', ...names);
const examine = async (input = {}) => (await household.control('doctor', input)) as unknown as Report;
const repair = async () => (await examine({ repair: true })).repaired ?? [];
const put = async (path: string, content: string) =>
  expect((await api.put({ path: `/ROOT/HOME/${path}` }, content)).status).toBeLessThan(300);
const uuidOf = async (folder: string, name: string) => {
  const { body } = await api.get('files/browse', { path: `/ROOT/HOME${folder}`, 'details[]': ['uuid'] });
  return body.data.files.find((file: { filename: string }) => file.filename === name)?.uuid;
};

/** The free space is always told; nothing else is of a healthy household. */
async function expectHealthy() {
  expect(await examine()).toEqual({ ok: true, problems: [], notes: [expect.stringMatching(/free in/)] });
}

/** Straight into the file, as another program would. */
async function sql(statement: string, params: (string | number)[] = []) {
  const connection = await Connection.open(area('larder.sqlite'));
  try {
    await connection.exec('PRAGMA foreign_keys=OFF; PRAGMA busy_timeout=5000');
    await connection.run(statement, params);
  } finally {
    await connection.close();
  }
}

describe('a healthy household', () => {
  it('has no problem, and nothing to repair', async () => {
    await put('a.txt', 'one');
    await put('a.txt', 'two');
    await api.post('files/createfolder', { path: '/ROOT/HOME', name: 'folder' });
    await put('folder/b.txt', 'b');
    await api.post('files/delete', { path: '/ROOT/HOME/folder' });
    await api.get('files/browse', { path: '/ROOT/HOME' });
    await expectHealthy();
    const before = await treeOf(household.home);
    expect(await examine({ repair: true })).toMatchObject({ ok: true, problems: [], repaired: [] });
    expect(await treeOf(household.home)).toEqual(before);
    expect(await readdir(area('versions'))).toHaveLength(1);
    expect(await readdir(area('trash'))).toHaveLength(1);
  });

  it('is so without an owner too', async () => {
    const fresh = await openHousehold({ owner: null });
    try {
      expect(await fresh.control('doctor')).toMatchObject({ ok: true, problems: [] });
    } finally {
      await fresh.close();
    }
  });

  it('is left as it is by a look, whatever is wrong', async () => {
    await put('a.txt', 'one');
    await put('a.txt', 'two');
    await writeFile(at('new.txt'), 'new');
    await writeFile(area('trash', 'stray'), 'stray');
    await chmod(area('tls', 'ca.key'), 0o644);
    const [version = ''] = await readdir(area('versions'));
    await rm(area('versions', version));
    const before = [
      await treeOf(household.home),
      await treeOf(area('trash')),
      (await stat(area('tls', 'ca.key'))).mode,
    ];
    const withoutSpace = ({ notes, ...report }: Report) => ({
      ...report,
      notes: notes.filter((text) => !text.includes('are free')),
    });
    const first = await examine();
    expect(first).not.toHaveProperty('repaired');
    expect(withoutSpace(await examine())).toEqual(withoutSpace(first));
    expect([first.problems.length, first.notes.length]).toEqual([2, 3]);
    expect([
      await treeOf(household.home),
      await treeOf(area('trash')),
      (await stat(area('tls', 'ca.key'))).mode,
    ]).toEqual(before);
  });
});

describe('the folder', () => {
  it.each([
    ['the folder of everything', '.', 0o755, 0o700],
    ['a key', 'tls/ca.key', 0o644, 0o600],
    ['the key of an own certificate', 'tls/own.key', 0o640, 0o600],
    ['what leads to the running server', 'control.json', 0o604, 0o600],
  ])('is nobody else’s to read: %s', async (_name, path, open, closed) => {
    if (path === 'tls/own.key') {
      const own = await foreignCertificate(['files.home.example'], Date.now());
      await writeFile(area('tls', 'own.crt'), own.certificate);
      await writeFile(area('tls', 'own.key'), own.key);
    }
    await chmod(area(path), open);
    const { ok, problems } = await examine();
    expect(ok).toBe(false);
    expect(problems).toEqual([expect.stringContaining(`${area(path)} let other users of this machine in`)]);
    expect(problems[0]).toContain(`chmod go= "${area(path)}"`);
    expect(await repair()).toEqual([expect.stringContaining(area(path))]);
    expect((await stat(area(path))).mode & 0o777).toBe(closed);
    expect((await examine()).problems).toEqual([]);
  });

  it('has all its parts', async () => {
    await rm(area('incoming'), { recursive: true });
    expect((await examine()).problems).toEqual([expect.stringContaining(`The folder ${area('incoming')} is missing`)]);
    expect(await repair()).toEqual([expect.stringContaining(area('incoming'))]);
    await put('works.txt', 'again');
    await api.get('files/browse', { path: '/ROOT/HOME' });
    await expectHealthy();
  });

  it('has the control.json of the running server', async () => {
    await writeFile(area('control.json'), '{"pid":1,"port":1,"key":"somebody else’s, long enough"}', { mode: 0o600 });
    expect((await examine()).problems).toEqual([expect.stringContaining(area('control.json'))]);
  });
});

describe('a home', () => {
  it.each([
    ['without its marker', (marker: string) => rm(marker), 'has lost its marker file'],
    ['with the marker of another', (marker: string) => writeFile(marker, 'other'), 'is that of another home'],
    ['that is away', () => rename(household.home, `${household.home}.away`), 'is not there'],
  ])('%s is offline: it is said, and no row is touched', async (_name, damage, text) => {
    await put('kept.txt', 'kept');
    const uuid = await uuidOf('', 'kept.txt');
    const marker = at('.larder-home');
    const content = await readFile(marker, 'utf8');
    await damage(marker);
    const { problems, notes } = await examine({ repair: true });
    expect(problems).toEqual([expect.stringContaining(text)]);
    expect(problems[0]).toContain(household.home);
    if (text !== 'is not there') expect(problems[0]).toContain(`echo ${content.trim()} > "${marker}"`);
    expect(notes).toEqual([expect.stringContaining('free')]);
    if (text === 'is not there') await rename(`${household.home}.away`, household.home);
    await writeFile(marker, content);
    await expectHealthy();
    expect(await uuidOf('', 'kept.txt')).toBe(uuid);
  });
});

describe('rows and files', () => {
  it('that differ are a note with numbers and examples, and agree after a repair', async () => {
    await put('gone.txt', 'gone');
    await put('changed.txt', 'before');
    await mkdir(at('folder', 'deep'), { recursive: true });
    await writeFile(at('folder', 'deep', 'new.txt'), 'new');
    await writeFile(at('changed.txt'), 'after and longer');
    await rm(at('gone.txt'));
    const { ok, notes } = await examine();
    expect(ok).toBe(true);
    const [difference = ''] = notes.filter((note) => note.includes('other programs'));
    expect(difference).toContain(household.home);
    expect(difference).toContain('3 new ("folder", "folder/deep", "folder/deep/new.txt")');
    expect(difference).toContain('1 gone ("gone.txt")');
    expect(difference).toContain('1 changed ("changed.txt")');
    const before = await treeOf(household.home);
    expect(await repair()).toEqual([expect.stringContaining('agrees with the disk again')]);
    expect(await treeOf(household.home)).toEqual(before);
    await expectHealthy();
  });

  it('counts what it does not name', async () => {
    for (let i = 0; i < 5; i += 1) await writeFile(at(`n${i}`), '');
    expect((await examine()).notes.join()).toContain('5 new ("n0", "n1", "n2" and 2 more)');
  });

  it.each([
    ['to a folder that comes before', 'z', 'a'],
    ['to a folder that comes after', 'a', 'z'],
  ])('keep their identity when another program moved them %s', async (_name, from, to) => {
    await mkdir(at(from));
    await mkdir(at(to));
    await put(`${from}/file.txt`, 'moved');
    await api.get('files/browse', { path: '/ROOT/HOME' });
    const uuid = await uuidOf(`/${from}`, 'file.txt');
    await rename(at(from, 'file.txt'), at(to, 'file.txt'));
    await repair();
    expect(await uuidOf(`/${to}`, 'file.txt')).toBe(uuid);
    await expectHealthy();
  });
});

describe('names', () => {
  it('that are not valid UTF-8 are named, with their folder and what to do', async () => {
    await mkdir(at('old'));
    const name = Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x5c, 0xc3, 0xa9, 0x2e, 0x74, 0x78, 0x74]);
    const path = Buffer.concat([Buffer.from(`${at('old')}/`), name]);
    await writeFile(path, 'coffee');
    const { ok, problems } = await examine({ repair: true });
    expect(ok).toBe(false);
    expect(problems).toEqual([expect.stringContaining(`1 name in "${at('old')}" is not valid UTF-8`)]);
    expect(problems[0]).toContain('"caf\\xe9\\\\é.txt"');
    expect(problems[0]).toContain("mv -- $'caf\\xe9\\\\é.txt'");
    expect(await readFile(path, 'utf8')).toBe('coffee');
    await rename(path, at('old', 'café.txt'));
    await repair();
    await expectHealthy();
  });

  it('that another system takes for one are notes, told apart', async () => {
    await writeFile(at('caf\u00e9.txt'), '1');
    await writeFile(at('cafe\u0301.txt'), '2');
    await writeFile(at('Report.txt'), '3');
    await writeFile(at('REPORT.txt'), '4');
    await writeFile(at('report 2.txt'), '5');
    await repair();
    const { ok, notes } = await examine();
    expect(ok).toBe(true);
    const twins = notes.filter((note) => note.includes('differ in upper and lower case'));
    expect(twins).toHaveLength(2);
    expect(twins.join()).toContain('"café.txt"');
    expect(twins.join()).toContain('"cafe\\u{301}.txt"');
    expect(twins.join()).toMatch(/"REPORT\.txt", "Report\.txt"/);
    expect(twins.join()).not.toContain('report 2.txt');
  });

  it('do not speak to the terminal', async () => {
    await writeFile(at('\u001b[2Jevil\u202e.txt'), '');
    const [note = ''] = (await examine()).notes;
    expect(note).toContain('"\\u{1b}[2Jevil\\u{202e}.txt"');
  });
});

describe('older versions and the trash', () => {
  async function twoVersions() {
    await put('doc.txt', 'one');
    await put('doc.txt', 'two');
    const [version = ''] = await readdir(area('versions'));
    return version;
  }

  it('that have lost their content are a problem, and are forgotten by a repair', async () => {
    const lost = await twoVersions();
    await put('doc.txt', 'three');
    await rm(area('versions', lost));
    const { ok, problems } = await examine();
    expect(ok).toBe(false);
    expect(problems).toEqual([expect.stringContaining('The content of 1 older version is gone')]);
    expect(problems[0]).toContain(area('versions'));
    expect(problems[0]).toContain('"doc.txt, version 1"');
    expect(await repair()).toEqual([expect.stringContaining('"doc.txt, version 1"')]);
    await expectHealthy();
    expect(await readdir(area('versions'))).toHaveLength(1);
    expect(await readFile(at('doc.txt'), 'utf8')).toBe('three');
  });

  it('keeps the history of what is lost from the trash', async () => {
    const version = await twoVersions();
    const trash = (await api.post('files/delete', { path: '/ROOT/HOME/doc.txt' })).body.data.trash_path;
    const id = trash.split('/').at(-1);
    const content = await readFile(area('trash', id), 'utf8');
    await rm(area('trash', id));
    const { problems } = await examine();
    expect(problems).toEqual([expect.stringContaining('The content of 1 item in the trash is gone')]);
    expect(problems[0]).toContain('doc.txt');
    expect(await repair()).toHaveLength(1);
    await expectHealthy();
    expect((await api.get('files/browse', { path: '/TRASH' })).body.data.files).toEqual([]);
    expect(await readFile(area('versions', version), 'utf8')).toBe('one');
    expect(content).toBe('two');
  });

  it.each(['trash', 'versions'])('gives contents that belong to nothing back: %s', async (kind) => {
    await mkdir(area(kind, 'tree', 'deep'), { recursive: true });
    await writeFile(area(kind, 'tree', 'deep', 'leaf.txt'), 'leaf');
    await writeFile(area(kind, 'stray'), 'last copy');
    await writeFile(at('recovered'), 'in the way');
    await api.get('files/browse', { path: '/ROOT/HOME' });
    const { ok, notes } = await examine();
    expect(ok).toBe(true);
    for (const name of ['stray', 'tree'])
      expect(notes).toContainEqual(
        expect.stringMatching(new RegExp(`^Something in ${area(kind)} belongs to nothing: .*"${name}"`)),
      );
    const blocked = await examine({ repair: true });
    expect(blocked.repaired).toEqual([]);
    expect(blocked.notes.join()).toContain('a file "recovered" where the folder');
    await rm(at('recovered'));
    await mkdir(at('Recovered'));
    const label = kind === 'trash' ? 'deleted stray' : 'older version stray';
    await writeFile(at('Recovered', label), 'there already');
    await repair();
    expect(await readFile(at('Recovered', `${label} (2)`), 'utf8')).toBe('last copy');
    expect(await readFile(at('Recovered', label), 'utf8')).toBe('there already');
    expect(await readFile(at('Recovered', label.replace('stray', 'tree'), 'deep', 'leaf.txt'), 'utf8')).toBe('leaf');
    expect(await readdir(area(kind))).toEqual([]);
    await expectHealthy();
  });

  it('shows nobody the content of another', async () => {
    const bob = join(household.folder, 'homes', 'bob');
    await mkdir(bob);
    await writeFile(join(bob, '.larder-home'), 'bob-home');
    await sql('INSERT INTO homes (id, path, created_at) VALUES (?, ?, ?)', ['bob-home', 'homes/bob', Date.now()]);
    await sql(
      "INSERT INTO items (uuid, home_id, name, is_dir, size, mtime, identity) VALUES ('u1', 'bob-home', '', 1, 0, 0, '')",
    );
    await writeFile(area('trash', 'whose'), 'bob’s diary');
    const { repaired, notes } = await examine({ repair: true });
    expect(repaired).toEqual([]);
    expect(notes.join()).toContain(`${area('trash')} belongs to nothing: "whose". Look at it`);
    expect(await readdir(area('trash'))).toEqual(['whose']);
    expect(await readdir(household.home)).not.toContain('Recovered');
  });

  it('of a disk that is away are not lost, whatever stands in its place', async () => {
    const outside = join(household.folder, '..', `${household.folder.split('/').at(-1)}-outside`);
    const versions = join(outside, '.larder-area', 'versions');
    try {
      await mkdir(versions, { recursive: true, mode: 0o700 });
      await writeFile(join(outside, '.larder-home'), 'outside');
      await sql("INSERT INTO homes (id, path, created_at) VALUES ('outside', ?, 0)", [outside]);
      await sql(
        "INSERT INTO items (id, uuid, home_id, name, is_dir, size, mtime, identity) VALUES (9000, 'u', 'outside', '', 1, 0, 0, '')",
      );
      await sql(
        "INSERT INTO versions (id, item_id, version, size, mtime, stored_at) VALUES ('kept', 9000, 1, 0, 0, 0)",
      );
      await rm(join(outside, '.larder-home'));
      const { repaired, problems } = await examine({ repair: true });
      expect(repaired).toEqual([]);
      expect(problems).toEqual([expect.stringContaining('has lost its marker')]);
      await writeFile(join(outside, '.larder-home'), 'outside');
      expect((await examine()).problems).toEqual([expect.stringContaining(`1 older version is gone from ${versions}`)]);
    } finally {
      await rm(outside, { recursive: true, force: true });
    }
  });

  it('that belong to nothing are led nowhere', async () => {
    await symlink('/etc/hostname', area('trash', 'link'));
    const { repaired, notes } = await examine({ repair: true });
    expect(repaired).toEqual([]);
    expect(notes.join()).toContain('belongs to nothing: "link". Look at it: what');
    expect(await readdir(area('trash'))).toEqual(['link']);
  });

  it('that belong to nothing are all moved, however many', async () => {
    for (let i = 0; i < 120; i += 1) await writeFile(area('versions', `stray-${i}`), String(i));
    expect(await repair()).toEqual([expect.stringContaining('and 117 more')]);
    expect(await readdir(at('Recovered'))).toHaveLength(120);
    await expectHealthy();
  });

  it('finishes what was deleted for good, and takes nothing else for it', async () => {
    const [remains, known] = ['Abcdefgh12345678.deep', 'Zbcdefgh12345678.deep'];
    for (const name of [remains, known, 'short.deep']) await mkdir(area('trash', name));
    await sql("INSERT INTO journal (kind, data, created_at) VALUES ('erase', ?, 0)", [
      JSON.stringify({ trashId: 'Zbcdefgh12345678' }),
    ]);
    expect(await repair()).toEqual([expect.stringContaining('short.deep'), expect.stringContaining(remains)]);
    expect(await readdir(area('trash'))).toEqual([known]);
    expect(await readdir(at('Recovered'))).toEqual(['deleted short.deep']);
  });

  it('leaves alone what is under way, of whatever kind', async () => {
    await writeFile(area('versions', 'on-its-way'), 'content');
    await sql("INSERT INTO journal (kind, data, created_at) VALUES ('of a later day', ?, ?)", [
      JSON.stringify({ homes: [{ kept: ['on-its-way'] }] }),
      Date.now() + HOUR,
    ]);
    expect((await examine({ repair: true })).notes.join()).not.toContain('on-its-way');
    expect(await readdir(area('versions'))).toEqual(['on-its-way']);
  });
});

describe('leftovers', () => {
  it('are uploads that stopped a day ago, and not those of this hour', async () => {
    await writeFile(area('incoming', 'slow'), '');
    await expectHealthy();
    const past = new Date(household.clock.now() - 2 * DAY);
    await utimes(area('incoming', 'slow'), past, past);
    expect((await examine({ repair: true })).notes.join()).toContain(`1 upload in ${area('incoming')} got nothing`);
    expect(await readdir(area('incoming'))).toEqual(['slow']);
  });

  it('are changes that the last start could not finish', async () => {
    const entry = "INSERT INTO journal (kind, data, created_at) VALUES ('move', '{}', ?)";
    await sql(entry, [household.clock.now()]);
    await expectHealthy();
    household.clock.advance(HOUR);
    expect((await examine()).notes.join()).toContain('1 change was interrupted (move');
  });
});

describe('the clock', () => {
  it('is not before what is written', async () => {
    await put('a.txt', 'one');
    await put('a.txt', 'two');
    household.clock.advance(-DAY);
    const { ok, problems } = await examine();
    expect(ok).toBe(false);
    expect(problems).toEqual([expect.stringContaining('it was set back')]);
    household.clock.advance(DAY);
    expect((await examine()).problems).toEqual([]);
  });

  it('is not in the past century, and the certificates say so too', async () => {
    household.clock.advance(-household.clock.now() + 30 * DAY);
    const { problems } = await examine();
    expect(problems[0]).toContain('1970-01-31');
    expect(problems.join()).toContain('authority is valid only from');
  });
});

describe('the database', () => {
  it('with rows that point nowhere is not built on', async () => {
    await sql("INSERT INTO versions (id, item_id, version, size, mtime, stored_at) VALUES ('v', 999999, 1, 0, 0, 0)");
    await writeFile(area('trash', 'stray'), 'stray');
    const { ok, problems, notes, repaired } = await examine({ repair: true });
    expect(ok).toBe(false);
    expect(problems).toEqual([expect.stringContaining('"versions"')]);
    expect(problems[0]).toContain('put larder.sqlite back from');
    expect(notes.join()).toContain('Nothing was repaired');
    expect(repaired).toEqual([]);
    expect(await readdir(area('trash'))).toEqual(['stray']);
  });

  it('has copies, which are named', async () => {
    await writeFile(area('backups', 'before-upgrade-from-0001-foundation-1.sqlite'), '');
    expect((await examine()).notes.join()).toContain('before-upgrade-from-0001-foundation-1.sqlite');
  });
});

describe('certificates and ports', () => {
  it.each([
    ['expired', -400 * DAY, 'Your own certificate is not used: own.crt expired on'],
    ['soon at its end', -380 * DAY, 'Your own certificate (own.crt) ends on'],
  ])('an own certificate is %s', async (_name, made, text) => {
    const own = await foreignCertificate(['files.home.example'], Date.now() + made);
    await writeFile(area('tls', 'own.crt'), own.certificate);
    await writeFile(area('tls', 'own.key'), own.key, { mode: 0o600 });
    const { ok, problems } = await examine();
    expect(ok).toBe(false);
    expect(problems).toEqual([expect.stringContaining(text)]);
  });

  it('an address that the certificate is not for is a note', async () => {
    const other = await openHousehold({ addresses: () => ['192.168.1.20', '203.0.113.9', '2001:db8::7'] });
    try {
      const { ok, notes } = (await other.control('doctor')) as unknown as Report;
      expect(ok).toBe(true);
      expect(notes.join()).toContain('The certificate is not for 203.0.113.9, so');
    } finally {
      await other.close();
    }
  });

  it('a plain HTTP port that is taken is a problem while it is wanted', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as AddressInfo;
    try {
      await household.restart({ httpPort: port });
      expect((await examine()).problems).toEqual([]);
      await household.control('settings.update', { httpTesting: true });
      await expect.poll(async () => (await examine()).problems.join()).toContain(`port ${port} could not be opened`);
      expect((await examine()).notes.join()).toContain('Plain HTTP is allowed');
    } finally {
      await new Promise((resolve) => taken.close(resolve));
    }
  });
});
