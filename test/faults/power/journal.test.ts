import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Connection } from '../../../dist/server/database/connection.js';
import { sampled } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { like, t } from '../../support/server-texts.ts';

let household: Household;

beforeEach(async () => {
  household = await openHousehold();
});
afterEach(() => household.close());

interface Row {
  readonly kind: string;
  readonly data: string;
  readonly version?: number;
}

const whileStopped = (work: (database: Connection) => Promise<void>, changes = {}) =>
  household.whileStopped(async () => {
    const database = await Connection.open(join(household.folder, '.larder', 'larder.sqlite'));
    try {
      await work(database);
    } finally {
      await database.close();
    }
  }, changes);

const insert = (database: Connection, { kind, data, version = 1 }: Row) =>
  database.run('INSERT INTO journal (kind, data, version, created_at) VALUES (?, ?, ?, 1)', [kind, data, version]);

async function journal(): Promise<Row[]> {
  let rows: Row[] = [];
  await whileStopped(async (database) => {
    rows = await database.all<Row>('SELECT kind, data, version FROM journal ORDER BY id');
  });
  return rows;
}

const TRASH_ID = 'abcdefghijklmnop';
const HOME_ERASE = { homeId: 'a'.repeat(16), versionIds: [], trashIds: [], uploadIds: [] };
const ITEM = { itemId: 1, identity: 'x', versionIds: [] };

function entry(kind: string, fields: object): Row {
  return { kind, data: JSON.stringify({ kind, homeId: 'x', ...fields }) };
}

const unreadable: readonly (readonly [string, Row, RegExp])[] = [
  [
    'cut off',
    { kind: 'move', data: '{"kind":"mo' },
    like('api.journal.quarantined', { reason: t('api.journal.notJson') }),
  ],
  ['without its fields', { kind: 'trash', data: '{"kind":"trash"}' }, /it is damaged \(fields are missing or wrong\)/],
  [
    'of an unknown kind',
    { kind: 'later', data: '{"kind":"later"}' },
    like('api.journal.quarantined', { reason: t('api.journal.unknownKind') }),
  ],
  [
    'of a later form',
    { kind: 'forget', data: '{"kind":"forget","homeId":"x","versionIds":[]}', version: 2 },
    like('api.journal.quarantined', { reason: t('api.journal.otherVersion', { written: 2, read: 1 }) }),
  ],
  ['that is no object', { kind: 'erase', data: 'null' }, /it is damaged/],
  // What these name would be erased.
  ['that leads out of the work area', entry('forget', { versionIds: ['../../homes/ann/keep'] }), /it is damaged/],
  ['that names the work area itself', entry('forget', { versionIds: [''] }), /it is damaged/],
  ['whose item lies elsewhere', entry('erase', { ...ITEM, trashId: '../../homes/ann' }), /it is damaged/],
  ['whose path has a dot segment', entry('restore', { ...ITEM, trashId: TRASH_ID, to: ['..', 'x'] }), /it is damaged/],
  ['whose home is no trashed one', entry('home-erase', { ...HOME_ERASE, root: 'homes/ann' }), /it is damaged/],
  [
    'whose home is another one',
    entry('home-erase', { ...HOME_ERASE, root: `/x/trash/homes/${'b'.repeat(16)}` }),
    /it is damaged/,
  ],
  [
    'whose home is above',
    entry('home-erase', { ...HOME_ERASE, root: `/x/trash/homes/../${HOME_ERASE.homeId}` }),
    /it is damaged/,
  ],
  [
    'of a kind that is very long',
    { kind: 'k'.repeat(10_000), data: '{}' },
    like('api.journal.quarantined', { kind: 'k'.repeat(100) }),
  ],
];

describe('a journal entry that cannot be read', () => {
  it.each(sampled(unreadable, 4))('%s is retained and reported, and the start continues', async (_name, row, says) => {
    await whileStopped((database) => insert(database, row).then(() => undefined));
    expect((await household.api.send('GET', '/healthz')).status).toBe(200);
    const status = await household.control('status');
    const said = (status.attention as string[]).filter((text) => /of the journal/.test(text));
    expect(said).toEqual([expect.stringMatching(says)]);
    for (const repair of [false, true]) {
      const { ok, problems } = await household.control('doctor', { repair });
      expect([ok, problems]).toEqual([false, said]);
    }
    expect(await journal()).toEqual([{ version: 1, ...row }]);
  });

  it('does not prevent others from being finished: an interrupted deletion is completed', async () => {
    const api = await household.signIn();
    await api.put({ path: '/ROOT/HOME/a.txt' }, 'content');
    const [home] = (await household.control('homes.list').catch(() => ({ homes: [] }))).homes as { id: string }[];
    const trashId = TRASH_ID;
    await whileStopped(async (database) => {
      await insert(database, { kind: 'move', data: 'damaged' });
      const [item] = await database.all<{ id: number; identity: string; home_id: string }>(
        "SELECT id, identity, home_id FROM items WHERE name = 'a.txt'",
      );
      if (item === undefined) throw new Error('there is no row');
      expect(home?.id ?? item.home_id).toBe(item.home_id);
      const trash = { kind: 'trash', homeId: item.home_id, itemId: item.id, identity: item.identity, trashId };
      const data = JSON.stringify({ ...trash, path: 'a.txt', deletedAt: Date.now(), deletedBy: 1 });
      await insert(database, { kind: 'trash', data });
      await insert(database, { kind: randomUUID(), data: '{}' });
      await rename(join(household.home, 'a.txt'), join(household.folder, '.larder', 'trash', trashId));
    });
    const { body } = await (await household.signIn()).get('files/browse', { path: '/TRASH' });
    expect(body.data.files).toHaveLength(1);
    expect((await journal()).map(({ kind }) => kind)).toEqual(['move', expect.stringMatching(/-/)]);
  });

  it('that fails while it is finished is also retained and reported', async () => {
    const path = join(household.folder, '.larder', 'versions', 'version-one');
    await writeFile(path, 'an older version');
    await whileStopped(
      async (database) => {
        const [home] = await database.all<{ id: string }>('SELECT id FROM homes');
        await insert(database, entry('forget', { homeId: home?.id, versionIds: ['version-one'] }));
      },
      { failPoints: `${household.folder};files.forget.erase=eio` },
    );
    const status = await household.control('status');
    expect((status.attention as string[]).join()).toMatch(like('api.journal.unfinished', { kind: 'forget' }));
    expect(existsSync(path)).toBe(true);
    // The next start finishes it.
    expect(await journal()).toHaveLength(1);
    expect(existsSync(path)).toBe(false);
    expect(await journal()).toEqual([]);
  });

  it('with an invalid time is reported, and causes no false warning about the clock', async () => {
    await whileStopped(async (database) => {
      for (const time of ['9000000000000000', '9223372036854775807']) {
        await database.run(
          `INSERT INTO journal (kind, data, version, created_at) VALUES ('move', '{', 1, ${time})`,
          [],
        );
      }
    });
    const { problems } = await household.control('doctor', { repair: true });
    expect(problems).toEqual([
      expect.stringMatching(like('api.journal.quarantinedUnknown')),
      expect.stringMatching(like('api.journal.quarantinedUnknown')),
    ]);
  });
});
