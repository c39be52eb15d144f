import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ACTION_SCOPES } from '../../../dist/server/access/action-scopes.js';
import { Connection } from '../../../dist/server/database/connection.js';
import { DAY, HOUR } from '../../../dist/server/lib/clock.js';
import { isoSeconds } from '../../../dist/server/lib/datetime.js';
import { appOf, basic } from '../../oauth/support.ts';
import { type Household, OWNER, openHousehold } from '../../support/households/household.ts';
import { addMembersWithHomes, MEMBER, signInAs } from '../../support/households/member.ts';
import { rowsOf } from '../../support/requests/activity.ts';
import { type ApiClient, outcome, type Reply } from '../../support/requests/api-client.ts';
import { DavClient } from '../../support/webdav/dav-client.ts';

let household: Household;
let mia: ApiClient;
let id = 0;

beforeAll(async () => {
  household = await openHousehold();
  await addMembersWithHomes(household, { mia: {} });
});
afterAll(() => household.close());
beforeEach(async () => {
  mia = await signInAs(household, 'mia');
  id = Number((await mia.get('account/info')).body.data.id);
  for (const one of await listed()) await mia.post('account/app-passwords/delete', { id: one.id });
});

const OPERATION = 'account/app-passwords';

async function listed(): Promise<{ id: number; label: string }[]> {
  const { appPasswords } = await household.control('appPasswords.list', { accountId: id });
  return appPasswords as { id: number; label: string }[];
}

async function add(form: Record<string, string> = {}, api = mia): Promise<Reply> {
  return api.post(`${OPERATION}/add`, { label: 'Laptop', ...form });
}

async function tokenWith(scope: string): Promise<ApiClient> {
  const { access } = await appOf(household).signIn({ ...MEMBER, scope });
  return household.api.with(access);
}

const labels = async () => (await listed()).map(({ label }) => label);

/** One from the account page: no app created it. */
async function addOwn(label: string): Promise<DavClient> {
  const { password } = (await add({ label })).body.data;
  const connection = await Connection.open(join(household.folder, '.larder', 'larder.sqlite'));
  await connection.run('UPDATE app_passwords SET authorization_id = NULL WHERE label = ?', [label]);
  await connection.close();
  return new DavClient(household.api, 'mia', password);
}

