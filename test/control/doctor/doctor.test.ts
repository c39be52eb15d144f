import { chmod, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR } from '../../../dist/server/lib/clock.js';
import { treeOf } from '../../support/content/tree.ts';
import { itInFull } from '../../support/forms.ts';
import { openHousehold } from '../../support/households/household.ts';
import { like, t } from '../../support/server-texts.ts';
import { foreignCertificate } from '../../tls/support.ts';
import {
  api,
  area,
  at,
  examine,
  expectHealthy,
  household,
  patients,
  put,
  type Report,
  repair,
  sql,
  uuidOf,
  whileNotServed,
} from './doctor-support.ts';

patients();

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

  it('is healthy without an owner, too', async () => {
    const fresh = await openHousehold({ owner: null });
    try {
      expect(await fresh.control('doctor')).toMatchObject({ ok: true, problems: [] });
    } finally {
      await fresh.close();
    }
  });

  it('is not changed by a check without a repair', async () => {
    await put('a.txt', 'one');
    await put('a.txt', 'two');
    /** Without what is about this machine. */
    const ofHousehold = ({ notes, ...report }: Report) => ({
      ...report,
      notes: notes.filter(
        (text) => !like('api.doctor.space').test(text) && !like('api.doctor.certificateNames').test(text),
      ),
    });
    const all = async () => [
      await treeOf(household.home),
      await treeOf(area('trash')),
      (await stat(area('tls', 'ca.key'))).mode,
    ];
    await whileNotServed(async (look) => {
      await writeFile(at('new.txt'), 'new');
      await writeFile(area('trash', 'stray'), 'stray');
      await chmod(area('tls', 'ca.key'), 0o644);
      const [version = ''] = await readdir(area('versions'));
      await rm(area('versions', version));
      const before = await all();
      const first = await look();
      expect(first).not.toHaveProperty('repaired');
      expect(ofHousehold(await look())).toEqual(ofHousehold(first));
      expect([first.problems.length, ofHousehold(first).notes.length]).toEqual([2, 2]);
      expect(await all()).toEqual(before);
    });
  });
});

describe('the folder', () => {
  it.each([
    ['the folder of everything', '.', 0o755, 0o700],
    ['a key', 'tls/ca.key', 0o644, 0o600],
    ['the key of an own certificate', 'tls/own.key', 0o640, 0o600],
    ['what leads to the running server', 'control.json', 0o604, 0o600],
  ])('is not readable by others: %s', async (_name, path, open, closed) => {
    if (path === 'tls/own.key') {
      const own = await foreignCertificate(['files.home.example'], Date.now());
      await writeFile(area('tls', 'own.crt'), own.certificate);
      await writeFile(area('tls', 'own.key'), own.key);
    }
    await chmod(area(path), open);
    const { ok, problems } = await examine();
    expect(ok).toBe(false);
    expect(problems).toEqual([expect.stringMatching(like('api.doctor.exposedRepair', { path: area(path) }))]);
    expect(problems[0]).toContain(`chmod go= "${area(path)}"`);
    expect(await repair()).toEqual([expect.stringContaining(area(path))]);
    expect((await stat(area(path))).mode & 0o777).toBe(closed);
    expect((await examine()).problems).toEqual([]);
  });

  it('has all its parts', async () => {
    await rm(area('incoming'), { recursive: true });
    expect((await examine()).problems).toEqual([
      expect.stringMatching(like('api.doctor.folderMissingRepair', { folder: area('incoming') })),
    ]);
    expect(await repair()).toEqual([expect.stringContaining(area('incoming'))]);
    await put('works.txt', 'again');
    await api.get('files/browse', { path: '/ROOT/HOME' });
    await expectHealthy();
  });

  it('contains the control.json of the running server', async () => {
    await writeFile(area('control.json'), '{"pid":1,"port":1,"key":"somebody else’s, long enough"}', { mode: 0o600 });
    expect((await examine()).problems).toEqual([expect.stringContaining(area('control.json'))]);
  });
});

