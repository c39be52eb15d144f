import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { itInFull } from '../../support/forms.ts';
import { setPermissions } from '../../support/households/member.ts';
import type { Reply } from '../../support/requests/api-client.ts';
import { addField } from '../../support/requests/fields.ts';
import { openSharingHousehold, type SharingHousehold } from '../../support/requests/sharing.ts';

let household: SharingHousehold;
let field = 0;
let box = '';
let path = '';
/** Of the second content, which is the current one. */
let current = '';
let earlier = '';

const olga = () => household.as('olga');
const OLD_DATE = 'Mon, 01 Jan 2001 00:00:00 GMT';

beforeAll(async () => {
  household = await openSharingHousehold();
  field = await addField(household);
});
afterAll(() => household.close());
beforeEach(async () => {
  box = await household.newBox();
  path = `/ROOT/HOME/${box}/note.txt`;
  earlier = String((await olga().put({ path }, 'first')).headers.etag);
  current = String((await olga().put({ path }, 'second')).headers.etag);
});

type Send = (headers: Record<string, string>) => Promise<Reply>;
const post =
  (operation: string, form: () => Record<string, string | number>): Send =>
  (headers) =>
    olga().post(operation, form(), headers);

/** Every operation on the file, except upload and delete. */
const CHANGES: Record<string, Send> = {
  'files/rename': post('files/rename', () => ({ path, newName: 'renamed.txt' })),
  'files/move': post('files/move', () => ({ path, moveTo: `/ROOT/HOME/${box}/sub` })),
  'files/copy': post('files/copy', () => ({ path, copyTo: `/ROOT/HOME/${box}/sub` })),
  'files/versions/restore': post('files/versions/restore', () => ({ path, version: 1 })),
  'files/label': post('files/label', () => ({ path, label: 'urgent' })),
  'files/rating': post('files/rating', () => ({ path, rating: 3 })),
  'files/tags/add': post('files/tags/add', () => ({ path, tags: 'beach' })),
  'files/tags/remove': post('files/tags/remove', () => ({ path, tags: 'sea' })),
  'files/metadata/set': post('files/metadata/set', () => ({ path, [`fields[${field}]`]: 'attic' })),
};

async function state() {
  const names = await readdir(household.at(box), { recursive: true });
  const { body } = await olga().get('files/metadata', { path });
  const content = await readFile(household.at(`${box}/note.txt`), 'utf8');
  const versions = (await olga().get('files/versions/list', { path })).body.data.versions.length;
  return { names: names.sort(), metadata: body.data, content, versions };
}

/** The path of a folder of Olga's for one of its recipients. */
async function sharedWith(person: 'ben' | 'gil', name: string): Promise<string> {
  const { body } = await household.as(person).get('files/browse', { path: `/ROOT/${household.ids.olga}` });
  return body.data.files.find(({ filename }: { filename: string }) => filename === name).path;
}

const failure = ({ status, body }: Reply) => [status, body.code, body.details];
const failed = () => [412, 'precondition_failed', { etag: current }];

describe.each(Object.entries(CHANGES))('%s', (_operation, send) => {
  beforeEach(() => olga().post('files/tags/add', { path, tags: 'sea' }));

  it.each([
    ['If-Match with another tag', () => ({ 'if-match': earlier })],
    ['If-Match with a weak tag', () => ({ 'if-match': `W/${current}` })],
    ['If-None-Match with the current tag', () => ({ 'if-none-match': `"x", ${current}` })],
    ['If-None-Match: *', () => ({ 'if-none-match': '*' })],
    ['If-Unmodified-Since before the last change', () => ({ 'if-unmodified-since': OLD_DATE })],
    ['If-Match that is fulfilled beside If-None-Match that is not', () => ({ 'if-match': '*', 'if-none-match': '*' })],
  ] as const)('changes nothing with %s', async (_name, headers) => {
    const before = await state();
    expect(failure(await send(headers()))).toEqual(failed());
    expect(await state()).toEqual(before);
  });

  it.each([
    ['If-Match with the current tag', () => ({ 'if-match': `"x", ${current}` })],
    ['If-Match: * beside an older If-Unmodified-Since', () => ({ 'if-match': '*', 'if-unmodified-since': OLD_DATE })],
    ['If-None-Match with another tag', () => ({ 'if-none-match': earlier })],
    ['If-Modified-Since, which is for reading only', () => ({ 'if-modified-since': new Date().toUTCString() })],
  ] as const)('succeeds with %s', async (_name, headers) => {
    const reply = await send(headers());
    expect(reply.status, reply.text).toBe(200);
  });

  it('refuses a condition that cannot be parsed', async () => {
    expect(failure(await send({ 'if-match': 'bare' }))).toEqual([400, 'invalid_parameter', { parameter: 'If-Match' }]);
  });
});

