import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Household, openHousehold } from '../support/households/household.ts';
import { addMember } from '../support/households/member.ts';

let household: Household;

beforeAll(async () => {
  household = await openHousehold();
  await addMember(household);
});
afterAll(() => household.close());

const call = (method: string, input: unknown = {}) =>
  household.control(method, input).catch(({ code, field, message }) => ({ code, field, message }));
const told = async (...kinds: string[]) => {
  const { entries } = (await household.control('activity.list', { kinds })) as { entries: Record<string, unknown>[] };
  return entries.map(({ kind, username, subject, details }) => [kind, username, subject, details]);
};

describe('groups', () => {
  it('are added, renamed, filled and removed', async () => {
    const kids = await call('groups.add', { name: '  Kids ' });
    const { id } = kids as { id: number };
    const createdAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(kids).toEqual({ id, name: 'Kids', ownerId: null, members: 0, createdAt });
    expect(await call('groups.add', { name: 'KIDS' })).toMatchObject({ code: 'invalid_input', field: 'name' });
    expect(await call('groups.setMembers', { id, accountIds: [2, 2, 1] })).toMatchObject({ members: 2 });
    expect(await call('groups.members', { id })).toEqual({ id, accountIds: [1, 2] });
    expect(await call('groups.setMembers', { id, accountIds: [99] })).toMatchObject({ field: 'accountIds' });
    expect(await call('groups.rename', { id, name: 'Children' })).toMatchObject({ name: 'Children', members: 2 });
    expect(await call('groups.list')).toMatchObject({ groups: [{ id, name: 'Children', members: 2 }] });
    expect(await call('groups.list', { ownerId: null })).toMatchObject({ groups: [{ id }] });
    expect(await call('groups.list', { ownerId: 2 })).toEqual({ groups: [] });
    expect(await call('groups.remove', { id })).toEqual({ id });
    expect(await told('group.created', 'group.changed', 'group.removed')).toEqual([
      ['group.removed', 'ann', 'Children', {}],
      ['group.changed', 'ann', 'Children', { fields: ['name'], from: 'Kids' }],
      ['group.changed', 'ann', 'Kids', { fields: ['members'] }],
      ['group.created', 'ann', 'Kids', {}],
    ]);
  });
});

describe('roles', () => {
  it('are added, changed and removed', async () => {
    const added = await call('roles.add', { name: 'Guests', permissions: { upload: false }, homeTemplate: '{NAME}' });
    const { id } = added as { id: number };
    expect(added).toMatchObject({ name: 'Guests', accounts: 0, homeTemplate: '{NAME}' });
    expect((added as { permissions: unknown }).permissions).toMatchObject({
      upload: false,
      download: true,
      weblink: true,
    });
    expect(await call('roles.update', { id, permissions: { download: false } })).toMatchObject({
      name: 'Guests',
      permissions: { upload: true, download: false },
    });
    expect(await call('roles.update', { id, permissions: { nonsense: 1 } })).toMatchObject({
      code: 'invalid_input',
      field: 'permissions.nonsense',
    });
    expect(await call('roles.update', { id, homeTemplate: '{FOO}' })).toMatchObject({ field: 'homeTemplate' });
    expect(await call('roles.list')).toMatchObject({ roles: [{ id, name: 'Guests' }] });
    expect(await call('roles.remove', { id })).toEqual({ id });
    expect(await told('role.created', 'role.changed', 'role.removed')).toEqual([
      ['role.removed', 'ann', 'Guests', { accounts: 0 }],
      ['role.changed', 'ann', 'Guests', { fields: ['upload', 'download'] }],
      ['role.created', 'ann', 'Guests', {}],
    ]);
  });

  it('apply to their accounts at once, but never to the owner', async () => {
    const { id } = (await call('roles.add', { name: 'Readers' })) as { id: number };
    await household.whileStopped(async () => {
      const { Connection } = await import('../../dist/server/database/connection.js');
      const connection = await Connection.open(`${household.folder}/.larder/larder.sqlite`);
      await connection.run(`UPDATE accounts SET role_id = ${id}`);
      await connection.close();
    });
    expect(await call('roles.remove', { id })).toMatchObject({ code: 'invalid_input', field: 'id' });
    expect(await call('roles.update', { id, permissions: { upload: false } })).toMatchObject({ accounts: 2 });
    const owner = await household.signIn();
    expect((await owner.put({ path: '/ROOT/HOME/a.txt' }, 'a')).status).toBe(201);
    expect(await call('roles.remove', { id, force: true })).toEqual({ id });
  });
});

describe.each([
  ['groups.rename', { id: 77, name: 'x' }],
  ['groups.remove', { id: 77 }],
  ['groups.members', { id: 77 }],
  ['groups.setMembers', { id: 77, accountIds: [] }],
  ['roles.update', { id: 77 }],
  ['roles.remove', { id: 77 }],
])('%s', (method, input) => {
  it('is refused for a number that does not exist', async () => {
    expect(await call(method, input)).toMatchObject({ code: 'refused', field: 'id' });
  });
});

describe('the places of homes', () => {
  it.each([['relative'], ['/mnt/../etc'], ['/mnt/a\0'], ['']])('are not %j', async (place) => {
    expect(await call('settings.update', { homeLocations: [place] })).toMatchObject({
      code: 'invalid_input',
      field: 'homeLocations.0',
    });
  });

  it('are set and returned', async () => {
    expect(await call('settings.update', { homeLocations: ['/mnt/disk'] })).toMatchObject({
      homeLocations: ['/mnt/disk'],
    });
    await household.restart();
    expect(await call('settings.get')).toMatchObject({ homeLocations: ['/mnt/disk'] });
    expect(await call('settings.update', { homeLocations: [] })).toMatchObject({ homeLocations: [] });
    // By its earlier name.
    expect(await call('settings.update', { homePlaces: ['/mnt/old'] })).toMatchObject({ homeLocations: ['/mnt/old'] });
    expect(await call('settings.update', { homeLocations: [] })).toMatchObject({ homeLocations: [] });
  });
});
