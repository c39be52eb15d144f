import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createGroups, type Groups } from '../../dist/server/accounts/groups.js';
import { DEFAULT_PERMISSIONS } from '../../dist/server/accounts/permissions/permissions.js';
import { createRoles, type Roles } from '../../dist/server/accounts/permissions/roles.js';
import type { Database } from '../../dist/server/database/database.js';
import { createEvents, LARDER } from '../../dist/server/lib/events.js';
import { t } from '../../dist/server/messages/messages.js';
import { openMigrated } from '../support/households/household-template.ts';

let folder: string;
let database: Database;
let groups: Groups;
let roles: Roles;
let told: unknown[][];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-test-'));
  database = await openMigrated(join(folder, 'larder.sqlite'), folder);
  const events = createEvents((error) => {
    throw error;
  });
  for (const kind of ['group', 'role'] as const) {
    for (const what of ['created', 'changed', 'removed'] as const) {
      events.on(`${kind}.${what}`, ({ name }) => told.push([kind, what, name]));
    }
  }
  groups = createGroups(database, { now: () => 1_000 }, events);
  roles = createRoles(database, { now: () => 1_000 }, events);
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

/** Accounts 1 to 3; nothing else. */
beforeEach(async () => {
  await database.write(async (tx) => {
    for (const table of ['groups', 'accounts', 'roles']) await tx.run(`DELETE FROM ${table}`);
    for (const id of [1, 2, 3]) {
      await tx.run(
        `INSERT INTO accounts (id, type, username, username_fold, name, registered_at) VALUES (?1, ?2, 'u' || ?1, 'u' || ?1, 'x', 0)`,
        [id, id === 1 ? 'superuser' : 'user'],
      );
    }
  });
  told = [];
});

const put = (accountId: number, names: string[], ownerId: number | null = null) =>
  database.write((tx) => groups.setMemberships(accountId, names, ownerId, tx));
const problem = (work: Promise<unknown>) =>
  work.then(
    () => 'accepted',
    ({ field, message }) => [field, message],
  );

describe('groups of an account', () => {
  it('are exactly those given, and missing ones are added', async () => {
    await put(2, ['Kids', ' Family ', 'kids', 'KIDS']);
    expect(await groups.namesOf(2)).toEqual(['Family', 'Kids']);
    await put(3, ['family']);
    expect(await groups.namesOf(3)).toEqual(['Family']);
    await put(2, ['FAMILY']);
    expect(await groups.namesOf(2)).toEqual(['Family']);
    expect((await groups.list()).map(({ name, members }) => [name, members])).toEqual([
      ['Family', 2],
      ['Kids', 0],
    ]);
    await put(2, []);
    expect(await groups.idsOf(2)).toEqual([]);
    expect(told).toEqual([
      ['group', 'created', 'Kids'],
      ['group', 'created', 'Family'],
    ]);
  });

  it('are compared without regard to case and Unicode form', async () => {
    await put(2, ['Ｋids', 'e\u0301cole']);
    await put(3, ['kids', 'ÉCOLE']);
    expect(await groups.list()).toHaveLength(2);
  });

  it('do not include those of another owner', async () => {
    await put(3, ['Kids', 'Family']);
    await put(3, ['kids', 'Work'], 2);
    expect(await groups.list()).toHaveLength(4);
    await put(3, [], 2);
    expect(await groups.namesOf(3)).toEqual(['Family', 'Kids']);
    await put(3, ['Kids'], 2);
    await put(3, []);
    expect(await groups.idsOf(3)).toHaveLength(1);
    expect((await groups.list({ ownerId: 2 })).map(({ name }) => name)).toEqual(['kids', 'Work']);
    expect((await groups.list({ ownerId: null })).map(({ name }) => name)).toEqual(['Family', 'Kids']);
  });

  it('are deleted with the administrator who owns them', async () => {
    await put(3, ['Work'], 2);
    await database.write((tx) => tx.run('DELETE FROM accounts WHERE id = 2'));
    expect(await groups.list()).toEqual([]);
    expect(await groups.idsOf(3)).toEqual([]);
  });

  it.each([
    ['', t('api.fields.nameMissing')],
    [' \t ', t('api.fields.nameMissing')],
    ['a,b', t('api.fields.nameComma')],
    ['a，b', t('api.fields.nameComma')],
    ['a\0b', t('api.fields.nameCharacters')],
    ['a\nb', t('api.fields.nameCharacters')],
    ['a\ud800', t('api.fields.nameCharacters')],
    ['x'.repeat(101), t('api.fields.nameTooLong', { max: 100 })],
  ])('refuse the name %j', async (name, sentence) => {
    expect(await problem(put(2, ['Kids', name]))).toEqual(['groups', sentence]);
    expect(await groups.list()).toEqual([]);
  });

  it('are limited to 200, and names to 100 characters of any kind', async () => {
    await put(2, ['🍎'.repeat(100)]);
    await put(
      2,
      Array.from({ length: 200 }, (_, index) => `g${index}`),
    );
    expect(await groups.idsOf(2)).toHaveLength(200);
    expect(
      await problem(
        put(
          2,
          Array.from({ length: 201 }, (_, index) => `g${index}`),
        ),
      ),
    ).toEqual(['groups', t('api.groups.tooMany', { max: 200 })]);
  });
});

