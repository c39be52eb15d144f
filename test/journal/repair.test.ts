import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Connection } from '../../dist/server/database/connection.js';
import { PathLocks } from '../../dist/server/lib/concurrency/path-locks.js';
import { HomeOnDisk } from '../support/households/home-on-disk.ts';
import { type Household, openHousehold } from '../support/households/household.ts';
import type { ApiClient } from '../support/requests/api-client.ts';

const HOME = '/ROOT/HOME';

let household: Household;
let api: ApiClient;
/** Another program with the database, by which it refuses a change. */
let other: Connection;

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
  other = await Connection.open(join(household.folder, '.larder', 'larder.sqlite'));
});
afterEach(() => other.exec('DROP TRIGGER IF EXISTS refused'));
afterAll(async () => {
  await other.close();
  await household.close();
});

const put = (name: string, content: string) => api.put({ path: `${HOME}/${name}`, overwrite: '1' }, content);
const refuse = (change: string) =>
  other.exec(`CREATE TRIGGER refused BEFORE ${change} BEGIN SELECT RAISE(ABORT, 'refused'); END`);
const names = async (path = HOME): Promise<string[]> =>
  (await api.get('files/browse', { path })).body.data.files
    .map(({ filename }: { filename: string }) => filename)
    .sort();
const trashed = () => names('/TRASH');
const pending = async () => (await other.all<{ kind: string }>('SELECT kind FROM journal')).map(({ kind }) => kind);

/** What was interrupted is completed by the second of two checks. */
async function repaired(): Promise<void> {
  await other.exec('DROP TRIGGER refused');
  await household.larder.maintenance();
  expect(await pending()).not.toEqual([]);
  await household.larder.maintenance();
  expect(await pending()).toEqual([]);
}

describe('a change whose last step the database refuses', () => {
  it('is completed for a deleted item: it is in the trash', async () => {
    await put('deleted.txt', 'deleted');
    await refuse('INSERT ON trash');
    expect((await api.post('files/delete', { path: `${HOME}/deleted.txt` })).status).toBe(500);
    expect(await names()).not.toContain('deleted.txt');
    expect(await trashed()).not.toContain('deleted.txt');
    await repaired();
    expect(await trashed()).toContain('deleted.txt');
  });

  it('is completed for a moved item: it keeps its uuid under the new name', async () => {
    await put('from.txt', 'moved');
    const uuidOf = async (name: string) =>
      (await api.get('files/info', { path: `${HOME}/${name}`, 'details[]': 'uuid' })).body.data.uuid;
    const uuid = await uuidOf('from.txt');
    await refuse("DELETE ON journal WHEN OLD.kind = 'move'");
    expect((await api.post('files/rename', { path: `${HOME}/from.txt`, newName: 'to.txt' })).status).toBe(500);
    await repaired();
    expect(await names()).toContain('to.txt');
    expect(await uuidOf('to.txt')).toBe(uuid);
  });

  it('is completed for an overwritten file: its former content is a version', async () => {
    await put('written.txt', 'first');
    await refuse("DELETE ON journal WHEN OLD.kind = 'overwrite'");
    expect((await put('written.txt', 'second')).status).toBe(500);
    await repaired();
    expect(await readFile(join(household.home, 'written.txt'), 'utf8')).toBe('second');
    const { versions } = (await api.get('files/versions/list', { path: `${HOME}/written.txt` })).body.data;
    expect(versions.length).toBeGreaterThan(0);
  });

  it('is completed for a restored item: it is no longer in the trash', async () => {
    await put('restored.txt', 'restored');
    const { trash_path: path } = (await api.post('files/delete', { path: `${HOME}/restored.txt` })).body.data;
    await refuse('DELETE ON trash');
    expect((await api.post('files/trash/restore', { path })).status).toBe(500);
    await repaired();
    expect(await names()).toContain('restored.txt');
    expect(await trashed()).not.toContain('restored.txt');
  });
});

it('does not change what another program has stored there since', async () => {
  await put('replaced.txt', 'deleted');
  await refuse('INSERT ON trash');
  await api.post('files/delete', { path: `${HOME}/replaced.txt` });
  await writeFile(join(household.home, 'replaced.txt'), 'by another program');
  await names();
  await repaired();
  expect(await readFile(join(household.home, 'replaced.txt'), 'utf8')).toBe('by another program');
  expect(await trashed()).toContain('replaced.txt');
});

it('ignores a change in progress, and one that has just begun', async () => {
  const home = await HomeOnDisk.open();
  try {
    const { id, identity } = await home.file('a.txt');
    await home.begin({
      ...{ kind: 'trash', homeId: home.home.id, itemId: id, identity, trashId: 'deleted-item-1' },
      ...{ path: '/ROOT/HOME/a.txt', deletedAt: 1, deletedBy: 1 },
    });
    await rename(home.at('a.txt'), join(home.home.area.trash, 'deleted-item-1'));
    const locks = new PathLocks();
    const { repair } = home.repair(locks);
    await repair();
    expect(await home.pending()).toEqual(['trash']);
    let end = () => {};
    const running = locks.run([`${home.home.id}/a.txt`], () => new Promise<void>((resolve) => (end = resolve)));
    await repair();
    end();
    await running;
    expect(await home.pending()).toEqual(['trash']);
    await repair();
    expect(await home.pending()).toEqual([]);
    expect(await home.trashed()).toHaveLength(1);
  } finally {
    await home.close();
  }
});