describe('account/app-passwords', () => {
  it('creates one, shows it once, lists and revokes it', async () => {
    const made = (await add({ label: ' Study PC ' })).body.data;
    expect(made).toEqual({
      id: expect.any(Number),
      label: 'Study PC',
      password: expect.stringMatching(/^[a-z0-9]{4}(-[a-z0-9]{4}){5}$/),
      scopes: ['list', 'metadata', 'upload', 'download', 'modify', 'delete'],
      folder: null,
      read_only: false,
      expires: null,
    });
    const list = await mia.get(`${OPERATION}/list`);
    const { password, ...shown } = made;
    expect(list.body.data.passwords).toEqual([
      { ...shown, created: expect.stringMatching(/Z$/), app: 'Tests', last_used: null },
    ]);
    expect(list.text).not.toContain(password);
    expect(await outcome(mia.post(`${OPERATION}/delete`, { id: made.id }))).toEqual([200, undefined]);
    expect(await outcome(mia.post(`${OPERATION}/delete`, { id: made.id }))).toEqual([404, 'not_found']);
  });

  it('does not sign in to the API', async () => {
    const { password } = (await add()).body.data;
    for (const secret of [password, MEMBER.password]) {
      const reply = await household.api.send('GET', '/api.php/account/info', { headers: basic('mia', secret) });
      expect([reply.status, reply.body.code]).toEqual([401, 'invalid_token']);
      expect(reply.headers['www-authenticate']).not.toContain('Basic');
    }
    const reply = await household.api.token(appOf(household).passwordForm({ username: 'mia', password }));
    expect([reply.status, reply.body.error]).toEqual([400, 'invalid_grant']);
  });

  it.each<[form: Record<string, string>, status: number, code: string]>([
    [{ label: '' }, 400, 'invalid_parameter'],
    [{ label: 'x'.repeat(101) }, 400, 'invalid_parameter'],
    [{ label: 'a\nb' }, 400, 'invalid_parameter'],
    [{ 'scopes[]': 'admin' }, 400, 'invalid_parameter'],
    [{ expires: '2001-01-01' }, 400, 'invalid_parameter'],
    [{ folder: '/ROOT/HOME/nothing' }, 404, 'not_found'],
    [{ folder: '/TRASH' }, 400, 'invalid_path'],
    [{ folder: 'x' }, 400, 'invalid_path'],
  ])('refuses %j', async (form, status, code) => {
    expect(await outcome(add(form))).toEqual([status, code]);
  });

  it('limits one to a folder, and returns its current path', async () => {
    await mia.post('files/createfolder', { path: '/ROOT/HOME', name: 'box' });
    await mia.put({ path: '/ROOT/HOME/a.txt' }, 'text');
    expect(await outcome(add({ folder: '/ROOT/HOME/a.txt' }))).toEqual([400, 'invalid_parameter']);
    const expires = isoSeconds(household.clock.now() + DAY);
    const made = await add({ folder: '/ROOT/HOME/box', read_only: '1', expires, 'scopes[]': 'list' });
    const { uuid } = made.body.data.folder;
    expect(made.body.data).toMatchObject({ scopes: ['list'], read_only: true, expires });
    await mia.post('files/rename', { path: '/ROOT/HOME/box', newName: 'case' });
    const folders = async () => (await mia.get(`${OPERATION}/list`)).body.data.passwords[0].folder;
    expect(await folders()).toEqual({ uuid, path: '/ROOT/HOME/case' });
    await mia.post('files/delete', { path: '/ROOT/HOME/case' });
    expect(await folders()).toEqual({ uuid, path: null });
    expect((await add({ folder: '/ROOT/HOME' })).body.data.folder.path).toBe('/ROOT/HOME');
  });

  it('grants no more scopes than the token has', async () => {
    const narrow = await tokenWith('profile list download');
    expect((await add({}, narrow)).body.data.scopes).toEqual(['list', 'download']);
    const wider = await add({ 'scopes[]': 'upload' }, narrow);
    expect([wider.status, wider.body.code, wider.body.details.scope]).toEqual([403, 'insufficient_scope', 'upload']);
    expect(await outcome(add({}, await tokenWith('profile')))).toEqual([403, 'insufficient_scope']);
    expect(await outcome(add({}, await tokenWith('list download')))).toEqual([403, 'insufficient_scope']);
  });

  it('deletes one when the authorization of its app is revoked', async () => {
    await add();
    const { authorizations } = await household.control('authorizations.list', { accountId: id });
    for (const one of authorizations as { id: number }[])
      await household.control('authorizations.revoke', { id: one.id });
    expect(await listed()).toEqual([]);
  });

  it('deletes one when an administrator sets a new password', async () => {
    await addOwn('Own');
    expect(await labels()).toEqual(['Own']);
    await household.control('accounts.update', { id, password: MEMBER.password });
    expect(await labels()).toEqual([]);
  });

  it('refuses one while an administrator has deactivated the account, and no longer than that', async () => {
    const program = await addOwn('Own');
    const used = async () => (await program.propfind('/', '0')).status;
    expect(await used()).toBe(207);
    await household.control('accounts.update', { id, activated: false });
    expect(await used()).toBe(403);
    expect(await labels()).toEqual(['Own']);
    await household.control('accounts.activate', { username: 'mia' });
    expect(await used()).toBe(207);
    // One that an app has created ends with the authorization of the app.
    mia = await signInAs(household, 'mia');
    await add({ label: 'Of an app' });
    await household.control('accounts.update', { id, activated: false });
    expect(await labels()).toEqual(['Own']);
    await household.control('accounts.activate', { username: 'mia' });
  });

  it('is not ended or refused when somebody guesses the password of the account', async () => {
    const program = await addOwn('Own');
    const member = { ...MEMBER, username: 'mia' };
    for (let tries = 0; tries < 20; tries += 1) {
      household.clock.advance(2 * HOUR);
      await appOf(household).password({ ...member, password: 'wrong password' });
    }
    expect((await appOf(household).password(member)).status).toBe(400);
    expect((await program.propfind('/', '0')).status).toBe(207);
    await household.control('accounts.activate', { username: 'mia' });
  });

  it('deletes one when the person changes the password, unless its id is among those to keep', async () => {
    for (const label of ['Laptop', 'Phone', 'Tablet']) await addOwn(label);
    const idOf = async (label: string) => (await listed()).find((one) => one.label === label)?.id ?? 0;
    const change = (current: string, next: string, form: Record<string, unknown> = {}) =>
      mia.post('account/password', { current_password: current, new_password: next, ...form });
    const of = await idOf('Laptop');
    for (const keep of ['x', '0', `${of},1`]) {
      const reply = change(MEMBER.password, 'a rather good one', { 'keep_app_passwords[]': keep });
      expect(await outcome(reply)).toEqual([400, 'invalid_parameter']);
    }
    const kept = { 'keep_app_passwords[]': [String(of), String(await idOf('Tablet')), '999999'] };
    expect((await change(MEMBER.password, 'a rather good one', kept)).status).toBe(200);
    expect((await labels()).sort()).toEqual(['Laptop', 'Tablet']);
    expect((await change('a rather good one', MEMBER.password, { keep_app_passwords: String(of) })).status).toBe(200);
    expect(await labels()).toEqual(['Laptop']);
    expect((await change(MEMBER.password, 'a rather good one')).status).toBe(200);
    expect(await labels()).toEqual([]);
    expect((await change('a rather good one', MEMBER.password)).status).toBe(200);
  });

  it('no longer lists one after its expiry', async () => {
    const other = await signInAs(household, 'mia');
    await add({ expires: isoSeconds(household.clock.now() + HOUR / 2) }, other);
    expect(await listed()).toHaveLength(1);
    household.clock.advance(HOUR / 2 + 1_000);
    expect(await listed()).toEqual([]);
  });

  it('lets the owner revoke one, and logs only its name', async () => {
    const rows = await rowsOf(household, async () => {
      const { password } = (await add({ label: 'Kodi', read_only: '1' })).body.data;
      expect(household.logged()).not.toContain(password);
      const [one] = await listed();
      expect(one).toMatchObject({ label: 'Kodi', app: 'Tests', readOnly: true, lastUsedAt: null });
      await household.control('appPasswords.revoke', { accountId: id, id: one?.id });
      const again = household.control('appPasswords.revoke', { accountId: id, id: one?.id });
      await expect(again).rejects.toMatchObject({ code: 'refused', field: 'id' });
    });
    expect(rows).toMatchObject([
      { kind: 'app-password.created', subject: 'Kodi', username: 'mia', details: { readOnly: true }, channel: 'app' },
      { kind: 'app-password.removed', subject: 'Kodi', username: OWNER.username, details: { of: 'mia' } },
    ]);
  });
});

/** Actions of WebDAV alone, with the operation of the API that needs the same. */
const LIKE: Readonly<Record<string, string>> = { 'files/properties': 'files/lock' };

it('every action requires the scopes that its operation declares', async () => {
  const { paths } = (await household.api.send('GET', '/api.php/openapi.json')).body;
  const declared = new Map<string, string[]>();
  for (const [path, methods] of Object.entries(paths as Record<string, Record<string, { security?: object[] }>>)) {
    const [first] = Object.values(methods).flatMap(({ security = [] }) => security.flatMap(Object.values));
    declared.set(path.slice(1), [...((first as string[] | undefined) ?? [])].sort());
  }
  for (const [action, needed] of Object.entries(ACTION_SCOPES)) {
    const [operation = '', variant] = (LIKE[action] ?? action).split(':');
    const scopes = declared.get(operation);
    expect(scopes, action).toBeDefined();
    // Search in metadata checks the second scope itself.
    const more = variant === 'metadata' || variant === 'comments' ? ['metadata'] : [];
    expect([...needed].sort(), action).toEqual([...(scopes ?? []), ...more].sort());
  }
});
