import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HOUR } from '../../../dist/server/lib/clock.js';
import { like, t } from '../../support/server-texts.ts';
import { api, area, at, examine, expectHealthy, household, patients, put, repair, sql } from './doctor-support.ts';

patients();

describe('older versions and the trash', () => {
  async function twoVersions() {
    await put('doc.txt', 'one');
    await put('doc.txt', 'two');
    const [version = ''] = await readdir(area('versions'));
    return version;
  }

  it('without their content are reported, and removed by a repair', async () => {
    const lost = await twoVersions();
    await put('doc.txt', 'three');
    await rm(area('versions', lost));
    const { ok, problems } = await examine();
    expect(ok).toBe(false);
    expect(problems).toEqual([expect.stringMatching(like('api.doctor.contentLost', { kind: 'versions', count: 1 }))]);
    expect(problems[0]).toContain(area('versions'));
    expect(problems[0]).toContain('"doc.txt, version 1"');
    expect(await repair()).toEqual([expect.stringContaining('"doc.txt, version 1"')]);
    await expectHealthy();
    expect(await readdir(area('versions'))).toHaveLength(1);
    expect(await readFile(at('doc.txt'), 'utf8')).toBe('three');
  });

  it('keeps the history of an item whose content in the trash is lost', async () => {
    const version = await twoVersions();
    const trash = (await api.post('files/delete', { path: '/ROOT/HOME/doc.txt' })).body.data.trash_path;
    const id = trash.split('/').at(-1);
    const content = await readFile(area('trash', id), 'utf8');
    await rm(area('trash', id));
    const { problems } = await examine();
    expect(problems).toEqual([expect.stringMatching(like('api.doctor.contentLost', { kind: 'trash', count: 1 }))]);
    expect(problems[0]).toContain('doc.txt');
    expect(await repair()).toHaveLength(1);
    await expectHealthy();
    expect((await api.get('files/browse', { path: '/TRASH' })).body.data.files).toEqual([]);
    expect(await readFile(area('versions', version), 'utf8')).toBe('one');
    expect(content).toBe('two');
  });

  it.each(['trash', 'versions'])('recovers contents without a record: %s', async (kind) => {
    await mkdir(area(kind, 'tree', 'deep'), { recursive: true });
    await writeFile(area(kind, 'tree', 'deep', 'leaf.txt'), 'leaf');
    await writeFile(area(kind, 'stray'), 'last copy');
    await writeFile(at('recovered'), 'in the way');
    await api.get('files/browse', { path: '/ROOT/HOME' });
    const { ok, notes } = await examine();
    expect(ok).toBe(true);
    for (const name of ['stray', 'tree'])
      expect(notes.filter((note) => note.includes(`"${name}"`))).toEqual([
        expect.stringMatching(like('api.doctor.straysMovable', { folder: area(kind) })),
      ]);
    const blocked = await examine({ repair: true });
    expect(blocked.repaired).toEqual([]);
    expect(blocked.notes.join()).toContain(t('api.doctor.folderNeeded', { name: 'recovered' }));
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

  it('reveals no content of another account', async () => {
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
    expect(notes.join()).toMatch(like('api.doctor.orphans', { folder: area('trash'), names: '"whose"' }));
    expect(await readdir(area('trash'))).toEqual(['whose']);
    expect(await readdir(household.home)).not.toContain('Recovered');
  });

  it('of a disconnected disk are not lost, whatever is in its place', async () => {
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
      expect(problems).toEqual([expect.stringMatching(like('api.doctor.homeWithoutMarker'))]);
      await writeFile(join(outside, '.larder-home'), 'outside');
      expect((await examine()).problems).toEqual([
        expect.stringMatching(like('api.doctor.contentLost', { kind: 'versions', count: 1, folder: versions })),
      ]);
    } finally {
      await rm(outside, { recursive: true, force: true });
    }
  });

  it('without a record follow no symbolic links', async () => {
    await symlink('/etc/hostname', area('trash', 'link'));
    const { repaired, notes } = await examine({ repair: true });
    expect(repaired).toEqual([]);
    expect(notes.join()).toMatch(like('api.doctor.orphans', { names: '"link"' }));
    expect(await readdir(area('trash'))).toEqual(['link']);
  });

  it('without a record are all moved, in any number', async () => {
    for (let i = 0; i < 120; i += 1) await writeFile(area('versions', `stray-${i}`), String(i));
    expect(await repair()).toEqual([expect.stringContaining(t('api.doctor.few', { names: '', count: 117 }))]);
    expect(await readdir(at('Recovered'))).toHaveLength(120);
    await expectHealthy();
  });

  it('completes permanent deletions, and removes nothing else', async () => {
    const [remains, known] = ['Abcdefgh12345678.deep', 'Zbcdefgh12345678.deep'];
    for (const name of [remains, known, 'short.deep']) await mkdir(area('trash', name));
    await sql("INSERT INTO journal (kind, data, created_at) VALUES ('erase', ?, 0)", [
      JSON.stringify({ trashId: 'Zbcdefgh12345678' }),
    ]);
    expect(await repair()).toEqual([expect.stringContaining('short.deep'), expect.stringContaining(remains)]);
    expect(await readdir(area('trash'))).toEqual([known]);
    expect(await readdir(at('Recovered'))).toEqual(['deleted short.deep']);
  });

  it('ignores operations of every kind that are in progress', async () => {
    await writeFile(area('versions', 'on-its-way'), 'content');
    await sql("INSERT INTO journal (kind, data, created_at) VALUES ('of a later day', ?, ?)", [
      JSON.stringify({ homes: [{ kept: ['on-its-way'] }] }),
      Date.now() + HOUR,
    ]);
    expect((await examine({ repair: true })).notes.join()).not.toContain('on-its-way');
    expect(await readdir(area('versions'))).toEqual(['on-its-way']);
  });
});
