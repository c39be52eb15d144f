import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { t } from '../../dist/server/messages/messages.js';
import { type Household, openHousehold } from '../support/households/household.ts';
import type { ApiClient } from '../support/requests/api-client.ts';

type Kind = 'string' | 'boolean' | 'integer' | 'datetime';

let household: Household;
let owner: ApiClient;
/** Of an independent administrator, and of a role. */
let independent: string;
let role: string;
/** Of an account with nothing but a user name and a name. */
let plain: Record<string, unknown>;
let outside: string;
let count = 0;

beforeAll(async () => {
  household = await openHousehold();
  owner = await household.signIn();
  outside = await mkdtemp(join(tmpdir(), 'larder-test-homes-'));
  await household.control('settings.update', { homeLocations: [outside] });
  independent = await add({ 'perms[admin_type]': 'indep', 'perms[admin_users]': '1' });
  role = String((await household.control('roles.add', { name: 'Child', permissions: {} })).id);
  plain = await info(await add({}));
});
afterAll(async () => {
  await household.close();
  await rm(outside, { recursive: true, force: true });
});

async function add(fields: Record<string, string | string[]>): Promise<string> {
  count += 1;
  const reply = await owner.post('admin-users/add', {
    'data[username]': `somebody${count}`,
    'data[name]': 'Somebody',
    ...fields,
  });
  expect(reply.status, reply.text).toBe(200);
  return reply.body.data.uid;
}

const info = async (UID: string) => (await owner.post('admin-users/info', { UID })).body.data;

/** What `admin-users/info` says of a parameter. */
function shown(data: Record<string, unknown>, parameter: string): unknown {
  const [, list, field = ''] = /^(data|perms)\[(\w+)\]$/.exec(parameter) ?? [];
  return (list === 'perms' ? (data.perms as Record<string, unknown>) : data)[field];
}

const WRONG: Readonly<Record<Kind, string | null>> = {
  string: null,
  boolean: 'perhaps',
  integer: 'many',
  datetime: 'tomorrow',
};

/** The tables of §2.8, typed by hand: the parameter, its type, its default, and what is sent and shown instead. */
const FIELDS: readonly (readonly [
  parameter: string,
  kind: Kind,
  standard: unknown,
  sent: () => string,
  expected: () => unknown,
])[] = [
  ['data[last_name]', 'string', '', () => 'Fern', () => 'Fern'],
  ['data[two_step_enabled]', 'boolean', false, () => '1', () => true],
  ['data[owner]', 'integer', null, () => independent, () => Number(independent)],
  ['data[activated]', 'boolean', true, () => '0', () => false],
  ['data[expiration_date]', 'datetime', null, () => '2031-02-03 04:05:06', () => '2031-02-03 04:05:06'],
  ['data[require_password_change]', 'boolean', false, () => '1', () => true],
  ['data[email]', 'string', '', () => 'mia@orchard.example', () => 'mia@orchard.example'],
  ['data[receive_notifications]', 'boolean', false, () => '1', () => true],
  ['data[phone]', 'string', '', () => '+1 555 0100', () => '+1 555 0100'],
  ['data[company]', 'string', '', () => 'Fern & Field', () => 'Fern & Field'],
  ['data[website]', 'string', '', () => 'https://fern.example/', () => 'https://fern.example/'],
  ['data[description]', 'string', '', () => 'Two\nlines', () => 'Two\nlines'],
  ['data[logo_url]', 'string', '', () => 'https://fern.example/a.png', () => 'https://fern.example/a.png'],
  ['perms[role]', 'integer', null, () => role, () => Number(role)],
  ['perms[admin_type]', 'string', null, () => 'simple', () => 'simple'],
  ['perms[admin_users]', 'boolean', false, () => '1', () => true],
  ['perms[admin_roles]', 'boolean', false, () => '1', () => true],
  ['perms[admin_notifications]', 'boolean', false, () => '1', () => true],
  ['perms[admin_logs]', 'boolean', false, () => '1', () => true],
  ['perms[admin_metadata]', 'boolean', false, () => '1', () => true],
  // More than one account can be meant, so that 1 is the number.
  ['perms[admin_max_users]', 'boolean', 0, () => '1', () => 1],
  ['perms[admin_over]', 'string', '', () => '-ALL-', () => '-ALL-'],
  ['perms[admin_homefolder_template]', 'string', '', () => 'of/{USERNAME}', () => 'of/{USERNAME}'],
  ['perms[space_quota_max]', 'integer', 0, () => '500', () => 500],
  ['perms[readonly]', 'boolean', false, () => '1', () => true],
  ['perms[upload]', 'boolean', true, () => '0', () => false],
  ['perms[upload_max_size]', 'integer', 0, () => '20', () => 20],
  ['perms[upload_limit_types]', 'string', '', () => 'jpg,png', () => 'jpg,png'],
  ['perms[download]', 'boolean', true, () => '0', () => false],
  ['perms[download_folders]', 'boolean', true, () => '0', () => false],
  ['perms[read_comments]', 'boolean', true, () => '0', () => false],
  ['perms[write_comments]', 'boolean', true, () => '0', () => false],
  ['perms[email]', 'boolean', true, () => '0', () => false],
  ['perms[weblink]', 'boolean', true, () => '0', () => false],
  ['perms[share]', 'boolean', true, () => '0', () => false],
  ['perms[share_guests]', 'boolean', true, () => '0', () => false],
  ['perms[metadata]', 'boolean', true, () => '0', () => false],
  ['perms[file_history]', 'boolean', true, () => '0', () => false],
  ['perms[change_pass]', 'boolean', true, () => '0', () => false],
  ['perms[edit_profile]', 'boolean', true, () => '0', () => false],
  ['perms[users_may_see]', 'string', '-ALL-', () => `u${independent}`, () => `u${independent}`],
];

