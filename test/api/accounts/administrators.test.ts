import { describe, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import {
  added,
  administrator,
  as,
  edit,
  type Fields,
  household,
  info,
  inOneHousehold,
  owner,
  PASSWORD,
  refusal,
} from './admin-users-support.ts';

inOneHousehold();

describe('administration', () => {
  it('requires the rights in addition to the scope, and the scope is not granted without them', async () => {
    await added({ 'data[username]': 'nobody' });
    const form = { grant_type: 'password', username: 'nobody', password: PASSWORD, scope: 'admin' };
    const credentials = { client_id: household.clientId, client_secret: household.clientSecret };
    expect((await household.api.token({ ...form, ...credentials })).body.error).toBe('invalid_scope');
    const { id, api } = await administrator('fallen', { admin_type: 'simple', admin_over: '-ALL-' });
    expect((await api.post('admin-users/info', { uname: 'nobody' })).status).toBe(200);
    await edit(id, { 'perms[admin_type]': '' });
    for (const operation of ['info', 'add', 'edit', 'delete']) {
      const fields = { UID: '1', uname: 'nobody', 'UIDS[]': '2', 'data[username]': 'x1', 'data[name]': 'x' };
      const reply = await api.post(`admin-users/${operation}`, fields);
      expect([operation, reply.status, reply.body.code]).toEqual([operation, 403, 'permission_denied']);
    }
  });

  it('of a group allows managing and adding its members, and seeing nobody else', async () => {
    const inside = await added({ 'data[username]': 'inside', 'groups[]': ['Team', 'Others'] });
    const outside = await added({ 'data[username]': 'outside', 'groups[]': ['Others'] });
    const { groups } = (await household.control('groups.list')) as { groups: { id: number; name: string }[] };
    const team = groups.find(({ name }) => name === 'Team')?.id;
    const { api, id } = await administrator('leader', {
      admin_type: 'simple',
      admin_over: `g${team}`,
      admin_max_users: '3',
    });
    expect((await api.post('admin-users/info', { UID: inside })).status).toBe(200);
    for (const hidden of [outside, '1', '999999']) {
      expect([hidden, (await api.post('admin-users/info', { UID: hidden })).status]).toEqual([hidden, 404]);
      expect((await edit(hidden, { 'data[name]': 'x' }, api)).status).toBe(404);
      expect((await api.post('admin-users/delete', { 'UIDS[]': hidden })).body.data[hidden]).toEqual({
        success: false,
        message: t('api.accounts.notFound'),
      });
    }
    // Their own account they see, and cannot change here.
    expect((await api.post('admin-users/info', { UID: id })).status).toBe(200);
    expect((await edit(id, { 'perms[admin_over]': '-ALL-' }, api)).status).toBe(404);
    const add = (fields: Fields) => api.post('admin-users/add', { 'data[name]': 'New', ...fields });
    expect((await add({ 'data[username]': 'lost' })).status).toBe(403);
    expect((await add({ 'data[username]': 'lost', 'groups[]': ['Others'] })).status).toBe(403);
    expect((await owner.post('admin-users/info', { uname: 'lost' })).status).toBe(404);
    expect((await add({ 'data[username]': 'new1', 'groups[]': ['Team'] })).status).toBe(200);
    expect((await add({ 'data[username]': 'new2', 'groups[]': ['team'] })).status).toBe(200);
    const full = await add({ 'data[username]': 'new3', 'groups[]': ['Team'] });
    expect([full.status, full.body.details.permission]).toEqual([403, 'admin_max_users']);
    // Groups that are not theirs stay as they are.
    expect((await edit(inside, { 'groups[]': ['Team', 'Others'] }, api)).status).toBe(403);
    expect((await edit(inside, { 'groups[]': ['Team'] }, api)).status).toBe(200);
    expect((await info(inside)).groups).toEqual(['Others', 'Team']);
    // Out of the group is out of reach: that is not theirs to do.
    expect((await edit(inside, { groups: '' }, api)).status).toBe(403);
  });

  it('cannot grant rights the administrator lacks, or create administrators', async () => {
    const { api } = await administrator('modest', {
      admin_type: 'simple',
      admin_over: '-ALL-',
      weblink: '0',
      space_quota_max: '100',
    });
    const add = (fields: Fields) => api.post('admin-users/add', { 'data[name]': 'New', ...fields });
    const uid = (await add({ 'data[username]': 'modest1' })).body.data.uid;
    expect((await info(uid)).perms).toMatchObject({ weblink: false, space_quota_max: 100, share: true });
    for (const [fields, permission] of [
      [{ 'perms[weblink]': '1' }, 'weblink'],
      [{ 'perms[space_quota_max]': '0' }, 'space_quota_max'],
      [{ 'perms[space_quota_max]': '101' }, 'space_quota_max'],
      [{ 'perms[admin_type]': 'simple' }, 'admin_type'],
      [{ 'perms[admin_users]': '1' }, 'admin_users'],
      [{ 'perms[admin_over]': '-ALL-' }, 'admin_over'],
    ] as const) {
      const replies = [await edit(uid, fields, api), await add({ 'data[username]': 'modest2', ...fields })];
      for (const reply of replies) {
        expect([fields, reply.status, reply.body.details?.permission]).toEqual([fields, 403, permission]);
      }
    }
    expect((await edit(uid, { 'data[owner]': '2' }, api)).status).toBeGreaterThanOrEqual(400);
    const role = (await household.control('roles.add', { name: 'Wide', permissions: { weblink: true } })) as {
      id: number;
    };
    expect((await edit(uid, { 'perms[role]': String(role.id) }, api)).status).toBe(403);
  });

  it('by an independent administrator has its own accounts and groups', async () => {
    const { api, id } = await administrator('indy', { admin_type: 'indep' });
    const uid = await added({ 'data[username]': 'indys', 'groups[]': ['Team'], create_home_folder: '1' }, api);
    expect(await info(uid)).toMatchObject({ owner: Number(id), groups: ['Team'] });
    const { groups } = (await household.control('groups.list')) as {
      groups: { name: string; ownerId: number | null }[];
    };
    expect(groups.filter(({ name }) => name === 'Team').map(({ ownerId }) => ownerId)).toContain(Number(id));
    const { api: other } = await administrator('indy2', { admin_type: 'indep' });
    expect((await other.post('admin-users/info', { UID: uid })).status).toBe(404);
    expect((await other.post('admin-users/delete', { 'UIDS[]': uid })).body.data[uid].success).toBe(false);
    const stolen = await other.post('admin-users/add', {
      'data[username]': 'st',
      'data[name]': 'x',
      'data[owner]': id,
    });
    expect(stolen.status).toBe(403);
    expect((await edit(uid, { 'perms[homefolder]': '/tmp/x' }, api)).status).toBe(403);
    expect((await api.post('admin-users/delete', { 'UIDS[]': uid })).body.data[uid].success).toBe(true);
  });

  it('UIDS are distinct ids, never of the caller or the superuser', async () => {
    const { api, id } = await administrator('cleaner', { admin_type: 'simple', admin_over: '-ALL-' });
    const uid = await added({ 'data[username]': 'victim' });
    for (const UIDS of ['abc', '1,2', '-1', '1.5', '']) {
      expect([UIDS, ...refusal(await api.post('admin-users/delete', { 'UIDS[]': UIDS }))]).toEqual([
        UIDS,
        400,
        'invalid_parameter',
        'UIDS',
      ]);
    }
    expect(refusal(await api.post('admin-users/delete', {}))).toEqual([400, 'missing_parameter', 'UIDS']);
    const reply = await api.post('admin-users/delete', { 'UIDS[]': [uid, uid, id, '1'] });
    expect(Object.entries<{ success: boolean }>(reply.body.data).map(([key, { success }]) => [key, success])).toEqual(
      [
        ['1', false],
        [id, false],
        [uid, true],
      ].sort(([a], [b]) => Number(a) - Number(b)),
    );
  });
});

describe('permissions on one’s own account', () => {
  it('change_pass and edit_profile', async () => {
    await added({ 'data[username]': 'fixed', 'perms[change_pass]': '0', 'perms[edit_profile]': '0' });
    const api = await as('fixed');
    const form = { current_password: PASSWORD, new_password: 'a rather good one' };
    const replies = [await api.post('account/password', form), await api.post('account/avatar', { remove: '1' })];
    expect(replies.map(({ status, body }) => [status, body.details?.permission])).toEqual([
      [403, 'change_pass'],
      [403, 'edit_profile'],
    ]);
  });
});
