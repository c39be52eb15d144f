import { mkdir, rename } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkStillShared, shownName, virtualPathOf } from '../../dist/server/access/access.js';
import { ACTION_SCOPES, READING } from '../../dist/server/access/action-scopes.js';
import { type AccountCaller, rightsOf } from '../../dist/server/access/caller.js';
import { type FileAction, folderPermissions, isPermitted, NEEDS, permit } from '../../dist/server/access/rights.js';
import { limitingFolder, targetOfUuid } from '../../dist/server/access/target-of-uuid.js';
import type { Item } from '../../dist/server/catalogue/items.js';
import type { CredentialGrant } from '../../dist/server/oauth/credential-grant.js';
import { SCOPES } from '../../dist/server/oauth/scopes.js';
import { PeopleOnDisk } from '../support/households/people-on-disk.ts';

let people: PeopleOnDisk;
let box: Item;
async function open(): Promise<void> {
  people = await PeopleOnDisk.open();
  box = await people.disk.folder('box');
  await people.disk.file('box/a.txt');
  await people.disk.folder('box/inner');
  await people.disk.folder('boxes');
  await people.disk.file('b.txt');
}
const close = () => people.close();

const NOT_FOUND = { code: 'not_found', message: expect.stringMatching(/./) };
const ALL: CredentialGrant = {
  ...{ id: 'app-password:1', scopes: new Set(SCOPES), rootUuid: null, isReadOnly: false, expiresAt: null },
};

const callerWith = async (changes: Partial<CredentialGrant>, id = people.ann): Promise<AccountCaller> => ({
  ...(await people.caller(id)),
  credential: { ...ALL, ...changes },
});
const resolve = async (caller: AccountCaller, path: string) => people.access.resolve(caller, path.split('/').slice(1));
const parts = () => ({ access: people.access, database: people.disk.database });

describe('the scopes of a credential', () => {
  // Nothing here changes anything.
  beforeAll(open);
  afterAll(close);

  const ACTIONS = Object.keys(NEEDS) as FileAction[];

  it('are defined for every action, and for nothing else', () => {
    expect(Object.keys(ACTION_SCOPES).sort()).toEqual([...ACTIONS].sort());
    for (const action of READING) expect(ACTIONS).toContain(action);
  });

  it.each(ACTIONS)('are required one by one for %s', async (action) => {
    const needed: readonly string[] = ACTION_SCOPES[action];
    expect(needed.length).toBeGreaterThan(0);
    const rights = rightsOf(await callerWith({ scopes: new Set(ACTION_SCOPES[action]) }));
    expect(() => permit(rights, action)).not.toThrow();
    for (const missing of needed) {
      const scopes = new Set(SCOPES.filter((scope) => scope !== missing));
      const lacking = rightsOf(await callerWith({ scopes }));
      const error = { code: 'insufficient_scope', details: { scope: missing } };
      expect(() => permit(lacking, action)).toThrow(expect.objectContaining(error));
    }
  });

  it('are checked when an item is resolved, before its lookup', async () => {
    const caller = await callerWith({ scopes: new Set(['list']) });
    const asked = people.access.resolveItem(caller, ['ROOT', 'HOME', 'box'], 'files/delete');
    await expect(asked).rejects.toMatchObject({ code: 'insufficient_scope' });
    const byTarget = people.access.resolveItem(caller, ['ROOT', 'HOME', 'box'], () => 'files/delete');
    await expect(byTarget).rejects.toMatchObject({ code: 'insufficient_scope' });
  });

  it('do not change the permissions of the account in listings', async () => {
    const rights = rightsOf(await callerWith({ scopes: new Set(['list']) }));
    expect(folderPermissions(rights)).toEqual({ upload: true, download: true, alter: true });
  });
});

describe('a read-only credential', () => {
  beforeAll(open);
  afterAll(close);

  it.each(Object.keys(NEEDS) as FileAction[])('%s', async (action) => {
    const rights = rightsOf(await callerWith({ isReadOnly: true }));
    // What an account with `readonly` may do, without comments, shares, links, stars, albums and imports.
    const changes =
      (NEEDS[action].account as readonly string[]).some((name) =>
        ['readonly', 'write_comments', 'share', 'weblink'].includes(name),
      ) || /star|albums\/(?!list$|items$|shares$)|imports\/cancel|comments\/delete/.test(action);
    expect(isPermitted(rights, null, action)).toBe(!changes);
    if (!changes) return expect(() => permit(rights, action)).not.toThrow();
    const error = { code: 'permission_denied', details: { permission: 'readonly' } };
    expect(() => permit(rights, action)).toThrow(expect.objectContaining(error));
  });

  it('is reflected in the permissions of listings', async () => {
    const rights = rightsOf(await callerWith({ isReadOnly: true }));
    expect(folderPermissions(rights)).toEqual({ upload: false, download: true, alter: false });
  });
});