describe('a group', () => {
  it('has a name that is unique for its owner', async () => {
    const kids = await groups.add({ name: 'Kids' }, LARDER);
    expect(kids).toEqual({ id: kids.id, name: 'Kids', ownerId: null, members: 0, createdAt: 1_000 });
    expect(await problem(groups.add({ name: 'KIDS' }, LARDER))).toEqual(['name', t('api.groups.nameInUse')]);
    await groups.add({ name: 'KIDS', ownerId: 2 }, LARDER);
    expect(await problem(groups.add({ name: 'x', ownerId: 99 }, LARDER))).toMatchObject(['ownerId', expect.anything()]);
    const family = await groups.add({ name: 'Family' }, LARDER);
    expect(await problem(groups.rename(family.id, 'kids', LARDER))).toMatchObject(['name', expect.anything()]);
    expect(await groups.rename(kids.id, 'kids', LARDER)).toMatchObject({ name: 'kids' });
    expect(await groups.rename(family.id, 'Family', LARDER)).toMatchObject({ name: 'Family' });
    expect(await groups.rename(99_999, 'x', LARDER)).toBeNull();
    expect(told.filter(([, what]) => what === 'changed')).toEqual([['group', 'changed', 'kids']]);
  });

  it('has exactly the given members', async () => {
    const { id } = await groups.add({ name: 'Kids' }, LARDER);
    expect(await groups.setMembers(id, [3, 2, 3], LARDER)).toMatchObject({ members: 2 });
    expect(await groups.membersOf(id)).toEqual([2, 3]);
    expect(await problem(groups.setMembers(id, [1, 77], LARDER))).toEqual([
      'accountIds',
      t('api.accounts.unknownId', { id: 77 }),
    ]);
    expect(await groups.membersOf(id)).toEqual([2, 3]);
    expect(await groups.setMembers(id, [1], LARDER)).toMatchObject({ members: 1 });
    expect(await groups.remove(id, LARDER)).toMatchObject({ name: 'Kids' });
    expect(await groups.remove(id, LARDER)).toBeNull();
    expect(await groups.idsOf(1)).toEqual([]);
  });
});

describe('a role', () => {
  it('stores only differences from the defaults', async () => {
    const role = await roles.add(
      {
        name: 'Guests',
        permissions: { upload: false, download: true, space_quota_max: 5 },
        homeTemplate: ' {USERNAME} ',
      },
      LARDER,
    );
    expect(role.permissions).toEqual({ ...DEFAULT_PERMISSIONS, upload: false, space_quota_max: 5 });
    expect(role.homeTemplate).toBe('{USERNAME}');
    const row = await database.get<{ permissions: string }>('SELECT permissions FROM roles');
    expect(JSON.parse(row?.permissions ?? '')).toEqual({ upload: false, space_quota_max: 5 });
  });

  it.each([
    [{ permissions: { nonsense: true } }, 'permissions.nonsense'],
    [{ permissions: { upload: 'yes' } }, 'permissions.upload'],
    [{ permissions: { space_quota_max: -1 } }, 'permissions.space_quota_max'],
    [{ permissions: { users_may_see: 'everybody' } }, 'permissions.users_may_see'],
    [{ permissions: JSON.parse('{"__proto__": {"upload": false}}') }, 'permissions.__proto__'],
    [{ homeTemplate: '/home/{FOO}' }, 'homeTemplate'],
    [{ homeTemplate: 'everybody' }, 'homeTemplate'],
    [{ name: 'a,b' }, 'name'],
  ])('cannot be %j', async (wrong, field) => {
    const role = { name: 'Guests', permissions: {}, homeTemplate: '', ...wrong };
    expect(await problem(roles.add(role as never, LARDER))).toMatchObject([field, expect.anything()]);
    expect(await roles.list()).toEqual([]);
  });

  it('changes the given values, and returns them', async () => {
    const { id } = await roles.add({ name: 'Guests', permissions: { upload: false }, homeTemplate: '' }, LARDER);
    await roles.add({ name: 'Kids', permissions: {}, homeTemplate: '' }, LARDER);
    expect(await problem(roles.update(id, { name: 'KIDS' }, LARDER))).toMatchObject(['name', expect.anything()]);
    const isUnchanged = database.unchangedSince('accounts');
    expect(await roles.update(id, { name: 'guests', permissions: { download: false } }, LARDER)).toMatchObject({
      name: 'guests',
      permissions: { upload: true, download: false },
    });
    expect(isUnchanged()).toBe(false);
    expect(await roles.update(99_999, { name: 'x' }, LARDER)).toBeNull();
    told = [];
    await roles.update(id, { name: 'guests' }, LARDER);
    expect(told).toEqual([]);
  });

  it('cannot be removed while accounts have it, unless forced', async () => {
    const { id } = await roles.add({ name: 'Guests', permissions: {}, homeTemplate: '' }, LARDER);
    await database.write((tx) => tx.run('UPDATE accounts SET role_id = ? WHERE id > 1', [id]));
    expect(await roles.list()).toMatchObject([{ id, accounts: 2 }]);
    expect(await problem(roles.remove(id, { force: false }, LARDER))).toMatchObject([
      'id',
      expect.stringMatching(/^2 acc/),
    ]);
    expect(await roles.remove(id, { force: true }, LARDER)).toMatchObject({ accounts: 2 });
    expect(await roles.remove(id, { force: true }, LARDER)).toBeNull();
    expect(await database.all('SELECT role_id FROM accounts WHERE role_id IS NOT NULL')).toEqual([]);
  });
});
