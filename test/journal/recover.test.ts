import { existsSync } from 'node:fs';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HomeOnDisk } from '../support/households/home-on-disk.ts';

let crashed: HomeOnDisk;
beforeEach(async () => {
  crashed = await HomeOnDisk.open();
});
afterEach(() => crashed.close());

const TRASH_ID = 'abcdefghijklmnop';
const VERSION_ID = 'version-one';
const NONE = { unfinished: [], quarantined: [] };
const homeId = () => crashed.home.id;
const trashPath = () => join(crashed.home.area.trash, TRASH_ID);
const versionPath = (id = VERSION_ID) => join(crashed.home.area.versions, id);

/** It is finished and its entry is out of the journal. */
async function recovered(): Promise<void> {
  expect(await crashed.recover()).toEqual(NONE);
  expect(await crashed.pending()).toEqual([]);
}

/** An item that leaves its folder, and its entry; `taken` says whether it has left it. */
async function leaving(kind: 'trash' | 'erase', { taken }: { taken: boolean }, versionIds: string[] = []) {
  const item = await crashed.file('a.txt');
  for (const id of versionIds) {
    await writeFile(versionPath(id), 'old');
    await crashed.addVersion(item.id, id);
  }
  const common = { homeId: homeId(), itemId: item.id, identity: item.identity, trashId: TRASH_ID };
  if (kind === 'erase') await crashed.begin({ kind, ...common, versionIds });
  else await crashed.begin({ kind, ...common, path: '/ROOT/HOME/a.txt', deletedAt: 1, deletedBy: 1 });
  if (taken) await rename(crashed.at('a.txt'), trashPath());
  return item;
}

describe('an item that was being deleted', () => {
  it('is in the trash with its row if it had left its folder', async () => {
    const { id } = await leaving('trash', { taken: true });
    await recovered();
    expect(await crashed.trashed()).toEqual([{ id: TRASH_ID, item_id: id, original_path: '/ROOT/HOME/a.txt' }]);
    expect(await crashed.rows()).toEqual({ [`trash/${TRASH_ID}`]: { id, missing: false } });
    expect(crashed.logged).toMatch(/completed an interrupted change/);
  });

  it('leaves the row to another file that is at its path now', async () => {
    const { id, identity } = await leaving('trash', { taken: true });
    const newer = await crashed.file('a.txt', 'another file');
    expect([newer.id, newer.identity === identity]).toEqual([id, false]);
    await recovered();
    const rows = await crashed.rows();
    expect(rows['a.txt']).toEqual({ id, missing: false });
    const [trashed] = await crashed.trashed();
    expect(trashed).toEqual({ id: TRASH_ID, item_id: expect.any(Number), original_path: '/ROOT/HOME/a.txt' });
    expect(trashed?.item_id).not.toBe(id);
    expect(rows[`trash/${TRASH_ID}`]?.id).toBe(trashed?.item_id);
  });

  it('gets a row if it has none', async () => {
    const { id } = await leaving('trash', { taken: true });
    await crashed.database.write((tx) => tx.run('DELETE FROM items WHERE id = ?', [id]));
    await recovered();
    expect(await crashed.trashed()).toHaveLength(1);
    expect(Object.keys(await crashed.rows())).toEqual([`trash/${TRASH_ID}`]);
  });

  it('stays if it had not left its folder', async () => {
    const { id } = await leaving('trash', { taken: false });
    await recovered();
    expect(await crashed.trashed()).toEqual([]);
    expect(await crashed.rows()).toEqual({ 'a.txt': { id, missing: false } });
    expect(existsSync(crashed.at('a.txt'))).toBe(true);
  });
});