describe('a field of §2.8', () => {
  it.each(FIELDS)('%s, %s: has its default, and what add and edit say', async (parameter, kind, ...rest) => {
    const [standard, sent, expected] = rest;
    expect(shown(plain, parameter)).toEqual(standard);
    const added = await info(await add({ [parameter]: sent() }));
    expect(shown(added, parameter), 'added').toEqual(expected());
    const uid = await add({});
    const edited = await owner.post('admin-users/edit', { UID: uid, [parameter]: sent() });
    expect(edited.status, edited.text).toBe(200);
    expect(shown(await info(uid), parameter), 'edited').toEqual(expected());
    const wrong = WRONG[kind];
    if (wrong === null) return;
    const refused = await owner.post('admin-users/edit', { UID: uid, [parameter]: wrong });
    expect([refused.status, refused.body.code, refused.body.details]).toEqual([
      ...[400, 'invalid_parameter', { parameter }],
    ]);
    expect(shown(await info(uid), parameter), 'and is left as it was').toEqual(expected());
  });

  it('perms[admin_type] is simple or indep, and nothing else', async () => {
    expect(shown(await info(independent), 'perms[admin_type]')).toBe('indep');
    const reply = await owner.post('admin-users/edit', { UID: independent, 'perms[admin_type]': 'both' });
    expect([reply.status, reply.body.code]).toEqual([400, 'invalid_parameter']);
  });

  it('data[password] signs in, and is not told', async () => {
    const uid = await add({ 'data[username]': 'knows', 'data[password]': 'correct horse battery' });
    const token = await household.api.token({
      ...{ grant_type: 'password', username: 'knows', password: 'correct horse battery', scope: 'profile' },
      ...{ client_id: household.clientId, client_secret: household.clientSecret },
    });
    expect(token.status).toBe(200);
    expect(JSON.stringify(await info(uid))).not.toMatch(/password":"|correct horse/);
  });
});

it('account/info tells the names and the address, each by itself', async () => {
  const uid = await add({
    ...{ 'data[username]': 'mia', 'data[password]': 'correct horse battery', 'data[name]': 'Mia' },
    ...{ 'data[last_name]': 'Fern', 'data[email]': 'mia@orchard.example' },
  });
  const told = { id: uid, activated: '1', username: 'mia', name: 'Mia', name2: 'Fern', email: 'mia@orchard.example' };
  for (const scope of ['profile email', 'profile']) {
    const token = await household.api.token({
      ...{ grant_type: 'password', username: 'mia', password: 'correct horse battery', scope },
      ...{ client_id: household.clientId, client_secret: household.clientSecret },
    });
    const { body } = await household.api.with(String(token.body.access_token)).get('account/info');
    const { email: _email, ...others } = told;
    expect(body.data).toEqual(scope === 'profile' ? others : told);
  }
});

