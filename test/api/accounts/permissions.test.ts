import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildZip, DEFLATED } from '../../support/content/build-zip.ts';
import { DRAWING } from '../../support/content/drawing.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { addMembersWithHomes, homeOf, setPermissions, signInAs } from '../../support/households/member.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';
import { addField } from '../../support/requests/fields.ts';
import { MEGABYTE, MEMBERS, type Member, path, type Trashed } from './permission-members.ts';
import { ROWS } from './permission-rows.ts';

let household: Household;
const apis = new Map<string, ApiClient>();
const trashed = new Map<string, Trashed>();

const client = (member: string) => {
  const api = apis.get(member);
  if (api === undefined) throw new Error(`${member} is not signed in`);
  return api;
};

beforeAll(async () => {
  household = await openHousehold();
  const field = await addField(household);
  await addMembersWithHomes(household, Object.fromEntries(Object.keys(MEMBERS).map((name) => [name, {}])));
  for (const member of Object.keys(MEMBERS)) {
    const home = homeOf(household, member);
    for (const folder of ['folder', 'other', 'refolder', 'moved']) await mkdir(join(home, folder));
    for (const name of ['a', 'over', 'rename', 'retype', 'move', 'delete', 'erase', 'folder/in', 'moved/in'])
      await writeFile(join(home, `${name}.txt`), name);
    await writeFile(join(home, 'drawing.svg'), DRAWING);
    await writeFile(join(home, 'large.txt'), Buffer.alloc(MEGABYTE + 1));
    const content = Buffer.alloc(MEGABYTE + 1);
    await writeFile(join(home, 'packed.zip'), buildZip([{ name: 'text.txt', content, method: DEFLATED }]));
    const api = await signInAs(household, member);
    for (const name of ['old', 'back', 'forget'])
      for (const content of ['first', 'second']) await api.put({ path: path(`${name}.txt`) }, content);
    const trash = async (name: string) => {
      await api.put({ path: path(name) }, name);
      return (await api.post('files/delete', { path: path(name) })).body.data.trash_path as string;
    };
    const said = await api.post('files/comments/add', { path: path('a.txt'), comment: 'One' });
    const comment = said.body.data.id as number;
    trashed.set(member, { restore: await trash('restore.txt'), remove: await trash('remove.txt'), comment, field });
    for (const name of ['other', 'moved']) await api.post('files/weblink', { path: path(name) });
    await api.get('files/browse', { path: '/ROOT/HOME' });
  }
  await setPermissions(household, MEMBERS);
  for (const member of Object.keys(MEMBERS)) apis.set(member, await signInAs(household, member));
});
afterAll(() => household.close());

it('the table contains exactly the declared operations on files', async () => {
  const { body } = await household.api.send('GET', '/api.php/openapi.json');
  const declared = Object.keys(body.paths).filter((name) => /^\/(?:files|albums|imports)\//.test(name));
  expect([...new Set(ROWS.map(({ of }) => `/${of}`))].sort()).toEqual(declared.sort());
});

const CASES = ROWS.flatMap((row) =>
  (Object.keys(MEMBERS) as Member[]).map((member) => [row.of, row.what, member, row.refused[member], row] as const),
);

describe('the permissions of a member', () => {
  it.each(CASES)('%s, %s: %s gets %s', async (_of, _what, member, refusal, row) => {
    const { status, body, text } = await row.call(client(member), trashed.get(member) as Trashed);
    if (refusal === undefined) return expect(status, text.slice(0, 500)).toBeLessThan(300);
    const [expected, name] = refusal.split(' ');
    expect(`${status}`, text).toBe(expected);
    if (status !== 403) return expect(body.code).toBe(name);
    expect([body.code, body.details]).toEqual(['permission_denied', { permission: name }]);
    expect(body.error).toContain(`"${name}"`);
  });

  it.each([
    ['free', { upload: true, download: true, alter: true }],
    ['readonly', { upload: false, download: true, alter: false }],
    ['noupload', { upload: false, download: true, alter: true }],
    ['nodownload', { upload: true, download: false, alter: true }],
  ])('a listing shows %s: %j', async (member, perms) => {
    const of = async (query: Record<string, string>) =>
      (await client(member).get('files/browse', query)).body.data.meta.perms;
    expect(await of({ path: '/ROOT/HOME' })).toEqual(perms);
    expect(await of({ path: path('folder'), recursive: '1' })).toEqual(perms);
    expect(await of({ path: '/TRASH' })).toEqual({ upload: false, download: false, alter: perms.alter });
  });

  it.each([
    ['readonly', 'files/delete', 'readonly'],
    ['noupload', 'files/copy', 'upload'],
    ['nodownload', 'files/download', 'download'],
    ['nohistory', 'files/versions/list', 'file_history'],
  ])('%s cannot find out from %s whether an item exists', async (member, operation, permission) => {
    for (const name of ['a.txt', 'nothing.txt', 'folder']) {
      const reply = await client(member).post(operation, { path: path(name), copyTo: path('nowhere') });
      expect([reply.status, reply.body.details]).toEqual([403, { permission }]);
    }
  });

  it('HEAD returns the same', async () => {
    const head = (member: string, query: string) =>
      client(member)
        .send('HEAD', `/api.php/files/download?${query}`)
        .then(({ status }) => status);
    expect(await head('nodownload', `path=${path('a.txt')}`)).toBe(403);
    expect(await head('nofolders', `path=${path('folder')}`)).toBe(403);
    expect(await head('nofolders', `path=${path('a.txt')}`)).toBe(200);
  });

  it('does not restrict the owner', async () => {
    const owner = await household.signIn();
    expect((await owner.put({ path: path('README') }, Buffer.alloc(2 * MEGABYTE))).status).toBe(201);
    expect((await owner.get('files/download', { path: '/ROOT/HOME' })).status).toBe(200);
  });
});