describe('an item that was being deleted permanently', () => {
  it('is removed with its row and its versions if it had left its folder', async () => {
    await leaving('erase', { taken: true }, [VERSION_ID]);
    await recovered();
    expect([await crashed.rows(), await crashed.versions()]).toEqual([{}, []]);
    expect([await crashed.inArea('trash'), await crashed.inArea('versions')]).toEqual([[], []]);
  });

  it('leaves the row and the versions to another file that is at its path now', async () => {
    const { id } = await leaving('erase', { taken: true }, [VERSION_ID]);
    await crashed.file('a.txt', 'another file');
    await recovered();
    expect(await crashed.rows()).toEqual({ 'a.txt': { id, missing: false } });
    expect(await crashed.versions()).toEqual([{ id: VERSION_ID, item_id: id }]);
    expect([await crashed.inArea('trash'), await crashed.inArea('versions')]).toEqual([[], [VERSION_ID]]);
    expect(await readFile(crashed.at('a.txt'), 'utf8')).toBe('another file');
  });

  it('is removed with contents whose rows are gone', async () => {
    const { id } = await leaving('erase', { taken: true }, [VERSION_ID]);
    await crashed.database.write((tx) => tx.run('DELETE FROM items WHERE id = ?', [id]));
    await recovered();
    expect([await crashed.inArea('trash'), await crashed.inArea('versions')]).toEqual([[], []]);
  });

  it('is removed with its versions if its row and its content are gone', async () => {
    const { id } = await leaving('erase', { taken: true }, [VERSION_ID]);
    await crashed.database.write((tx) => tx.run('DELETE FROM items WHERE id = ?', [id]));
    await rm(trashPath());
    await recovered();
    expect(await crashed.inArea('versions')).toEqual([]);
  });

  it('stays when it had not left its folder', async () => {
    const { id } = await leaving('erase', { taken: false }, [VERSION_ID]);
    await recovered();
    expect(await crashed.rows()).toEqual({ 'a.txt': { id, missing: false } });
    expect(existsSync(crashed.at('a.txt'))).toBe(true);
    expect([await crashed.versions(), await crashed.inArea('versions')]).toEqual([
      [{ id: VERSION_ID, item_id: id }],
      [VERSION_ID],
    ]);
  });

  it('does not remove items that have left the folder with their versions meanwhile', async () => {
    const folder = await crashed.folder('box');
    await writeFile(crashed.at('box', 'b.txt'), 'b');
    const inside = await crashed.remember('box/b.txt');
    await crashed.addVersion(inside.id, VERSION_ID);
    await writeFile(versionPath(), 'old');
    const { id: itemId, identity } = folder;
    await crashed.begin({
      kind: 'erase',
      homeId: homeId(),
      itemId,
      identity,
      trashId: TRASH_ID,
      versionIds: [VERSION_ID],
    });
    await rename(crashed.at('box', 'b.txt'), crashed.at('b.txt'));
    await rename(crashed.at('box'), trashPath());
    await recovered();
    expect(Object.values(await crashed.rows())).toEqual([{ id: inside.id, missing: true }]);
    expect(await crashed.inArea('versions')).toEqual([VERSION_ID]);
  });
});

const KEPT = { as: 'version', id: VERSION_ID, path: '/ROOT/HOME/a.txt', by: 1, at: 1 } as const;
const KEPT_IN_TRASH = { ...KEPT, as: 'trash', id: TRASH_ID } as const;

describe('new content over a file', () => {
  const overwrite = (kept: typeof KEPT | typeof KEPT_IN_TRASH = KEPT) =>
    crashed.begin({ kind: 'overwrite', homeId: homeId(), segments: ['a.txt'], kept });

  it('gets its rows if it was in place', async () => {
    const { id } = await crashed.file('a.txt');
    await overwrite();
    await rename(crashed.at('a.txt'), versionPath());
    await writeFile(crashed.at('a.txt'), 'new content');
    await recovered();
    expect(await crashed.versions()).toEqual([{ id: VERSION_ID, item_id: id }]);
    expect(await crashed.database.get('SELECT size, version FROM items WHERE id = ?', [id])).toEqual({
      size: 11,
      version: 2,
    });
  });

  it('gets its rows also if versions are off, and the old content is in the trash', async () => {
    const { id } = await crashed.file('a.txt');
    await overwrite(KEPT_IN_TRASH);
    await rename(crashed.at('a.txt'), trashPath());
    await writeFile(crashed.at('a.txt'), 'new content');
    await recovered();
    const [trashed] = await crashed.trashed();
    expect([trashed?.id, trashed?.item_id === id]).toEqual([TRASH_ID, false]);
    expect(await crashed.versions()).toEqual([]);
  });

  it('leaves no second name of the old content if it was not moved into place', async () => {
    await crashed.file('a.txt');
    await overwrite();
    await link(crashed.at('a.txt'), versionPath());
    await recovered();
    expect([await crashed.versions(), await crashed.inArea('versions')]).toEqual([[], []]);
    expect(await readFile(crashed.at('a.txt'), 'utf8')).toBe('content of a.txt');
  });

  it('restores the name of the old content if it was not moved into place', async () => {
    await crashed.file('a.txt');
    await overwrite();
    await rename(crashed.at('a.txt'), versionPath());
    await recovered();
    expect([await crashed.versions(), await crashed.inArea('versions')]).toEqual([[], []]);
    expect(await readFile(crashed.at('a.txt'), 'utf8')).toBe('content of a.txt');
  });

  it('changes nothing if nothing had happened', async () => {
    const { id } = await crashed.file('a.txt');
    await overwrite();
    await recovered();
    expect(await crashed.database.get('SELECT version FROM items WHERE id = ?', [id])).toEqual({ version: 1 });
  });
});

