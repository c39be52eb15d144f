import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
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
const homeId = () => crashed.home.id;
const trashPath = () => join(crashed.home.area.trash, TRASH_ID);
const versionPath = () => join(crashed.home.area.versions, VERSION_ID);

/** It is finished and its entry is out of the journal. */
async function recovered(): Promise<void> {
  expect(await crashed.recover()).toEqual({ unfinished: [], quarantined: [] });
  expect(await crashed.pending()).toEqual([]);
}

describe('a document whose name another file has taken', () => {
  /** It is in the trash, and its content is becoming a version of the other file; `renamed` says whether it has left the trash. */
  async function saving({ renamed, lockedBy }: { renamed: boolean; lockedBy?: number }) {
    const document = await crashed.file('a.txt');
    await crashed.begin({
      ...{ kind: 'trash', homeId: homeId(), itemId: document.id, identity: document.identity },
      ...{ trashId: TRASH_ID, path: '/ROOT/HOME/a.txt', deletedAt: 1, deletedBy: 1 },
    });
    await rename(crashed.at('a.txt'), trashPath());
    await recovered();
    const successor = await crashed.file('a.txt', 'new');
    await crashed.begin({
      ...{ kind: 'complete-save', homeId: homeId(), itemId: document.id, successorId: successor.id },
      ...{ identity: successor.identity, trashId: TRASH_ID, to: ['a.txt'] },
      kept: { as: 'version', id: VERSION_ID, path: '/ROOT/HOME/a.txt', by: 1, at: 1 },
      ...(lockedBy === undefined ? {} : { lock: { accountId: lockedBy, lockedAt: 5 } }),
    });
    if (renamed) await rename(trashPath(), versionPath());
    return { document, successor };
  }

  it('becomes a version of that file if its content had left the trash', async () => {
    const { successor } = await saving({ renamed: true });
    await recovered();
    expect(await crashed.trashed()).toEqual([]);
    expect(await crashed.rows()).toEqual({ 'a.txt': { id: successor.id, missing: false } });
    expect(await crashed.versions()).toEqual([{ id: VERSION_ID, item_id: successor.id }]);
    expect(await readFile(crashed.at('a.txt'), 'utf8')).toBe('new');
  });

  it.each([
    ['keeps its lock', 1],
    ['has no lock of an account that is gone', 2],
  ])('%s', async (_what, lockedBy) => {
    await crashed.database.write((tx) =>
      tx.run(`INSERT INTO accounts (id, type, username, username_fold, name, registered_at)
        VALUES (1, 'user', 'ann', 'ann', 'Ann', 0)`),
    );
    const { successor } = await saving({ renamed: true, lockedBy });
    await recovered();
    const locks = await crashed.database.all('SELECT item_id, account_id, locked_at FROM locks');
    expect(locks).toEqual(lockedBy === 1 ? [{ item_id: successor.id, account_id: 1, locked_at: 5 }] : []);
  });

  it('stays in the trash if its content had not left it', async () => {
    const { document } = await saving({ renamed: false });
    await recovered();
    expect((await crashed.trashed()).map(({ item_id: id }) => id)).toEqual([document.id]);
    expect([await crashed.versions(), existsSync(trashPath())]).toEqual([[], true]);
  });

  it('returns to the trash if the name belongs to something else by then', async () => {
    const { document } = await saving({ renamed: true });
    await writeFile(crashed.at('b.txt'), 'another');
    await rename(crashed.at('b.txt'), crashed.at('a.txt'));
    await recovered();
    expect((await crashed.trashed()).map(({ item_id: id }) => id)).toEqual([document.id]);
    expect([await crashed.versions(), await crashed.inArea('versions'), existsSync(trashPath())]).toEqual([
      [],
      [],
      true,
    ]);
  });

  it('returns to the trash if the row of that file is gone', async () => {
    const { document, successor } = await saving({ renamed: true });
    await crashed.database.write((tx) => tx.run('DELETE FROM items WHERE id = ?', [successor.id]));
    await recovered();
    expect((await crashed.trashed()).map(({ item_id: id }) => id)).toEqual([document.id]);
    expect(existsSync(trashPath())).toBe(true);
  });
});