describe('files/trash/restore', () => {
  it('evaluates the conditions against the item in the trash', async () => {
    const trashPath = (await olga().post('files/delete', { path })).body.data.trash_path;
    const restore = (headers: Record<string, string>) =>
      olga().post('files/trash/restore', { path: trashPath }, headers);
    expect(failure(await restore({ 'if-match': earlier }))).toEqual(failed());
    expect(failure(await restore({ 'if-none-match': '*' }))).toEqual(failed());
    expect(await readdir(household.at(box))).not.toContain('note.txt');
    expect((await restore({ 'if-match': current })).body.data).toEqual({ path });
    expect(await readFile(household.at(`${box}/note.txt`), 'utf8')).toBe('second');
  });
});

describe('between homes', () => {
  it('moves only what the client has seen', async () => {
    const shared = await household.newBox();
    await household.share(`/ROOT/HOME/${shared}`, {
      uid: household.ids.ben,
      upload: 1,
      download: 1,
      alter: 1,
    });
    const ben = household.as('ben');
    const at = await sharedWith('ben', shared);
    const own = '/ROOT/HOME/mine.txt';
    const etag = String((await ben.put({ path: own }, 'mine')).headers.etag);
    const move = (headers: Record<string, string>) => ben.post('files/move', { path: own, moveTo: at }, headers);
    expect(failure(await move({ 'if-match': earlier }))).toEqual([412, 'precondition_failed', { etag }]);
    expect(failure(await move({ 'if-unmodified-since': OLD_DATE }))).toEqual([412, 'precondition_failed', { etag }]);
    expect(await readdir(household.at(shared))).not.toContain('mine.txt');
    expect((await move({ 'if-match': etag })).status).toBe(200);
    expect(await readFile(household.at(`${shared}/mine.txt`), 'utf8')).toBe('mine');
  });
});

describe('at the same time', () => {
  it('exactly one of twenty renames with the same If-Match succeeds', async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        olga().post('files/rename', { path, newName: `renamed ${index}.txt` }, { 'if-match': current }),
      ),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await readdir(household.at(box))).filter((name) => name.startsWith('renamed'))).toHaveLength(1);
  });

  itInFull('either an upload or a move with the same If-Match succeeds', async () => {
    let etag = current;
    for (let round = 0; round < 20; round += 1) {
      const [upload, move] = await Promise.all([
        olga().put({ path }, `round ${round}`, { 'if-match': etag }),
        olga().post('files/move', { path, moveTo: `/ROOT/HOME/${box}/sub`, overwrite: 1 }, { 'if-match': etag }),
      ]);
      expect([upload.status, move.status].filter((status) => status === 200)).toHaveLength(1);
      if (move.status === 200) etag = String((await olga().put({ path }, `again ${round}`)).headers.etag);
      else etag = String(upload.headers.etag);
    }
  });
});

it('an entity tag is returned only to callers who may download the content', async () => {
  await household.share(`/ROOT/HOME/${box}`, { uid: household.ids.gil, upload: 1, alter: 1, download: 0 });
  const gil = household.as('gil');
  const shared = await sharedWith('gil', box);
  const refused = await gil.put({ path: `${shared}/note.txt` }, 'guess', { 'if-none-match': '*' });
  expect(failure(refused)).toEqual([412, 'precondition_failed', { etag: null }]);

  await setPermissions(household, { sam: { download: false } });
  const own = '/ROOT/HOME/own.txt';
  await household.as('sam').put({ path: own }, 'own');
  const reply = await household.as('sam').post('files/delete', { path: own }, { 'if-match': '"x"' });
  expect(failure(reply)).toEqual([412, 'precondition_failed', { etag: null }]);
});

it('the tag of a folder is returned only to credentials that may list it', async () => {
  await (await household.signIn()).post('files/createfolder', { path: '/ROOT/HOME', name: 'kept' });
  const refused = async (scope: string) => {
    const api = await household.signIn(scope);
    return failure(await api.post('files/delete', { path: '/ROOT/HOME/kept' }, { 'if-match': '"x"' }));
  };
  expect(await refused('delete')).toEqual([412, 'precondition_failed', { etag: null }]);
  expect(await refused('list delete')).toEqual([412, 'precondition_failed', { etag: expect.stringMatching(/^"/) }]);
});

it('all operations that support conditions are tested', async () => {
  const { body } = await olga().send('GET', '/api.php/openapi.json');
  const honouring = Object.entries(body.paths as Record<string, Record<string, { parameters?: { name?: string }[] }>>)
    .filter(([, methods]) =>
      Object.values(methods).some(({ parameters }) => parameters?.some(({ name }) => name === 'If-Match')),
    )
    .map(([one]) => one.slice(1));
  const elsewhere = ['files/delete', 'files/trash/restore', 'files/upload'];
  const reading = ['account/avatar', 'admin-users/avatar', 'files/download', 'files/thumbnail'];
  expect([...new Set(honouring)].sort()).toEqual([...Object.keys(CHANGES), ...elsewhere, ...reading].sort());
});