describe('an item that was being renamed', () => {
  async function moving(from: string, to: string) {
    const item = await crashed.file(from);
    const { id: itemId, identity } = item;
    await crashed.begin({ kind: 'move', homeId: homeId(), itemId, identity, from: [from], to: [to], kept: KEPT });
    return item;
  }

  it('has its row under the new name', async () => {
    const { id } = await moving('a.txt', 'b.txt');
    await rename(crashed.at('a.txt'), crashed.at('b.txt'));
    await recovered();
    expect(await crashed.rows()).toEqual({ 'b.txt': { id, missing: false } });
  });

  it('loses its old name if it still has both', async () => {
    const { id } = await moving('a.txt', 'b.txt');
    await link(crashed.at('a.txt'), crashed.at('b.txt'));
    await recovered();
    expect(await crashed.rows()).toEqual({ 'b.txt': { id, missing: false } });
    expect([existsSync(crashed.at('a.txt')), existsSync(crashed.at('b.txt'))]).toEqual([false, true]);
    expect(await crashed.inArea('incoming')).toEqual([]);
  });

  it('does not change another file that has its old name now', async () => {
    await moving('a.txt', 'b.txt');
    await rename(crashed.at('a.txt'), crashed.at('b.txt'));
    await writeFile(crashed.at('a.txt'), 'another file');
    await recovered();
    expect(await readFile(crashed.at('a.txt'), 'utf8')).toBe('another file');
  });

  it('keeps its only name on a disk that does not distinguish both spellings', async () => {
    // On this disk they are two names of one file, which looks the same.
    const { id } = await moving('a.txt', 'A.TXT');
    await link(crashed.at('a.txt'), crashed.at('A.TXT'));
    await recovered();
    expect(existsSync(crashed.at('a.txt'))).toBe(true);
    expect(Object.entries(await crashed.rows())).toEqual([['A.TXT', { id, missing: false }]]);
  });

  it('stays if it had not been renamed', async () => {
    const { id } = await moving('a.txt', 'b.txt');
    await recovered();
    expect(await crashed.rows()).toEqual({ 'a.txt': { id, missing: false } });
  });

  it('does not change another file that has its new name', async () => {
    const { id } = await moving('a.txt', 'b.txt');
    const other = await crashed.file('b.txt', 'another file');
    await recovered();
    expect(await crashed.rows()).toEqual({
      'a.txt': { id, missing: false },
      'b.txt': { id: other.id, missing: false },
    });
    expect(existsSync(crashed.at('a.txt'))).toBe(true);
  });

  it('keeps what it replaced', async () => {
    const other = await crashed.file('b.txt', 'replaced');
    const { id } = await moving('a.txt', 'b.txt');
    await rename(crashed.at('b.txt'), versionPath());
    await rename(crashed.at('a.txt'), crashed.at('b.txt'));
    await recovered();
    expect(other.id).not.toBe(id);
    expect(await crashed.rows()).toEqual({ 'b.txt': { id, missing: false } });
    expect(await crashed.versions()).toEqual([{ id: VERSION_ID, item_id: id }]);
  });
});

describe('an item that was being restored', () => {
  /** In the trash, with its row there. */
  async function restoring() {
    const { id } = await leaving('trash', { taken: true });
    await recovered();
    await crashed.begin({ kind: 'restore', homeId: homeId(), itemId: id, trashId: TRASH_ID, to: ['a.txt'] });
    return id;
  }

  it('gets its row if it was restored', async () => {
    const id = await restoring();
    await rename(trashPath(), crashed.at('a.txt'));
    await recovered();
    expect([await crashed.rows(), await crashed.trashed()]).toEqual([{ 'a.txt': { id, missing: false } }, []]);
  });

  it('loses its name in the trash if it has both', async () => {
    const id = await restoring();
    await link(trashPath(), crashed.at('a.txt'));
    await recovered();
    expect([await crashed.rows(), await crashed.trashed()]).toEqual([{ 'a.txt': { id, missing: false } }, []]);
    expect(await crashed.inArea('trash')).toEqual([]);
  });

  it('stays in the trash if it had not left it', async () => {
    const id = await restoring();
    await recovered();
    expect(await crashed.trashed()).toMatchObject([{ id: TRASH_ID, item_id: id }]);
    expect(existsSync(trashPath())).toBe(true);
  });

  it('stays in the trash if another file has its place', async () => {
    const id = await restoring();
    await writeFile(crashed.at('a.txt'), 'another file');
    await recovered();
    expect(await crashed.trashed()).toMatchObject([{ id: TRASH_ID, item_id: id }]);
    expect([existsSync(trashPath()), await readFile(crashed.at('a.txt'), 'utf8')]).toEqual([true, 'another file']);
  });

  it('is not recorded if it exists nowhere', async () => {
    const id = await restoring();
    await rm(trashPath());
    await recovered();
    expect(await crashed.trashed()).toMatchObject([{ id: TRASH_ID, item_id: id }]);
  });
});

