import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  added,
  as,
  edit,
  type Fields,
  household,
  info,
  inOneHousehold,
  owner,
  refusal,
} from './admin-users-support.ts';

inOneHousehold();

describe('admin-users/add and info', () => {
  it('adds with every field of §2.8, and returns every one under its own name', async () => {
    const uid = await added({
      'data[username]': 'mia.f@home-1 x',
      'data[name]': 'Mia',
      'data[last_name]': 'Fern',
      'data[two_step_enabled]': '1',
      'data[activated]': '1',
      'data[expiration_date]': '2031-02-03 04:05:06',
      'data[require_password_change]': 'on',
      'data[email]': 'mia@orchard.example',
      'data[receive_notifications]': 'yes',
      'data[phone]': '+1 555 0100',
      'data[company]': 'Fern & Field',
      'data[website]': 'https://fern.example/',
      'data[description]': 'Two lines\nof text',
      'data[logo_url]': 'https://fern.example/logo.png',
      'perms[space_quota_max]': '500',
      'perms[upload_max_size]': '20',
      'perms[upload_limit_types]': 'jpg,png',
      'perms[weblink]': '0',
      'perms[readonly]': 'false',
      'perms[users_may_see]': 'u1,g2',
      'groups[]': ['Children', 'Cooks'],
      create_home_folder: '1',
    });
    const data = await info(uid);
    expect(data).toEqual({
      id: Number(uid),
      type: 'user',
      username: 'mia.f@home-1 x',
      name: 'Mia',
      last_name: 'Fern',
      two_step_enabled: true,
      owner: null,
      activated: true,
      expiration_date: '2031-02-03 04:05:06',
      require_password_change: true,
      email: 'mia@orchard.example',
      receive_notifications: true,
      phone: '+1 555 0100',
      company: 'Fern & Field',
      website: 'https://fern.example/',
      description: 'Two lines\nof text',
      logo_url: 'https://fern.example/logo.png',
      perms: {
        role: null,
        homefolder: join(household.folder, 'homes', 'mia.f@home-1 x'),
        admin_type: null,
        admin_users: false,
        admin_roles: false,
        admin_notifications: false,
        admin_logs: false,
        admin_metadata: false,
        admin_max_users: 0,
        admin_over: '',
        admin_homefolder_template: '',
        space_quota_max: 500,
        readonly: false,
        upload: true,
        upload_max_size: 20,
        upload_limit_types: 'jpg,png',
        download: true,
        download_folders: true,
        read_comments: true,
        write_comments: true,
        email: true,
        weblink: false,
        share: true,
        share_guests: true,
        metadata: true,
        file_history: true,
        change_pass: true,
        edit_profile: true,
        users_may_see: 'u1,g2',
      },
      groups: ['Children', 'Cooks'],
      registration_date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      last_login_date: null,
      failed_login_attempts: 0,
      space_quota_current: 0,
    });
    const byName = await owner.post('admin-users/info', { uname: 'MIA.F@home-1 X' });
    expect(byName.body.data.id).toBe(Number(uid));
    expect(JSON.stringify(byName.body)).not.toMatch(/argon2|hash|secret/i);
    await access(join(household.folder, 'homes', 'mia.f@home-1 x'));
  });

  it('uses the defaults of §2.8 for omitted fields, and no home', async () => {
    const uid = await added({ 'data[username]': 'plain' });
    expect(await info(uid)).toMatchObject({
      activated: true,
      two_step_enabled: false,
      expiration_date: null,
      groups: [],
      perms: {
        upload: true,
        download: true,
        readonly: false,
        space_quota_max: 0,
        users_may_see: '-ALL-',
        homefolder: '',
      },
    });
    const plain = await as('plain');
    expect((await plain.get('account/info')).body).toMatchObject({ username: 'plain', name: 'Somebody' });
    const top = await plain.get('files/browse', { path: '/ROOT' });
    expect(top.body.data.files.map(({ path }: { path: string }) => path)).not.toContain('/ROOT/HOME');
  });

  it('a new account with a home can use it', async () => {
    await added({ 'data[username]': 'homely', create_home_folder: '1' });
    const homely = await as('homely');
    expect((await homely.put({ path: '/ROOT/HOME/a.txt' }, 'hello')).status).toBe(201);
    expect(await readdir(join(household.folder, 'homes', 'homely'))).toContain('a.txt');
    expect((await owner.get('files/browse', { path: '/ROOT/HOME' })).text).not.toContain('a.txt');
  });

  it('generates a password that satisfies the policy and works; an account without one cannot sign in', async () => {
    await household.control('settings.update', { passwordMinLength: 30 });
    const reply = await owner.post('admin-users/add', {
      'data[username]': 'made.up',
      'data[name]': 'Made',
      generate_password: '1',
    });
    await household.control('settings.update', { passwordMinLength: 10 });
    const { generated_password: generated } = reply.body.data;
    expect(generated.length).toBeGreaterThanOrEqual(30);
    await as('made.up', 'profile', generated);
    expect(household.logged()).not.toContain(generated);
    const silent = await owner.post('admin-users/add', { 'data[username]': 'silent', 'data[name]': 'Silent' });
    expect(silent.body.data).toEqual({ uid: expect.stringMatching(/^\d+$/) });
    const refused = await household.api.token({
      grant_type: 'password',
      username: 'silent',
      password: 'undefined',
      scope: 'profile',
      client_id: household.clientId,
      client_secret: household.clientSecret,
    });
    expect(refused.body.error).toBe('invalid_grant');
  });

  it('requires a user name and a name; returns 409 for a name in use, also in another case or with similar letters', async () => {
    const add = (fields: Fields) => owner.post('admin-users/add', fields);
    expect(refusal(await add({ 'data[name]': 'A' }))).toEqual([400, 'missing_parameter', 'data[username]']);
    expect(refusal(await add({ 'data[username]': 'a' }))).toEqual([400, 'missing_parameter', 'data[name]']);
    await added({ 'data[username]': 'Taken' });
    for (const username of [
      'Taken',
      'tAKEN',
      'ＴＡＫＥＮ',
      'тaken'.replace('a', 'а').replace('k', 'к').replace('en', 'еn'),
    ]) {
      const reply = await add({ 'data[username]': username, 'data[name]': 'A' });
      expect([
        username,
        reply.status < 500,
        ['username_in_use', 'invalid_parameter'].includes(reply.body.code),
      ]).toEqual([username, true, true]);
      expect(reply.status).toBeGreaterThanOrEqual(400);
    }
    expect(refusal(await add({ 'data[username]': 'taken', 'data[name]': 'A' })).slice(0, 2)).toEqual([
      409,
      'username_in_use',
    ]);
    await added({ 'data[username]': 'асе' });
    expect((await add({ 'data[username]': 'ace', 'data[name]': 'A' })).body.code).toBe('username_in_use');
  });

  it.each([
    ['data[username]', '<b>x</b>'],
    ['data[username]', 'a\u0000b'],
    ['data[username]', 'a\nb'],
    ['data[username]', 'аnn'],
    ['data[username]', 'x'.repeat(10_000)],
    ['data[username]', ' edge'],
    ['data[username]', 'edge '],
    ['data[username]', '..'],
    ['data[username]', '.'],
    ['data[username]', 'CON'],
    ['data[username]', 'con.txt'],
    ['data[username]', 'a/b'],
    ['data[username]', 'a\u202eb'],
    ['data[name]', ' '],
    ['data[name]', 'x'.repeat(101)],
    ['data[email]', 'no address'],
    ['data[email]', 'a@b\r\nBcc: c@d'],
    ['data[website]', 'javascript:alert(1)'],
    ['data[logo_url]', 'file:///etc/passwd'],
    ['data[activated]', 'maybe'],
    ['data[two_step_enabled]', '2'],
    ['data[expiration_date]', 'tomorrow'],
    ['data[expiration_date]', '2031-02-30 00:00:00'],
    ['data[expiration_date]', '2031-02-03 24:00:00'],
    ['data[password]', 'short'],
    ['data[owner]', '999999'],
    ['data[owner]', '1'],
    ['perms[space_quota_max]', '-1'],
    ['perms[space_quota_max]', '1e9'],
    ['perms[space_quota_max]', '1.5'],
    ['perms[upload]', 'perhaps'],
    ['perms[admin_type]', 'super'],
    ['perms[admin_over]', 'all'],
    ['perms[users_may_see]', '1,2'],
    ['perms[role]', '424242'],
    ['perms[homefolder]', '/etc'],
    ['perms[homefolder]', '/tmp/../etc'],
    ['perms[homefolder]', 'relative'],
    ['groups', 'a,b'],
    ['groups', 'x'.repeat(101)],
  ])('refuses %s=%j, and leaves nothing behind', async (parameter, value) => {
    const before = (await readdir(join(household.folder, 'homes'))).length;
    const username = `refused${Math.abs(parameter.length * 31 + value.length)}`;
    const reply = await owner.post('admin-users/add', {
      'data[username]': username,
      'data[name]': 'Refused',
      create_home_folder: '1',
      [parameter]: value,
    });
    expect(refusal(reply), reply.text).toEqual([400, 'invalid_parameter', parameter]);
    expect((await owner.post('admin-users/info', { uname: username })).status).toBe(404);
    expect(await readdir(join(household.folder, 'homes'))).toHaveLength(before);
  });
});