describe('data[username]', () => {
  it.each(['_', '-', '@', '.', ' '])('may have %j within', async (character) => {
    const username = `a${character}b${count}`;
    expect((await info(await add({ 'data[username]': username }))).username).toBe(username);
  });

  it('may have no other character of a keyboard', async () => {
    const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
    const others = printable.filter((character) => !/[\w\-@. ]/.test(character));
    expect(others).toHaveLength(28);
    for (const character of others) {
      const reply = await owner.post('admin-users/add', {
        'data[username]': `a${character}b`,
        'data[name]': 'Somebody',
      });
      expect([character, reply.status, reply.body.details]).toEqual([character, 400, { parameter: 'data[username]' }]);
    }
  });
});

describe('perms[homefolder]', () => {
  const attempt = (homefolder: string, more: Record<string, string> = {}) =>
    owner.post('admin-users/add', {
      ...{ 'data[username]': `home${count++}`, 'data[name]': 'Somebody' },
      ...{ 'perms[homefolder]': homefolder, ...more },
    });
  const refused = [400, 'invalid_parameter', { parameter: 'perms[homefolder]' }];

  it('is the absolute path of a folder that is there, with forward slashes', async () => {
    const path = join(outside, 'there');
    await mkdir(path);
    for (const wrong of [path.replaceAll('/', '\\'), 'there', join(outside, 'nowhere')]) {
      const { status, body } = await attempt(wrong);
      expect([status, body.code, body.details], wrong).toEqual(refused);
    }
    const { body } = await attempt(path);
    expect(shown(await info(body.data.uid), 'perms[homefolder]')).toBe(path);
  });

  it.runIf(process.platform !== 'win32')('may be sent back as it is, also with a backslash in a name', async () => {
    const path = join(outside, 'kept \\ here');
    await mkdir(path);
    const { body } = await attempt(path);
    expect(shown(await info(body.data.uid), 'perms[homefolder]')).toBe(path);
    const form = { UID: body.data.uid, 'perms[homefolder]': path, 'data[name]': 'Else' };
    const reply = await owner.post('admin-users/edit', form);
    expect(reply.status, reply.text).toBe(200);
    expect(await info(body.data.uid)).toMatchObject({ name: 'Else', perms: { homefolder: path } });
  });

  it('is made with create_home_folder=1 where it is not there', async () => {
    const path = join(outside, 'made');
    const { body } = await attempt(path, { create_home_folder: '1' });
    expect(shown(await info(body.data.uid), 'perms[homefolder]')).toBe(path);
  });
});

describe('what admin-users needs', () => {
  it.each(['info', 'edit', 'delete'])('%s: whom it is about', async (operation) => {
    const { status, body } = await owner.post(`admin-users/${operation}`, { 'data[name]': 'Else' });
    expect([status, body.success, body.code]).toEqual([400, false, 'missing_parameter']);
  });

  it.each(['info', 'edit'])('%s: an id is a number', async (operation) => {
    for (const UID of ['ann', '1.5', '-1']) {
      const { status, body } = await owner.post(`admin-users/${operation}`, { UID, 'data[name]': 'Else' });
      expect([UID, status, body.code, body.details]).toEqual([UID, 400, 'invalid_parameter', { parameter: 'UID' }]);
    }
  });

  it('groups: names of groups, by add and by edit, which are made where they are not there', async () => {
    const uid = await add({ 'groups[]': ['Cooks', 'Gardeners'] });
    expect((await info(uid)).groups).toEqual(['Cooks', 'Gardeners']);
    await owner.post('admin-users/edit', { UID: uid, 'groups[]': ['Readers'] });
    expect((await info(uid)).groups).toEqual(['Readers']);
  });

  it.each(['create_home_folder', 'generate_password'])('%s is a switch, and nothing else', async (parameter) => {
    for (const [value, status] of [
      ['0', 200],
      ['1', 200],
      ['perhaps', 400],
    ] as const) {
      const form = { 'data[username]': `switch${count++}`, 'data[name]': 'Somebody', [parameter]: value };
      expect([value, (await owner.post('admin-users/add', form)).status]).toEqual([value, status]);
    }
  });

  it('a user name that is taken: the answer of the document', async () => {
    await add({ 'data[username]': 'taken' });
    const { body } = await owner.post('admin-users/add', { 'data[username]': 'taken', 'data[name]': 'Somebody' });
    expect(body).toMatchObject({ success: false, error: t('api.accounts.usernameInUse'), code: 'username_in_use' });
    expect(body).not.toHaveProperty('data');
  });
});
