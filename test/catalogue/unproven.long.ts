import { createHash } from 'node:crypto';
import { chmod, link, mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sqlite3 from 'sqlite3';
import { expect, it } from 'vitest';
import { Connection } from '../../dist/server/database/connection.js';
import { Installation } from '../support/households/server-process.ts';
import type { ApiClient } from '../support/requests/api-client.ts';

/** A content has a name in each folder: links are made faster than files, and touched together. */
const FOLDERS = 30;
/** `LARDER_FILES=1000000` shows the same of a million. */
const CONTENTS = Math.floor(Number(process.env.LARDER_FILES ?? 30_000) / FOLDERS);
/** Files that clients ask about. */
const MOST_ASKED = 60_000;
/** Every so many contents, another program writes in place, and puts size and time back. */
const CHANGED_EVERY = 50;
const CONCURRENCY = 8;
const TIME = 1_600_000_000;

const contentOf = (index: number, state: 'old' | 'new') => `${state} content of ${index}`;
const isChanged = (index: number) => index % CHANGED_EVERY === 7;
const nameOf = (index: number) => `${index}.txt`;

async function inDatabase<T>({ folder }: Installation, work: (database: Connection) => Promise<T>): Promise<T> {
  const database = await Connection.open(join(folder, '.larder', 'larder.sqlite'), sqlite3.OPEN_READWRITE);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** As if the background had read all files: that alone would take most of the time. @returns the tag of each file by its path */
function hashed(installation: Installation): Promise<Map<string, string>> {
  const hashes = Array.from({ length: CONTENTS }, (_, index) => [
    nameOf(index),
    createHash('sha256').update(contentOf(index, 'old')).digest('hex'),
  ]);
  return inDatabase(installation, async (database) => {
    await database.run('CREATE TEMP TABLE hashes (name TEXT PRIMARY KEY, sha256 TEXT)');
    await database.run('INSERT INTO hashes SELECT value->>0, value->>1 FROM json_each(?)', [JSON.stringify(hashes)]);
    await database.run(
      `UPDATE items SET sha256 = unhex(hashes.sha256), touched = abs(touched) FROM hashes
       WHERE items.name = hashes.name AND is_dir = 0 AND missing_since IS NULL`,
    );
    const rows = await database.all<{ path: string; tag: string }>(
      `SELECT folders.name || '/' || items.name AS path, items.tag FROM items JOIN items AS folders ON folders.id = items.parent_id
       WHERE items.is_dir = 0 AND items.missing_since IS NULL`,
    );
    return new Map(rows.map(({ path, tag }) => [path, `"${tag}"`]));
  });
}

function unproven(installation: Installation): Promise<number> {
  return inDatabase(installation, async (database) => {
    const rows = await database.all<{ count: number }>(
      'SELECT count(*) AS count FROM items WHERE is_dir = 0 AND touched < 0 AND sha256 IS NOT NULL',
    );
    return rows[0]?.count ?? 0;
  });
}

const folders = Array.from({ length: FOLDERS }, (_, index) => `folder${index}`);

async function listAll(api: ApiClient): Promise<void> {
  for (const folder of folders) {
    const { body } = await api.get('files/browse', { path: `/ROOT/HOME/${folder}` });
    expect(body.data.files).toHaveLength(CONTENTS);
  }
}

it('unproven files cost reading, never a wrong answer', async () => {
  const installation = await Installation.create();
  try {
    const at = (folder: string, index: number) => join(installation.home, folder, nameOf(index));
    const [first = '', ...others] = folders;
    for (const folder of folders) await mkdir(join(installation.home, folder));
    for (let index = 0; index < CONTENTS; index += 1) {
      await writeFile(at(first, index), contentOf(index, 'old'));
      await utimes(at(first, index), TIME, TIME);
      for (const folder of others) await link(at(first, index), at(folder, index));
    }
    await listAll(await installation.start());
    await installation.stop();
    const tags = await hashed(installation);
    expect(tags.size).toBe(CONTENTS * FOLDERS);
    for (let index = 0; index < CONTENTS; index += 1) {
      await chmod(at(first, index), 0o600);
      if (!isChanged(index)) continue;
      await writeFile(at(first, index), contentOf(index, 'new'));
      await utimes(at(first, index), TIME, TIME);
    }
    const api = await installation.start();
    await listAll(api);
    expect(await unproven(installation)).toBeGreaterThan(0);

    const wrong: string[] = [];
    const statuses = new Map<string, number>();
    const ask = async (folder: string, index: number) => {
      const [path, tag] = [`/ROOT/HOME/${folder}/${nameOf(index)}`, tags.get(`${folder}/${nameOf(index)}`) ?? ''];
      const query = `path=${encodeURIComponent(path)}`;
      const ifNoneMatch = { headers: { 'if-none-match': tag } };
      const { status, headers, text } = await api.send('GET', `/api.php/files/download?${query}`, ifNoneMatch);
      const ifMatch = { headers: { 'if-match': tag } };
      // Every tenth is asked for a change as well.
      const change =
        index % 10 === 7 ? await api.send('POST', `/api.php/files/rating?rating=3&${query}`, ifMatch) : null;
      const isRight = isChanged(index)
        ? status === 200 && text === contentOf(index, 'new') && headers.etag !== tag && change?.status === 412
        : status === 304 && (change === null || change.status === 200);
      const kind = `${isChanged(index) ? 'changed' : 'touched'}: ${status}, ${change?.status ?? 'not changed'}`;
      statuses.set(kind, (statuses.get(kind) ?? 0) + 1);
      if (!isRight) wrong.push(`${path}: ${status} ${headers.etag} for ${tag}, and ${change?.status}`);
    };
    const all = folders
      .flatMap((folder) => Array.from({ length: CONTENTS }, (_, index) => [folder, index] as const))
      .filter((_, place) => place % Math.ceil((CONTENTS * FOLDERS) / MOST_ASKED) === 0);
    const asking = Array.from({ length: CONCURRENCY }, async () => {
      for (let next = all.pop(); next !== undefined; next = all.pop()) await ask(...next);
    });
    await Promise.all(asking);
    expect(wrong.slice(0, 20)).toEqual([]);
    expect([...statuses.keys()].toSorted()).toEqual([
      'changed: 200, 412',
      'touched: 304, 200',
      'touched: 304, not changed',
    ]);
  } finally {
    await installation.kill();
    await installation.remove();
  }
});
