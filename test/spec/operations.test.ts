import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildZip } from '../support/content/build-zip.ts';
import { DRAWING } from '../support/content/drawing.ts';
import { ALL_SCOPES, type Household, openHousehold } from '../support/households/household.ts';
import { addMember } from '../support/households/member.ts';
import { type ApiClient, encodeQuery, type Reply } from '../support/requests/api-client.ts';

type Form = Record<string, string | number | readonly string[]>;

interface Row {
  readonly what: string;
  readonly methods: readonly string[];
  /** As the document writes it, with or without a slash at its end. */
  readonly path: string;
  readonly scopes: string;
  /** Makes what the operation is tried on. */
  readonly form: () => Form | Promise<Form>;
  /** The type of what comes, where it is no JSON. */
  readonly comes?: RegExp;
  readonly status?: number;
}

const HOME = '/ROOT/HOME';
const BOTH = ['GET', 'POST'];
let household: Household;
let owner: ApiClient;
let member: number;
let count = 0;

const name = () => {
  count += 1;
  return `made ${count}.txt`;
};
async function file(content: string | Buffer = 'content'): Promise<string> {
  const path = `${HOME}/${name()}`;
  await owner.put({ path }, content);
  return path;
}
const onFile =
  (more: () => Form = () => ({})) =>
  async () => ({ path: await file(), ...more() });
/** On a file on which this was done before. */
const after = (operation: string, more: () => Form) => async () => {
  const path = await file();
  await owner.post(operation, { path, ...more() } as Record<string, string>);
  return { path, ...more() };
};
const newAccount = () => ({ 'data[username]': `somebody${count++}`, 'data[name]': 'Somebody' });
const accountId = async () => {
  const { body } = await owner.post('admin-users/add', newAccount());
  return body.data.uid as string;
};

/** The table of §4.1, typed by hand. */
const ROWS: readonly Row[] = [
  { what: 'Account info', methods: BOTH, path: '/account/info', scopes: 'profile', form: () => ({}) },
  {
    ...{ what: 'Browse', methods: BOTH, path: '/files/browse/', scopes: 'list' },
    form: () => ({ path: HOME, itemType: 'any' }),
  },
  { what: 'Metadata', methods: BOTH, path: '/files/metadata/', scopes: 'metadata', form: onFile() },
  {
    ...{ what: 'Search', methods: ['POST'], path: '/files/search/', scopes: 'list' },
    form: () => ({ path: HOME, filename: 'made' }),
  },
  {
    ...{ what: 'Create folder', methods: BOTH, path: '/files/createfolder/', scopes: 'upload' },
    form: () => ({ path: HOME, name: name() }),
  },
  {
    ...{ what: 'Upload', methods: ['PUT', 'POST'], path: '/files/upload/', scopes: 'upload', status: 201 },
    form: () => ({ path: `${HOME}/${name()}` }),
  },
  {
    ...{ what: 'Download', methods: BOTH, path: '/files/download/', scopes: 'download', comes: /^text\/plain/ },
    form: onFile(),
  },
  {
    ...{ what: 'Thumbnail', methods: BOTH, path: '/files/thumbnail/', scopes: 'download', comes: /^image\/jpeg$/ },
    form: () => ({ path: `${HOME}/drawing.svg` }),
  },
  {
    ...{ what: 'Rename', methods: BOTH, path: '/files/rename/', scopes: 'modify' },
    form: onFile(() => ({ newName: name() })),
  },
  {
    ...{ what: 'Move', methods: ['POST'], path: '/files/move/', scopes: 'download upload' },
    form: onFile(() => ({ moveTo: `${HOME}/to` })),
  },
  {
    ...{ what: 'Extract', methods: ['POST'], path: '/files/extract/', scopes: 'modify' },
    form: () => ({ path: `${HOME}/packed.zip`, extractTo: `${HOME}/to` }),
  },
  { what: 'Delete', methods: BOTH, path: '/files/delete/', scopes: 'delete', form: onFile() },
  { what: 'Star', methods: BOTH, path: '/files/star/', scopes: 'modify', form: onFile() },
  { what: 'Unstar', methods: BOTH, path: '/files/unstar/', scopes: 'modify', form: after('files/star', () => ({})) },
  { what: 'Create web link', methods: BOTH, path: '/files/weblink/', scopes: 'weblink', form: onFile() },
  {
    ...{ what: 'Remove web link', methods: BOTH, path: '/files/unweblink/', scopes: 'weblink' },
    form: after('files/weblink', () => ({})),
  },
  {
    ...{ what: 'Share', methods: BOTH, path: '/files/share/', scopes: 'share' },
    form: onFile(() => ({ uid: member })),
  },
  {
    ...{ what: 'Unshare', methods: BOTH, path: '/files/unshare/', scopes: 'share' },
    form: after('files/share', () => ({ uid: member })),
  },
  {
    ...{ what: 'Admin: user info', methods: ['POST'], path: '/admin-users/info', scopes: 'admin' },
    form: async () => ({ UID: await accountId() }),
  },
  {
    ...{ what: 'Admin: add user', methods: ['POST'], path: '/admin-users/add', scopes: 'admin' },
    form: newAccount,
  },
  {
    ...{ what: 'Admin: edit user', methods: ['POST'], path: '/admin-users/edit', scopes: 'admin' },
    form: async () => ({ UID: await accountId(), 'data[name]': 'Else' }),
  },
  {
    ...{ what: 'Admin: delete users', methods: ['POST'], path: '/admin-users/delete', scopes: 'admin' },
    form: async () => ({ 'UIDS[]': [await accountId(), await accountId()] }),
  },
];