describe('a home', () => {
  it.each([
    ['without its marker', (marker: string) => rm(marker), 'api.doctor.homeWithoutMarker'],
    ['with the marker of another', (marker: string) => writeFile(marker, 'other'), 'api.doctor.homeOtherMarker'],
    ['that is away', () => rename(household.home, `${household.home}.away`), 'api.doctor.homeMissing'],
  ] as const)('%s is reported as offline, and its rows stay', async (_name, damage, key) => {
    await put('kept.txt', 'kept');
    const uuid = await uuidOf('', 'kept.txt');
    const marker = at('.larder-home');
    const content = await readFile(marker, 'utf8');
    await damage(marker);
    const { problems, notes } = await examine({ repair: true });
    expect(problems).toEqual([expect.stringMatching(like(key, { home: household.home }))]);
    if (key !== 'api.doctor.homeMissing') expect(problems[0]).toContain(`echo ${content.trim()} > "${marker}"`);
    expect(notes).toEqual([expect.stringMatching(like('api.doctor.space'))]);
    if (key === 'api.doctor.homeMissing') await rename(`${household.home}.away`, household.home);
    await writeFile(marker, content);
    await expectHealthy();
    expect(await uuidOf('', 'kept.txt')).toBe(uuid);
  });
});

describe('rows and files', () => {
  it('that differ are reported with counts and examples, and agree after a repair', async () => {
    await put('gone.txt', 'gone');
    await put('changed.txt', 'before');
    await whileNotServed(async (look) => {
      await mkdir(at('folder', 'deep'), { recursive: true });
      await writeFile(at('folder', 'deep', 'new.txt'), 'new');
      await writeFile(at('changed.txt'), 'after and longer');
      await rm(at('gone.txt'));
      const { ok, notes } = await look();
      expect(ok).toBe(true);
      const [difference = ''] = notes.filter((note) => like('api.doctor.filesDiffer').test(note));
      expect(difference).toContain(household.home);
      expect(difference).toContain(
        t('api.doctor.filesNew', { count: 3, paths: '"folder", "folder/deep", "folder/deep/new.txt"' }),
      );
      expect(difference).toContain(t('api.doctor.filesGone', { count: 1, paths: '"gone.txt"' }));
      expect(difference).toContain(t('api.doctor.filesChanged', { count: 1, paths: '"changed.txt"' }));
      const before = await treeOf(household.home);
      const { repaired } = await look({ repair: true });
      expect(repaired).toEqual([expect.stringMatching(like('api.doctor.filesReconciled'))]);
      expect(await treeOf(household.home)).toEqual(before);
      expect((await look()).notes.join()).not.toMatch(like('api.doctor.filesDiffer'));
    });
    await expectHealthy();
  });

  it('are counted if they are too many to be named', async () => {
    await whileNotServed(async (look) => {
      for (let i = 0; i < 5; i += 1) await writeFile(at(`n${i}`), '');
      expect((await look()).notes.join()).toContain(
        t('api.doctor.filesNew', { count: 5, paths: t('api.doctor.few', { names: '"n0", "n1", "n2"', count: 2 }) }),
      );
    });
  });

  itInFull.each([
    ['to a folder that comes before', 'z', 'a'],
    ['to a folder that comes after', 'a', 'z'],
  ])('keep their identity when another program has moved them %s', async (_name, from, to) => {
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
    expect(problems).toEqual([
      expect.stringMatching(like('api.doctor.namesInvalid', { count: 1, folder: `"${at('old')}"` })),
    ]);
    expect(problems[0]).toContain('"caf\\xe9\\\\é.txt"');
    expect(problems[0]).toContain("mv -- $'caf\\xe9\\\\é.txt'");
    expect(await readFile(path, 'utf8')).toBe('coffee');
    await rename(path, at('old', 'café.txt'));
    await repair();
    await expectHealthy();
  });

  it('that are equal on another system are reported separately', async () => {
    await writeFile(at('caf\u00e9.txt'), '1');
    await writeFile(at('cafe\u0301.txt'), '2');
    await writeFile(at('Report.txt'), '3');
    await writeFile(at('REPORT.txt'), '4');
    await writeFile(at('report 2.txt'), '5');
    await repair();
    const { ok, notes } = await examine();
    expect(ok).toBe(true);
    const twins = notes.filter((note) => like('api.doctor.namesTwins').test(note));
    expect(twins).toHaveLength(2);
    expect(twins.join()).toContain('"café.txt"');
    expect(twins.join()).toContain('"cafe\\u{301}.txt"');
    expect(twins.join()).toMatch(/"REPORT\.txt", "Report\.txt"/);
    expect(twins.join()).not.toContain('report 2.txt');
  });

  it('cannot control the terminal', async () => {
    await whileNotServed(async (look) => {
      await writeFile(at('\u001b[2Jevil\u202e.txt'), '');
      const [note = ''] = (await look()).notes;
      expect(note).toContain('"\\u{1b}[2Jevil\\u{202e}.txt"');
    });
  });
});

