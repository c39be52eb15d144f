import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Connection } from '../../dist/server/database/connection.js';
import { appOf } from '../oauth/support.ts';
import { WebVisitor } from '../support/browser/web-visitor.ts';
import { type Household, OWNER, openHousehold } from '../support/households/household.ts';
import { t } from '../support/server-texts.ts';

let household: Household;

beforeAll(async () => {
  household = await openHousehold();
});
afterAll(() => household?.close());

const PASSWORD = 'correct horse battery';

interface Summary {
  id: number;
  username: string;
  groups: string[];
  usedBytes: number;
  quota: number;
}

const list = async (query = {}) =>
  (await household.control('accounts.list', query)) as unknown as { accounts: Summary[]; total: number };
const add = (username: string, more = {}) =>
  household.control('accounts.add', { username, name: username, password: PASSWORD, ...more });
const refused = async (method: string, input: unknown) =>
  household.control(method, input).then(
    () => ({ code: 'none', field: undefined as string | undefined, message: '' }),
    (error) => error as { code: string; field: string | undefined; message: string },
  );

describe('accounts', () => {
  it('are added, read, changed and removed', async () => {
    const added = await add('mia', {
      lastName: 'Fern',
      email: 'mia@orchard.example',
      groups: ['Children'],
      permissions: { space_quota_max: 100, weblink: false },
      createHomeFolder: true,
      expirationDate: '2031-01-01T00:00:00Z',
    });
    expect(added).toMatchObject({
      username: 'mia',
      groups: ['Children'],
      permissions: { space_quota_max: 100, weblink: false, upload: true },
      homeFolder: `${household.folder}/homes/mia`,
      expirationDate: '2031-01-01T00:00:00Z',
      usedBytes: 0,
      generatedPassword: null,
    });
    const app = appOf(household);
    const api = household.api.with(
      (await app.signIn({ username: 'mia', password: PASSWORD, scope: 'upload list' })).access,
    );
    await api.put({ path: '/ROOT/HOME/a.bin' }, Buffer.alloc(1234));
    expect(await household.control('accounts.get', { username: 'MIA' })).toMatchObject({
      id: added.id,
      usedBytes: 1234,
    });
    const changed = await household.control('accounts.update', {
      id: added.id,
      newUsername: 'mia.fern',
      permissions: { weblink: true },
      generatePassword: true,
    });
    expect(changed).toMatchObject({ username: 'mia.fern', permissions: { weblink: true, space_quota_max: 100 } });
    expect(
      (await app.password({ username: 'mia.fern', password: String(changed.generatedPassword), scope: 'profile' }))
        .status,
    ).toBe(200);
    expect((await app.password({ username: 'mia.fern', password: PASSWORD, scope: 'profile' })).status).toBe(400);
    const { results } = await household.control('accounts.remove', { ids: [added.id, added.id, 999, 1] });
    expect(results).toEqual([
      { id: added.id, success: true, message: t('api.accounts.deleted') },
      { id: 999, success: false, message: t('api.accounts.notFound') },
      { id: 1, success: false, message: t('api.accounts.deleteOwner') },
    ]);
    expect(household.logged()).not.toContain(String(changed.generatedPassword));
  });

  it('can get an existing folder with files as their home from the owner', async () => {
    const place = await mkdtemp(join(tmpdir(), 'larder-test-photos-'));
    try {
      await writeFile(join(place, 'old.jpg'), 'an old photo');
      expect(await refused('accounts.add', { username: 'photographer', name: 'P', homeFolder: place })).toMatchObject({
        code: 'invalid_input',
        field: 'homefolder',
      });
      await add('photographer', { homeFolder: place, adoptHomeFolder: true });
      const { access } = await appOf(household).signIn({
        username: 'photographer',
        password: PASSWORD,
        scope: 'list download',
      });
      const api = household.api.with(access);
      const { body } = await api.get('files/browse', { path: '/ROOT/HOME' });
      expect(body.data.files.map(({ filename }: { filename: string }) => filename)).toEqual(['old.jpg']);
      expect((await api.get('files/download', { path: '/ROOT/HOME/old.jpg' })).text).toBe('an old photo');
    } finally {
      await rm(place, { recursive: true, force: true });
    }
  });

  it('never get the files of a former account of that name, unless the owner agrees', async () => {
    const { id } = await add('bob', { createHomeFolder: true });
    await writeFile(join(household.folder, 'homes', 'bob', 'private.txt'), 'of the first bob');
    await household.control('accounts.remove', { ids: [id] });
    expect((await refused('accounts.add', { username: 'bob', name: 'Bob', createHomeFolder: true })).code).toBe(
      'invalid_input',
    );
    const homeFolder = join(household.folder, 'homes', 'bob');
    const again = await add('bob', { homeFolder, adoptHomeFolder: true });
    expect(again).toMatchObject({ homeFolder, username: 'bob' });
  });

  it.each([
    [{ username: '../x' }, 'username'],
    [{ email: 'none' }, 'email'],
    [{ permissions: { space_quota_max: -1 } }, 'permissions.space_quota_max'],
    [{ permissions: { flying: true } }, 'permissions.flying'],
    [{ permissions: { upload: 'yes' } }, 'permissions.upload'],
    [{ password: 'short' }, 'password'],
    [{ roleId: 777 }, 'roleId'],
    [{ ownerId: 1 }, 'ownerId'],
    [{ expirationDate: 'soon' }, 'expirationDate'],
  ])('refuses %o and names the field', async (more, field) => {
    const before = (await list()).total;
    expect(await refused('accounts.add', { username: 'odd', name: 'Odd', ...more })).toMatchObject({
      code: 'invalid_input',
      field,
    });
    expect((await list()).total).toBe(before);
  });
});