describe('a credential for one folder', () => {
  let limited: AccountCaller;
  beforeEach(async () => {
    await open();
    limited = await callerWith({ rootUuid: box.uuid });
  });
  afterEach(close);

  it.each(['/ROOT/HOME/box', '/ROOT/HOME/box/a.txt', '/ROOT/HOME/box/inner/new/deep.txt'])(
    'reaches %s by its usual path',
    async (path) => {
      const target = await resolve(limited, path);
      if (target.kind !== 'item') throw new Error('no item');
      expect(virtualPathOf(target.item)).toBe(path);
    },
  );

  it.each([
    ...['/', '/ROOT', '/ROOT/HOME', '/ROOT/HOME/b.txt', '/ROOT/HOME/boxes', '/ROOT/HOME/BOX', '/ROOT/HOME/nothing'],
    ...['/TRASH', '/ROOT/TRASH', '/STARRED', '/ROOT/PHOTOS', '/MUSIC', '/SHARES', '/LINKS', '/ROOT/SHARED', '/ROOT/1'],
  ])('does not reach %s', async (path) => {
    await expect(resolve(limited, path)).rejects.toMatchObject(NOT_FOUND);
    const item = people.access.resolveItem(limited, path.split('/').slice(1), 'files/browse');
    await expect(item).rejects.toMatchObject(NOT_FOUND);
  });

  it('does not reach the whole home or its trash', async () => {
    await expect(people.access.homeOf(limited)).rejects.toMatchObject(NOT_FOUND);
    expect((await people.access.homeOf({ account: limited.account })).id).toBe(people.disk.home.id);
  });

  it('reaches the whole home if its folder is the home of the account', async () => {
    const { id } = people.disk.home;
    const sql = "SELECT uuid FROM items WHERE home_id = ? AND parent_id IS NULL AND name = ''";
    const root = await people.disk.database.get<{ uuid: string }>(sql, [id]);
    const caller = await callerWith({ rootUuid: root?.uuid ?? null });
    expect((await people.access.homeOf(caller)).id).toBe(id);
    const other = await callerWith({ rootUuid: root?.uuid ?? null }, await people.add('ben'));
    await expect(people.access.homeOf(other)).rejects.toMatchObject(NOT_FOUND);
    await expect(people.access.homeOf(await callerWith({ rootUuid: 'gone' }))).rejects.toMatchObject(NOT_FOUND);
  });

  it('finds by uuid only items in it', async () => {
    const [inside, outside] = [await people.disk.remember('box/a.txt'), await people.disk.remember('b.txt')];
    expect(virtualPathOf(await targetOfUuid(parts(), limited, inside.uuid))).toBe('/ROOT/HOME/box/a.txt');
    await expect(targetOfUuid(parts(), limited, outside.uuid)).rejects.toMatchObject(NOT_FOUND);
    const folder = await limitingFolder(parts(), limited);
    expect(folder === null ? null : [virtualPathOf(folder), folder.top]).toEqual(['/ROOT/HOME/box', 1]);
    expect(await limitingFolder(parts(), await callerWith({}))).toBeNull();
  });

  it('has that folder as its root, which another spelling cannot replace', async () => {
    const target = await resolve(limited, '/ROOT/HOME/box');
    if (target.kind !== 'item') throw new Error('no item');
    expect(target.item).toMatchObject({ base: '/ROOT/HOME/box', top: 1, home: { homeRoot: { exact: 1 } } });
    expect(shownName(target.item, 'box')).toBe('box');
  });

  it('follows the folder when it has moved, but not during a request', async () => {
    const before = await resolve(limited, '/ROOT/HOME/box/a.txt');
    if (before.kind !== 'item') throw new Error('no item');
    await checkStillShared(before.item);
    await rename(people.disk.at('box'), people.disk.at('boxes', 'case'));
    const place = (await people.disk.remember('boxes')).id;
    await people.run("UPDATE items SET parent_id = ?, name = 'case' WHERE id = ?", place, box.id);
    await expect(checkStillShared(before.item)).rejects.toMatchObject(NOT_FOUND);
    // Another folder in its old place is not reached.
    await mkdir(people.disk.at('box'));
    await people.disk.remember('box');
    await expect(resolve(limited, '/ROOT/HOME/box')).rejects.toMatchObject(NOT_FOUND);
    const after = await resolve(limited, '/ROOT/HOME/boxes/case/a.txt');
    expect(after.kind === 'item' ? virtualPathOf(after.item) : null).toBe('/ROOT/HOME/boxes/case/a.txt');
  });

  it('reaches nothing after the folder is deleted', async () => {
    await people.run('UPDATE items SET missing_since = 1 WHERE id = ?', box.id);
    await expect(resolve(limited, '/ROOT/HOME/box')).rejects.toMatchObject(NOT_FOUND);
    await expect(targetOfUuid(parts(), limited, box.uuid)).rejects.toMatchObject(NOT_FOUND);
    await expect(limitingFolder(parts(), limited)).rejects.toMatchObject(NOT_FOUND);
    const unknown = await callerWith({ rootUuid: '00000000-0000-4000-8000-000000000000' });
    await expect(resolve(unknown, '/ROOT/HOME/b.txt')).rejects.toMatchObject(NOT_FOUND);
  });

  it('can be for a folder in a shared one, and ends with the share', async () => {
    const ben = await people.add('ben', { homeId: (await people.disk.newHome('ben')).id });
    const share = await people.share({ itemId: box.id, by: people.ann, to: ben, alias: 'Our box' });
    const inner = await people.disk.remember('box/inner');
    const caller = await callerWith({ rootUuid: inner.uuid }, ben);
    const path = `/ROOT/${people.ann}/${share}`;
    for (const other of [path, `${path}/a.txt`, '/ROOT/HOME', '/ROOT/HOME/box/inner'])
      await expect(resolve(caller, other)).rejects.toMatchObject(NOT_FOUND);
    const target = await resolve(caller, `${path}/inner`);
    if (target.kind !== 'item') throw new Error('no item');
    expect([virtualPathOf(target.item), shownName(target.item, 'inner')]).toEqual([`${path}/inner`, 'inner']);
    expect((await limitingFolder(parts(), caller))?.share?.id).toBe(share);
    await people.unshare(share);
    await expect(resolve(caller, `${path}/inner`)).rejects.toMatchObject(NOT_FOUND);
    await expect(limitingFolder(parts(), caller)).rejects.toMatchObject(NOT_FOUND);
  });
});