describe('leftovers', () => {
  it('include uploads that stopped a day ago, and not those of this hour', async () => {
    await writeFile(area('incoming', 'slow'), '');
    await expectHealthy();
    const past = new Date(household.clock.now() - 2 * DAY);
    await utimes(area('incoming', 'slow'), past, past);
    expect((await examine({ repair: true })).notes.join()).toContain(
      t('api.doctor.uploadsStale', { count: 1, folder: area('incoming') }),
    );
    expect(await readdir(area('incoming'))).toEqual(['slow']);
  });

  it('include changes that the last start could not complete', async () => {
    const entry = "INSERT INTO journal (kind, data, created_at) VALUES ('forget', ?, ?)";
    await sql(entry, [JSON.stringify({ kind: 'forget', homeId: 'x', versionIds: [] }), household.clock.now()]);
    await expectHealthy();
    household.clock.advance(HOUR);
    expect((await examine()).notes.join()).toMatch(like('api.doctor.changesInterrupted', { count: 1 }));
  });
});

describe('the clock', () => {
  itInFull('is not before the times in the database', async () => {
    await put('a.txt', 'one');
    await put('a.txt', 'two');
    household.clock.advance(-DAY);
    const { ok, problems } = await examine();
    expect(ok).toBe(false);
    expect(problems).toEqual([expect.stringMatching(like('api.doctor.clockBack'))]);
    household.clock.advance(DAY);
    expect((await examine()).problems).toEqual([]);
  });

  it('is not in the past century, which is reported for the certificates, too', async () => {
    household.clock.advance(-household.clock.now() + 30 * DAY);
    const { problems } = await examine();
    expect(problems[0]).toContain('1970-01-31');
    expect(problems.join()).toMatch(like('api.tls.authorityNotYet'));
  });
});

describe('the database', () => {
  it('with rows that refer to nothing is not repaired', async () => {
    await sql("INSERT INTO versions (id, item_id, version, size, mtime, stored_at) VALUES ('v', 999999, 1, 0, 0, 0)");
    await writeFile(area('trash', 'stray'), 'stray');
    const { ok, problems, notes, repaired } = await examine({ repair: true });
    expect(ok).toBe(false);
    expect(problems).toEqual([expect.stringContaining('"versions"')]);
    expect(problems[0]).toMatch(like('api.backup.putBackAny'));
    expect(notes.join()).toContain(t('api.doctor.nothingRepaired'));
    expect(repaired).toEqual([]);
    expect(await readdir(area('trash'))).toEqual(['stray']);
  });

  it('has copies, which are listed', async () => {
    await writeFile(area('backups', 'before-upgrade-from-0001-foundation-1.sqlite'), '');
    expect((await examine()).notes.join()).toContain('before-upgrade-from-0001-foundation-1.sqlite');
  });
});

describe('certificates and ports', () => {
  it.each([
    ['expired', -400 * DAY, like('api.tls.ownExpired')],
    ['soon at its end', -380 * DAY, like('api.tls.ownExpires')],
  ])('an own certificate is %s', async (_name, made, text) => {
    const own = await foreignCertificate(['files.home.example'], Date.now() + made);
    await writeFile(area('tls', 'own.crt'), own.certificate);
    await writeFile(area('tls', 'own.key'), own.key, { mode: 0o600 });
    const { ok, problems } = await examine();
    expect(ok).toBe(false);
    expect(problems).toEqual([expect.stringMatching(text)]);
  });

  it('an address that the certificate does not cover is reported', async () => {
    const other = await openHousehold({ addresses: () => ['192.168.1.20', '203.0.113.9', '2001:db8::7'] });
    try {
      const { ok, notes } = (await other.control('doctor')) as unknown as Report;
      expect(ok).toBe(true);
      expect(notes.join()).toMatch(like('api.doctor.certificateNames', { addresses: '203.0.113.9' }));
    } finally {
      await other.close();
    }
  });

  itInFull('a plain HTTP port in use is a problem while HTTP is enabled', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as AddressInfo;
    try {
      await household.restart({ httpPort: port });
      expect((await examine()).problems).toEqual([]);
      await household.control('settings.update', { httpTesting: true });
      await expect
        .poll(async () => (await examine()).problems.join())
        .toMatch(like('api.network.httpPort', { port: String(port) }));
      expect((await examine()).notes.join()).toMatch(like('api.doctor.httpAllowed'));
    } finally {
      await new Promise((resolve) => taken.close(resolve));
    }
  });
});