describe('versions that were being removed', () => {
  it('are removed from the disk, except one that has a row again', async () => {
    const { id } = await crashed.file('a.txt');
    await crashed.addVersion(id, 'version-two');
    for (const one of [VERSION_ID, 'version-two']) await writeFile(versionPath(one), 'old');
    await crashed.begin({ kind: 'forget', homeId: homeId(), versionIds: [VERSION_ID, 'version-two'] });
    await recovered();
    expect(await crashed.inArea('versions')).toEqual(['version-two']);
  });

  it('are removed with a deleted home', async () => {
    await writeFile(versionPath(), 'old');
    const ids = { versionIds: [VERSION_ID], trashIds: [], uploadIds: [] };
    await crashed.begin({ kind: 'home-erase', homeId: 'some-home', root: null, ...ids });
    await recovered();
    expect(await crashed.inArea('versions')).toEqual([]);
  });
});

describe('a start', () => {
  it('drops an entry of an unknown home', async () => {
    await crashed.begin({ kind: 'forget', homeId: 'nobody', versionIds: [VERSION_ID] });
    await recovered();
  });

  it('keeps an entry while its disk is disconnected, and changes nothing of it', async () => {
    await leaving('erase', { taken: true }, [VERSION_ID]);
    const { root } = crashed.home.homeRoot;
    await rename(root, `${root}-away`);
    expect(await crashed.recover()).toEqual(NONE);
    expect(await crashed.pending()).toEqual(['erase']);
    expect(await crashed.inArea('versions')).toEqual([VERSION_ID]);
    expect(crashed.logged).toMatch(/a disk is not connected/);
    await rename(`${root}-away`, root);
    await recovered();
    expect(await crashed.inArea('versions')).toEqual([]);
  });

  it('continues after an entry that cannot be completed, and names it', async () => {
    const id = await crashed.begin({ kind: 'forget', homeId: homeId(), versionIds: [VERSION_ID] });
    await leaving('trash', { taken: true });
    crashed.failures['files.forget.erase'] = 'eio';
    const { unfinished } = await crashed.recover();
    expect(unfinished).toEqual([{ id, kind: 'forget', error: expect.objectContaining({ code: 'EIO' }) }]);
    expect(await crashed.pending()).toEqual(['forget']);
    expect(await crashed.trashed()).toHaveLength(1);
  });

  it('keeps an unreadable entry, and reports it', async () => {
    const row = "INSERT INTO journal (kind, data, version, created_at) VALUES ('move', '{', 1, 1)";
    const { lastId: id } = await crashed.database.write((tx) => tx.run(row));
    const { quarantined, unfinished } = await crashed.recover();
    expect([quarantined, unfinished]).toEqual([[{ id, kind: 'move', createdAt: 1, why: expect.any(String) }], []]);
    expect(await crashed.pending()).toEqual(['move']);
    expect(crashed.logged).toMatch(/failed to read an entry of the journal/);
  });

  it('removes uploads that never got a name, except those that can be continued', async () => {
    const other = await crashed.newHome('ben');
    for (const name of ['upload-left', 'upload-on', 'upload-short']) {
      await writeFile(join(crashed.home.area.incoming, name), 'abcd');
    }
    await crashed.database.write(async (tx) => {
      await tx.run(
        "INSERT INTO accounts (type, username, username_fold, name, registered_at) VALUES ('user', 'ann', 'ann', 'Ann', 0)",
      );
      for (const [id, received] of [
        ['upload-on', 4],
        ['upload-short', 5],
      ] as const) {
        await tx.run(
          `INSERT INTO uploads (id, upload_key, account_id, home_id, path, client, total_size, received, position, is_named, updated_at)
           VALUES (?1, ?1, 1, ?2, 'a', 'app', 10, ?3, ?3, 0, 0)`,
          [id, other.id, received],
        );
      }
    });
    await recovered();
    expect(await crashed.inArea('incoming')).toEqual(['upload-on']);
    expect(await crashed.database.all('SELECT id FROM uploads')).toEqual([{ id: 'upload-on' }]);
  });

  it('creates a missing work area', async () => {
    await rm(crashed.home.area.incoming, { recursive: true });
    await recovered();
    expect(await crashed.inArea('incoming')).toEqual([]);
  });

  it('continues if a work area cannot be cleared', async () => {
    await rm(crashed.home.area.incoming, { recursive: true });
    await writeFile(crashed.home.area.incoming, 'no folder');
    await recovered();
    expect(crashed.logged).toMatch(/failed to remove leftovers of uploads/);
    await rm(crashed.home.area.incoming);
    await mkdir(crashed.home.area.incoming);
  });
});
