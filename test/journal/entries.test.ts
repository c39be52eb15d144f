import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type JournalEntry, pendingEntries } from '../../dist/server/files/journal/journal.js';
import { HomeOnDisk } from '../support/households/home-on-disk.ts';
import { t } from '../support/server-texts.ts';

let disk: HomeOnDisk;
beforeAll(async () => {
  disk = await HomeOnDisk.open();
});
afterAll(() => disk.close());
beforeEach(() => disk.database.write((tx) => tx.run('DELETE FROM journal')));

const KEPT = { as: 'version', id: 'version-one', path: '/ROOT/HOME/a', by: 1, at: 1 } as const;
const HOME = 'home-of-somebody';
const ITEM = { homeId: HOME, itemId: 1, identity: 'f1.2.3.4' };
const PLACES = { from: ['a', 'b.txt'], to: ['c.txt'] };
const IDS = { versionIds: ['version-one'], trashIds: ['trashed-one'], uploadIds: [] };

const VALID: readonly JournalEntry[] = [
  { kind: 'overwrite', homeId: HOME, segments: ['a'], kept: KEPT },
  { kind: 'move', ...ITEM, ...PLACES, kept: { ...KEPT, as: 'trash' } },
  {
    kind: 'move-between',
    ...ITEM,
    toHomeId: 'x',
    ...PLACES,
    kept: KEPT,
    takenId: 'taken-one',
    versionIds: [],
    by: 1,
    at: 1,
  },
  { kind: 'move-between', ...ITEM, toHomeId: 'x', ...PLACES, kept: KEPT, takenId: null, versionIds: [], by: 1, at: 1 },
  { kind: 'moved-out', homeId: HOME, toHomeId: 'x', takenId: null, versionIds: ['12345678'] },
  { kind: 'trash', ...ITEM, trashId: 'trashed-one', path: 'a', deletedAt: 1, deletedBy: 1 },
  { kind: 'restore', homeId: HOME, itemId: 1, trashId: 'trashed-one', to: ['...', '.a', 'a.', 'two words'] },
  { kind: 'erase', ...ITEM, trashId: 'x'.repeat(64), versionIds: ['12345678'] },
  { kind: 'forget', homeId: HOME, versionIds: [] },
  { kind: 'home-trash', homeId: HOME, to: 'homes/ann', username: 'ann', at: 1 },
  { kind: 'home-restore', homeId: HOME, to: 'homes/ann' },
  { kind: 'home-erase', homeId: HOME, root: null, ...IDS },
  { kind: 'home-erase', homeId: HOME, root: `.larder/trash/homes/${HOME}`, ...IDS },
  { kind: 'home-erase', homeId: HOME, root: `C:\\disk\\trash\\homes\\${HOME}`, ...IDS },
];

describe('an entry', () => {
  it.each(VALID.map((entry) => [entry.kind, entry] as const))('of the kind %s is read unchanged', async (_, entry) => {
    const id = await disk.database.write((tx) => disk.journal.begin(tx, entry));
    expect(await disk.journal.pending()).toEqual({ entries: [{ id, entry }], quarantined: [] });
    await disk.database.write((tx) => disk.journal.end(tx, id));
    expect(await disk.journal.pending()).toEqual({ entries: [], quarantined: [] });
  });

  it('is listed in the order of its beginning, and ends independently', async () => {
    const ids: number[] = [];
    for (const entry of VALID.slice(0, 3)) ids.push(await disk.database.write((tx) => disk.journal.begin(tx, entry)));
    await disk.database.write((tx) => disk.journal.end(tx, ids[1] ?? 0));
    expect((await disk.journal.pending()).entries.map(({ id }) => id)).toEqual([ids[0], ids[2]]);
  });
});

const insert = (kind: string, data: unknown, version: number | string = 1, at: number | string = 5) =>
  disk.database.write((tx) =>
    tx.run('INSERT INTO journal (kind, data, version, created_at) VALUES (?, ?, ?, ?)', [
      kind,
      typeof data === 'string' ? data : JSON.stringify(data),
      version,
      at,
    ]),
  );

async function onlyQuarantined() {
  const { entries, quarantined } = await pendingEntries(disk.database);
  expect([entries, quarantined.length]).toEqual([[], 1]);
  return quarantined[0];
}

const forget = (...versionIds: unknown[]) => ({ kind: 'forget', homeId: HOME, versionIds });
const restore = (...to: unknown[]) => ({ kind: 'restore', homeId: HOME, itemId: 1, trashId: 'trashed-one', to });
const eraseHome = (root: string, homeId = HOME) => ({ kind: 'home-erase', homeId, root, ...IDS });

describe('an entry that cannot be read', () => {
  it.each([
    ['a name that is too short', forget('1234567')],
    ['a name that is too long', forget('x'.repeat(65))],
    ['a name that leads out of the work area', forget('../../homes/ann')],
    ['a name with a dot', forget('12345678.')],
    ['a name before another line', forget('12345678\n/')],
    ['a name behind another line', forget('/\n12345678')],
    ['an empty name', forget('')],
    ['no name', forget(1)],
    ['a way up', restore('..')],
    ['a way to the folder itself', restore('a', '.')],
    ['a way with a slash', restore('a/b')],
    ['a way with a NUL', restore('a\0b')],
    ['a way with an empty name', restore('')],
    ['a home that is in no trash', eraseHome('homes/ann')],
    ['a home that is not in the trash of homes', eraseHome(`x/homes/${HOME}`)],
    ['another home', eraseHome(`trash/homes/${HOME}x`)],
    ['a home with a way up', eraseHome(`trash/../trash/homes/${HOME}`)],
    ['a home below the one in the trash', eraseHome(`trash/homes/${HOME}/below`)],
    ['a home whose id is no name', eraseHome('trash/homes/..', '..')],
    ['no fields', { kind: 'trash' }],
  ])('has %s, and is reported with the reason', async (_what, data) => {
    const { lastId: id } = await insert(data.kind, data);
    const why = t('api.journal.fields');
    expect(await onlyQuarantined()).toEqual({ id, kind: data.kind, createdAt: 5, why });
  });

  it('is one that is not JSON', async () => {
    await insert('move', '{"kind":');
    expect(await onlyQuarantined()).toMatchObject({ why: t('api.journal.notJson') });
  });

  it('is one with another kind than its row', async () => {
    await insert('move', forget('12345678'));
    expect(await onlyQuarantined()).toMatchObject({ kind: 'move', why: expect.stringMatching(/fields are missing/) });
  });

  it('is one of an unknown kind', async () => {
    await insert('k'.repeat(300), { kind: 'k' });
    const why = t('api.journal.unknownKind');
    expect(await onlyQuarantined()).toMatchObject({ kind: 'k'.repeat(100), why });
  });

  it('is one of another version', async () => {
    await insert('forget', forget('12345678'), 2);
    expect(await onlyQuarantined()).toMatchObject({ why: t('api.journal.otherVersion', { written: 2, read: 1 }) });
  });

  it('has no time if its number is invalid', async () => {
    await insert('move', '{', 1, 9_000_000_000_000_000);
    expect(await onlyQuarantined()).toMatchObject({ createdAt: null });
  });

  it('does not prevent reading others', async () => {
    await insert('move', '{');
    const { lastId: id } = await insert('forget', forget('12345678'));
    expect((await pendingEntries(disk.database)).entries.map((one) => one.id)).toEqual([id]);
  });
});