describe('admin-users/edit', () => {
  it('changes only what is sent; an empty value resets to the default', async () => {
    const uid = await added({
      'data[username]': 'edited',
      'data[email]': 'e@x.example',
      'perms[space_quota_max]': '7',
      'groups[]': ['A', 'B'],
    });
    const before = await info(uid);
    await edit(uid, { 'data[last_name]': 'Changed' });
    expect(await info(uid)).toEqual({ ...before, last_name: 'Changed' });
    await edit(uid, { 'perms[download]': '0', 'perms[upload_limit_types]': 'txt' });
    await edit(uid, { 'perms[space_quota_max]': '', 'perms[upload_limit_types]': '', 'data[email]': '', groups: '' });
    const after = await info(uid);
    expect(after).toMatchObject({
      email: '',
      groups: [],
      perms: { space_quota_max: 0, download: false, upload_limit_types: '' },
    });
    await edit(uid, { 'data[expiration_date]': '2031-01-01' });
    expect((await info(uid)).expiration_date).toBe('2031-01-01 23:59:59');
    await edit(uid, { 'data[expiration_date]': '' });
    expect((await info(uid)).expiration_date).toBeNull();
    await edit(uid, { 'data[username]': 'renamed' });
    await as('renamed', 'profile');
    expect(refusal(await edit(uid, { 'data[username]': 'ANN' })).slice(0, 2)).toEqual([409, 'username_in_use']);
  });

  it('a new password ends existing tokens, and a generated one is in the reply', async () => {
    const uid = await added({ 'data[username]': 'pass' });
    const api = await as('pass');
    const reply = await edit(uid, { generate_password: '1' });
    expect((await api.get('account/info')).status).toBe(401);
    await as('pass', 'profile', reply.body.data.generated_password);
  });

  it('deactivates at once, even during a download', async () => {
    const uid = await added({ 'data[username]': 'stopped', create_home_folder: '1' });
    const api = await as('stopped');
    await api.put({ path: '/ROOT/HOME/big.bin' }, Buffer.alloc(64 * 1024 * 1024));
    const download = await api.open('GET', '/api.php/files/download?path=/ROOT/HOME/big.bin');
    const chunks = download.body[Symbol.asyncIterator]();
    await chunks.next();
    expect((await edit(uid, { 'data[activated]': '0' })).status).toBe(200);
    await expect(
      (async () => {
        for (let piece = await chunks.next(); piece.done !== true; piece = await chunks.next());
      })(),
    ).rejects.toThrow();
    expect((await api.get('account/info')).status).toBe(401);
    expect((await info(uid)).activated).toBe(false);
    await edit(uid, { 'data[activated]': '1' });
    await as('stopped');
  });

  it('applies both of two concurrent edits', async () => {
    const uid = await added({ 'data[username]': 'both' });
    const fields = Array.from({ length: 10 }, (_, index) => index);
    const names = [
      'weblink',
      'share',
      'metadata',
      'download',
      'email',
      'write_comments',
      'share_guests',
      'file_history',
      'change_pass',
      'edit_profile',
    ];
    await Promise.all(fields.map((index) => edit(uid, { [`perms[${names[index]}]`]: '0' })));
    const { perms } = await info(uid);
    for (const name of names) expect([name, perms[name]]).toEqual([name, false]);
  });

  it('returns 404 for a deleted account, for everybody alike', async () => {
    const uid = await added({ 'data[username]': 'gone' });
    await owner.post('admin-users/delete', { 'UIDS[]': uid });
    expect((await edit(uid, { 'data[name]': 'x' })).status).toBe(404);
    expect((await owner.post('admin-users/info', { UID: uid })).status).toBe(404);
    expect((await owner.post('admin-users/delete', { 'UIDS[]': uid })).body.data[uid].success).toBe(false);
  });

  it('never locks the owner out', async () => {
    for (const fields of [
      { 'data[activated]': '0' },
      { 'data[expiration_date]': '2031-01-01' },
      { 'perms[admin_users]': '0', 'perms[readonly]': '1' },
    ]) {
      expect([fields, (await edit('1', fields)).status]).toEqual([fields, 400]);
    }
    expect((await owner.post('admin-users/delete', { 'UIDS[]': '1' })).body.data['1']).toMatchObject({
      success: false,
    });
    expect((await owner.get('account/info')).body.activated).toBe('1');
  });
});
