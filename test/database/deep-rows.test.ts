import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { insertItem, insertRoots, rootId } from '../../dist/server/catalogue/items.js';
import { eraseRows } from '../../dist/server/files/trash/erase.js';
import { openMigrated } from '../support/households/household-template.ts';

it('deletes a tree that is deeper than one cascade reaches', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'larder-database-'));
  const database = await openMigrated(join(folder, 'larder.sqlite'), join(folder, 'backups'));
  const entry = { name: 'folder', isDir: true, size: 0, mtime: 0, created: 0, touched: 0, identity: 'd1.1' };
  const top = await database.write(async (tx) => {
    await tx.run("INSERT INTO homes (id, path, created_at) VALUES ('home', 'homes/ann', 0)");
    await insertRoots(tx, 'home');
    let parent = await rootId(tx, 'home', '');
    const ids: number[] = [];
    for (let depth = 0; depth < 2_600; depth += 1) {
      parent = (await insertItem(tx, 'home', parent, entry)).id;
      ids.push(parent);
    }
    return ids[0] ?? 0;
  });
  await database.write((tx) => eraseRows({ clock: { now: () => 0 } }, tx, 'home', top, []));
  expect(await database.all('SELECT name FROM items ORDER BY name')).toEqual([{ name: '' }, { name: 'trash' }]);
  await database.close();
  await rm(folder, { recursive: true });
});