beforeAll(async () => {
  household = await openHousehold();
  owner = await household.signIn();
  await addMember(household);
  member = (await owner.post('admin-users/info', { uname: 'mia' })).body.data.id;
  await owner.post('files/createfolder', { path: HOME, name: 'to' });
  await writeFile(join(household.home, 'drawing.svg'), DRAWING);
  await writeFile(join(household.home, 'packed.zip'), buildZip([{ name: 'a.txt', content: 'a' }]));
});
afterAll(() => household.close());

/** One request; the parameters stand in the query, or in the body. */
function call(api: ApiClient, row: Row, method: string, form: Form, where: 'query' | 'form'): Promise<Reply> {
  const encoded = encodeQuery(form);
  const path = `/api.php${row.path}`;
  if (row.what === 'Upload' && method === 'POST') return sendForm(api, path, form, where);
  if (where === 'query') {
    return api.send(method, `${path}?${encoded}`, method === 'PUT' ? { body: 'content' } : {});
  }
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return api.send(method, path, { headers, body: encoded });
}

async function sendForm(api: ApiClient, path: string, form: Form, where: 'query' | 'form'): Promise<Reply> {
  const parts = new FormData();
  if (where === 'form') for (const [key, value] of Object.entries(form)) parts.append(key, String(value));
  parts.append('file', new Blob(['content']), 'another name.txt');
  const packed = new Response(parts);
  const headers = { 'content-type': packed.headers.get('content-type') ?? '' };
  const body = Buffer.from(await packed.arrayBuffer());
  return api.send('POST', where === 'query' ? `${path}?${encodeQuery(form)}` : path, { headers, body });
}

/** Every way of asking that the document has for an operation. */
const ways = ({ methods }: Row) =>
  methods.flatMap((method): (readonly [string, 'query' | 'form'])[] =>
    method === 'POST'
      ? ([
          ['POST', 'query'],
          ['POST', 'form'],
        ] as const)
      : ([[method, 'query']] as const),
  );

describe('an operation of §4.1', () => {
  it.each(ROWS)('$what works with its scope alone, by its methods, in query and form', async (row) => {
    const api = await household.signIn(row.scopes);
    for (const [method, where] of ways(row)) {
      const reply = await call(api, row, method, await row.form(), where);
      const what = `${method} by ${where}: ${reply.text.slice(0, 300)}`;
      expect(reply.status, what).toBe(method === 'POST' ? 200 : (row.status ?? 200));
      if (row.comes === undefined) {
        expect(reply.headers['content-type'], what).toMatch(/^application\/json/);
        expect(reply.body, what).toMatchObject({ success: true, error: false, data: expect.any(Object) });
        expect(reply.body, what).not.toHaveProperty('code');
      } else {
        expect(reply.headers['content-type'], what).toMatch(row.comes);
        expect(reply.bytes.length, what).toBeGreaterThan(0);
      }
    }
  });

  it.each(ROWS)('$what is refused without its scope, with a text and a code', async (row) => {
    for (const scope of row.scopes.split(' ')) {
      const others = ALL_SCOPES.split(' ').filter((one) => one !== scope);
      const api = await household.signIn(others.join(' '));
      for (const [method, where] of ways(row)) {
        const { status, body } = await call(api, row, method, await row.form(), where);
        expect([status, body.success, body.code], `${method} without ${scope}`).toEqual([
          ...[403, false, 'insufficient_scope'],
        ]);
        expect(body.error).toContain(`"${scope}"`);
        expect(body).not.toHaveProperty('data');
      }
    }
  });

  it.each(ROWS)('$what is refused without a token, and by other methods', async (row) => {
    const form = await row.form();
    for (const [method, where] of ways(row)) {
      const { status, body } = await call(household.api, row, method, form, where);
      expect([status, body.success, body.code], method).toEqual([401, false, 'invalid_token']);
    }
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'].filter((one) => !row.methods.includes(one))) {
      const { status, body } = await owner.send(method, `/api.php${row.path}?${encodeQuery(form)}`);
      expect([status, body.success, body.code], method).toEqual([405, false, 'method_not_allowed']);
    }
  });

  it('is there for every row, and the rows are those that the server describes, but for what it has more', async () => {
    const { body } = await household.api.send('GET', '/api.php/openapi.json');
    const declared = body.paths as Record<string, Record<string, { security: { oauth2: string[] }[] }>>;
    expect(ROWS).toHaveLength(22);
    for (const { path, methods, scopes } of ROWS) {
      const item = declared[path.replace(/\/$/, '')] ?? {};
      expect(
        Object.keys(item)
          .filter((method) => method !== 'head')
          .sort(),
        path,
      ).toEqual(methods.map((method) => method.toLowerCase()).sort());
      for (const { security } of Object.values(item)) expect(security[0]?.oauth2.join(' '), path).toBe(scopes);
    }
  });
});
