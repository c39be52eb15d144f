import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertRoots, rootId } from '../../dist/server/catalogue/items.js';
import { indexNames } from '../../dist/server/catalogue/name-index.js';
import type { Database } from '../../dist/server/database/database.js';
import { findByName } from '../../dist/server/search/find-by-name.js';
import { openMigrated } from '../support/households/household-template.ts';

let folder: string;
let database: Database;
let root: number;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-search-'));
  database = await openMigrated(join(folder, 'larder.sqlite'), join(folder, 'backups'));
  await database.write(async (tx) => {
    await tx.run("INSERT INTO homes (id, path, created_at) VALUES ('home', 'home', 0)");
    await insertRoots(tx, 'home');
    root = await rootId(tx, 'home', '');
  });
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

const find = (reader: Pick<Database, 'all'>, name: string) =>
  findByName(reader, { homeId: 'home', itemId: Promise.resolve(root) }, name, 10);

it.each(['before', 'after'])(
  'finds a name that is indexed during a search, just %s the unindexed names are read',
  async (moment) => {
    const name = `${moment} it was.txt`;
    await database.write((tx) =>
      tx.run(
        `INSERT INTO items (uuid, home_id, parent_id, name, name_fold, is_dir, size, mtime, identity)
         VALUES (?1, 'home', ?2, ?1, ?1, 0, 1, 1, '')`,
        [name, root],
      ),
    );
    expect(await database.all('SELECT * FROM names_waiting')).toHaveLength(1);
    const others: Promise<unknown>[] = [];
    const reader: Pick<Database, 'all'> = {
      async all<Row>(sql: string, params?: Parameters<Database['all']>[1]) {
        if (!sql.includes('names_waiting')) {
          const rows = database.all<Row>(sql, params);
          others.push(rows);
          return rows;
        }
        // Whatever is asked for at the same time is read first.
        await new Promise(setImmediate);
        await Promise.all(others);
        if (moment === 'before') await indexNames(database.files);
        const rows = await database.all<Row>(sql, params);
        if (moment === 'after') await indexNames(database.files);
        return rows;
      },
    };
    const { hits } = await find(reader, name.slice(0, -4));
    expect(hits.map(({ item }) => item.name)).toEqual([name]);
    expect(await database.all('SELECT * FROM names_waiting')).toEqual([]);
  },
);