describe('many accounts', () => {
  it('are imported from and exported to CSV, line by line', async () => {
    const csv = [
      'username;name;last_name;email;groups;space_quota_max;password',
      `ben;Ben;"O'Hara; Jr.";ben@orchard.example;"Children,Cooks";50;${PASSWORD}`,
      'eva;Eva;;;;;',
      'ann;Other;;;;;',
      'ben;Twice;;;;;',
      'b/d;Bad;;;;;',
      ';Nameless;;;;;',
      'quota;Quota;;;;lots;',
    ].join('\r\n');
    const before = (await list()).total;
    const checked = (await household.control('accounts.import', { csv, check: true })) as unknown as {
      lines: { line: number; outcome: string }[];
    };
    expect((await list()).total).toBe(before);
    const imported = (await household.control('accounts.import', { csv })) as unknown as {
      lines: { line: number; username: string; outcome: string; message: string; generatedPassword: string | null }[];
    };
    expect(imported.lines.map(({ line, outcome }) => [line, outcome])).toEqual([
      [2, 'added'],
      [3, 'added'],
      [4, 'refused'],
      [5, 'refused'],
      [6, 'refused'],
      [7, 'refused'],
      [8, 'refused'],
    ]);
    expect(checked.lines.map(({ line, outcome }) => [line, outcome])).toEqual(
      imported.lines.map(({ line, outcome }) => [line, outcome]),
    );
    const [, eva] = imported.lines;
    const app = appOf(household);
    expect((await app.password({ username: 'ben', password: PASSWORD, scope: 'profile' })).status).toBe(200);
    expect(
      (await app.password({ username: 'eva', password: String(eva?.generatedPassword), scope: 'profile' })).status,
    ).toBe(200);
    expect(await household.control('accounts.get', { username: 'ben' })).toMatchObject({
      lastName: "O'Hara; Jr.",
      groups: ['Children', 'Cooks'],
      ownPermissions: { space_quota_max: 50 },
    });
    for (const broken of ['', 'name\nx', 'username\n"open']) {
      const outcome = await refused('accounts.import', { csv: broken });
      expect([broken, outcome.code === 'invalid_input' || broken === '']).toEqual([broken, true]);
    }
  });

  it('are imported with role and home, and with commas in cells between semicolons', async () => {
    await household.control('roles.add', { name: 'Child', permissions: {}, homeTemplate: '' });
    const csv = [
      '"Username";Name;description;Role',
      'ida;Ida;likes tea, coffee, cake;Child',
      'ole;Ole;a\tb, c;',
      'una;Una;;Aunt',
    ].join('\r\n');
    const { lines } = (await household.control('accounts.import', { csv })) as unknown as { lines: object[] };
    expect(lines).toMatchObject([
      { username: 'ida', name: 'Ida', role: 'Child', hasHome: true, outcome: 'added' },
      { username: 'ole', name: 'Ole', role: '', hasHome: true, outcome: 'added' },
      {
        username: 'una',
        name: 'Una',
        role: 'Aunt',
        outcome: 'refused',
        message: t('api.import.role', { role: 'Aunt' }),
      },
    ]);
    expect(await household.control('accounts.get', { username: 'ida' })).toMatchObject({
      description: 'likes tea, coffee, cake',
    });
    const exported = String((await household.control('accounts.export')).csv);
    expect(exported).toMatch(/^ida,Ida,.*,Child,1,/m);
    const again = exported.split('\r\n').filter((line) => /^(?:username|ida),/.test(line));
    await household.control('accounts.import', { csv: again.join('\r\n'), update: true });
    expect(String((await household.control('accounts.export')).csv)).toBe(exported);
  });

  it.each([
    ['a comma', 'username,name,description\nkim1,Kim,"a;b;c"', 'a;b;c'],
    ['a semicolon', 'username;name;description\nkim2;Kim;a,b,c', 'a,b,c'],
    ['a tab', 'username\tname\tdescription\nkim3\tKim\ta,b;c', 'a,b;c'],
    ['a comma, with others in the names of columns', '"username",name,"description"\nkim4,Kim,"x;y,z"', 'x;y,z'],
  ])('of one file are separated by %s only', async (_name, csv, description) => {
    await household.control('accounts.import', { csv });
    const username = /kim\d/.exec(csv)?.[0];
    expect(await household.control('accounts.get', { username })).toMatchObject({ name: 'Kim', description });
  });

  it.each(['username,name,colour', 'username,name,first name', 'username,name,'])(
    'are refused if there is an unknown column: %s',
    async (header) => {
      const before = (await list()).total;
      const csv = `${header}\nlil,Lil,x`;
      expect(await refused('accounts.import', { csv })).toMatchObject({ code: 'invalid_input', field: 'csv' });
      expect((await list()).total).toBe(before);
    },
  );

  it('are listed in parts that agree with the whole list', async () => {
    // The first of p4 is refused, and leaves the name to the other one.
    const people = ['p1,', 'p4,lots', 'p1,', 'p3,', 'p4,'].map(
      (line) => `${line.replace(',', `,${line.slice(0, 2)},`)}`,
    );
    const csv = ['username,name,space_quota_max', ...people].join('\n');
    const part = async (skip: number, most: number) =>
      (await household.control('accounts.import', { csv, skip, most, generatePasswords: false })) as unknown as {
        lines: { line: number; outcome: string }[];
        total: number;
      };
    const parts = [await part(0, 2), await part(2, 2), await part(4, 2), await part(6, 2)];
    expect(parts.map(({ total }) => total)).toEqual([5, 5, 5, 5]);
    expect(parts.map(({ lines }) => lines.map(({ line, outcome }) => `${line} ${outcome}`))).toEqual([
      ['2 added', '3 refused'],
      ['4 refused', '5 added'],
      ['6 added'],
      [],
    ]);
  });

  it('are exported without formulas, and imported again unchanged', async () => {
    const evil = ['=HYPERLINK("http://evil")', '+1+1', '-1', '@SUM(A1)', "'quoted", 'plain "x", y'];
    for (const [index, description] of evil.entries()) await add(`evil${index}`, { description, company: description });
    const { csv } = (await household.control('accounts.export')) as { csv: string };
    expect(csv).not.toMatch(/(?:^|,)"?[=+\-@]/m);
    expect(csv).not.toMatch(/argon2|password/i);
    const lines = csv.split('\r\n').filter((line) => line.startsWith('evil') || line.startsWith('username'));
    await household.control('accounts.updateMany', {
      ids: (await list({ text: 'evil' })).accounts.map(({ id }) => id),
      changes: { description: 'gone', company: 'gone' },
    });
    const { lines: results } = (await household.control('accounts.import', {
      csv: lines.join('\r\n'),
      update: true,
    })) as unknown as { lines: { outcome: string }[] };
    expect(results.map(({ outcome }) => outcome)).toEqual(evil.map(() => 'changed'));
    for (const [index, description] of evil.entries()) {
      expect(await household.control('accounts.get', { username: `evil${index}` })).toMatchObject({
        description,
        company: description,
      });
    }
  });

  it('are changed in one call, each in its own transaction', async () => {
    const ids = (await list({ text: 'evil' })).accounts.map(({ id }) => id);
    const { results } = (await household.control('accounts.updateMany', {
      ids: [...ids, 1, 424242],
      changes: { activated: false },
    })) as unknown as { results: { id: number; success: boolean }[] };
    expect(results.filter(({ success }) => success).map(({ id }) => id)).toEqual(ids);
    expect((await list({ state: 'deactivated' })).accounts.map(({ id }) => id).sort()).toEqual([...ids].sort());
  });

  it('are searched, sorted and paged with ten thousand of them', async () => {
    const other = await openHousehold();
    try {
      await other.whileStopped(async () => {
        const connection = await Connection.open(join(other.folder, '.larder', 'larder.sqlite'));
        await connection.run(
          `WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < 9999)
           INSERT INTO accounts (type, username, username_fold, name, last_name, registered_at)
           SELECT 'user', 'user' || n, 'user' || n, 'Zoë ' || n, 'Größe' || (n % 7), n FROM numbers`,
        );
        await connection.close();
      });
      const page = async (query: object) =>
        (await other.control('accounts.list', query)) as unknown as { accounts: Summary[]; total: number };
      const first = await page({ limit: 5 });
      expect([first.total, first.accounts.map(({ username }) => username)]).toEqual([
        10_001,
        ['ann', 'user0', 'user1', 'user2', 'user3'],
      ]);
      const last = await page({ sort: 'username', order: 'desc', limit: 2 });
      expect(last.accounts.map(({ username }) => username)).toEqual(['user9999', 'user9998']);
      expect((await page({ text: 'zoe 99', limit: 500 })).total).toBe(111);
      expect((await page({ text: 'GROSSE3' })).total).toBe(0);
      expect((await page({ text: 'GRÖßE3' })).total).toBe(1_429);
      expect((await page({ text: '%' })).total).toBe(0);
      expect((await page({ ids: [1, 5, 777_777] })).accounts.map(({ id }) => id).sort()).toEqual([1, 5]);
      expect((await page({ ids: [] })).total).toBe(0);
      expect((await page({ start: 9_999, limit: 10 })).accounts).toHaveLength(2);
    } finally {
      await other.close();
    }
  });
});

describe('authorized apps and sessions', () => {
  it('are listed and revoked', async () => {
    const api = await household.signIn('profile list');
    const visitor = new WebVisitor(household);
    const page = await visitor.get('/account/');
    await visitor.post('/account/sign-in', { form_token: page.field('form_token'), next: '', ...OWNER });
    const { authorizations } = (await household.control('authorizations.list', { accountId: 1 })) as unknown as {
      authorizations: { id: number; client: string; scopes: string[]; grantedFrom: string }[];
    };
    expect(authorizations[0]).toMatchObject({ client: 'Tests', scopes: ['profile', 'list'], grantedFrom: '127.0.0.1' });
    await household.control('authorizations.revoke', { id: authorizations[0]?.id });
    expect((await api.get('account/info')).status).toBe(401);
    expect(await refused('authorizations.revoke', { id: authorizations[0]?.id })).toMatchObject({ code: 'refused' });
    const { sessions } = (await household.control('sessions.list', { accountId: 1 })) as unknown as {
      sessions: { id: number }[];
    };
    expect(sessions).toHaveLength(1);
    const again = await household.signIn();
    await household.control('sessions.end', { accountId: 1 });
    expect((await again.get('account/info')).status).toBe(401);
    expect((await visitor.get('/account/')).text).toContain(t('signIn.keep'));
  });
});
