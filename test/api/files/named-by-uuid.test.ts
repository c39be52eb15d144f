import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildZip } from '../../support/content/build-zip.ts';
import { DRAWING } from '../../support/content/drawing.ts';
import { itInFull } from '../../support/forms.ts';
import { setPermissions } from '../../support/households/member.ts';
import type { ApiClient, Reply } from '../../support/requests/api-client.ts';
import { addField } from '../../support/requests/fields.ts';
import { openSharingHousehold, outcome, type SharingHousehold } from '../../support/requests/sharing.ts';
import { describedCalls } from '../../trust/values/description.ts';

let household: SharingHousehold;
let olga: ApiClient;
let field = 0;
let box = '';
let folder = '';

beforeAll(async () => {
  household = await openSharingHousehold();
  olga = household.as('olga');
  field = await addField(household);
});
afterAll(() => household.close());
beforeEach(async () => {
  box = await household.newBox();
  folder = `/ROOT/HOME/${box}`;
  await writeFile(household.at(`${box}/a.zip`), buildZip([{ name: 'in.txt', content: 'in' }]));
  await writeFile(household.at(`${box}/a.svg`), DRAWING);
});

type Form = Record<string, string | number | readonly string[]>;
interface NamedCall {
  readonly form?: () => Form;
  /** The item in the box; by default `a.txt`. */
  readonly item?: string;
  /** What has to be done with the item before. */
  readonly before?: (path: string) => Promise<unknown>;
  readonly isPut?: boolean;
}

const post =
  (operation: string, form: Form = {}) =>
  (path: string) =>
    olga.post(operation, { path, ...form });
const twice = (path: string) => olga.put({ path }, 'another content');

/** Every operation that takes the path of an item. */
const CALLS: Readonly<Record<string, NamedCall>> = {
  'albums/folder': { item: 'sub' },
  'files/browse': { item: 'sub' },
  'files/info': {},
  'files/known': {
    item: 'sub',
    form: () => ({ items: JSON.stringify([{ name: 'b.txt', size: 1, sha256: '0'.repeat(64) }]) }),
  },
  'files/receipt': {
    item: 'sub',
    form: () => ({ items: JSON.stringify([{ name: 'b.txt', size: 1, sha256: '0'.repeat(64) }]) }),
  },
  'files/search': { item: 'sub', form: () => ({ filename: 'b' }) },
  'files/createfolder': { item: 'sub', form: () => ({ name: 'new' }) },
  'files/upload': { isPut: true },
  'files/download': {},
  'files/thumbnail': { item: 'a.svg' },
  'files/rename': { form: () => ({ newName: 'new.txt' }) },
  'files/move': { form: () => ({ moveTo: `${folder}/sub` }) },
  'files/copy': { form: () => ({ copyTo: `${folder}/sub` }) },
  'files/delete': {},
  'files/extract': { item: 'a.zip', form: () => ({ extractTo: folder }) },
  'files/versions/list': {},
  'files/versions/restore': { before: twice, form: () => ({ version: 1 }) },
  'files/versions/delete': { before: twice, form: () => ({ version: 1 }) },
  'files/lock': {},
  'files/unlock': { before: post('files/lock') },
  'files/star': {},
  'files/unstar': { before: post('files/star') },
  'files/comments/list': {},
  'files/comments/add': { form: () => ({ comment: 'Good' }) },
  'files/comments/delete': {
    before: async (path) => {
      commentId = (await olga.post('files/comments/add', { path, comment: 'Good' })).body.data.id;
    },
    form: () => ({ id: commentId }),
  },
  'files/metadata': {},
  'files/metadata/set': { form: () => ({ [`fields[${field}]`]: 'Box 3' }) },
  'files/label': { form: () => ({ label: 'urgent' }) },
  'files/rating': { form: () => ({ rating: 3 }) },
  'files/tags/add': { form: () => ({ 'tags[]': ['plums'] }) },
  'files/tags/remove': { form: () => ({ 'tags[]': ['plums'] }) },
  'files/share': { form: () => ({ uid: household.ids.ben }) },
  'files/unshare': {
    before: (path) => household.share(path, { uid: household.ids.ben }),
    form: () => ({ uid: household.ids.ben }),
  },
  'files/weblink': {},
  'files/weblink/edit': { before: post('files/weblink'), form: () => ({ password: 'a new password' }) },
  'files/unweblink': { before: post('files/weblink') },
};
/** Their items are in the trash, and have paths there. */
const IN_TRASH = ['files/trash/restore', 'files/trash/delete'];
let commentId = 0;

const call = (api: ApiClient, operation: string, named: Form): Promise<Reply> => {
  const { form = () => ({}), isPut = false } = CALLS[operation] ?? {};
  return isPut ? api.put({ ...named, ...form() }, 'a new content') : api.post(operation, { ...named, ...form() });
};
const uuidOf = async (path: string): Promise<string> =>
  (await olga.get('files/info', { path, details: ['uuid'] })).body.data.uuid;
const refusal = (reply: Reply) => [...outcome(reply), reply.body.details?.parameter];

it('a uuid is accepted by every operation with the path of an item', async () => {
  const described = await describedCalls(household.api);
  const operations = described.filter(({ parameters }) => parameters.some(({ name }) => name === 'path'));
  const names = [...new Set(operations.map(({ path }) => path.slice(1)))];
  expect(names.sort()).toEqual([...Object.keys(CALLS), ...IN_TRASH].sort());
  const without = operations.filter(({ parameters }) => !parameters.some(({ name }) => name === 'uuid'));
  expect(without.map(({ path }) => path)).toEqual([]);
});

describe.each(Object.keys(CALLS))('%s', (operation) => {
  const { item = 'a.txt', before: prepare = async () => {} } = CALLS[operation] ?? {};

  it('requires path or uuid, and a valid uuid', async () => {
    expect(refusal(await call(olga, operation, {}))).toEqual([400, 'missing_parameter', 'path']);
    expect(refusal(await call(olga, operation, { uuid: 'x' }))).toEqual([400, 'invalid_parameter', 'uuid']);
  });

  it('works with the uuid of the item, and with uuid and path if they agree', async () => {
    const path = `${folder}/${item}`;
    const uuid = await uuidOf(path);
    await prepare(path);
    const other = await uuidOf(`${folder}/sub/b.txt`);
    expect(refusal(await call(olga, operation, { path, uuid: other }))).toEqual([400, 'invalid_parameter', 'uuid']);
    const { status, text } = await call(olga, operation, { uuid });
    expect(status, text).toBeLessThan(300);
    if (operation === 'files/upload') expect((await olga.get('files/download', { path })).text).toBe('a new content');
    // What it did may not be possible twice.
    box = await household.newBox();
    folder = `/ROOT/HOME/${box}`;
    await writeFile(household.at(`${box}/a.zip`), buildZip([{ name: 'in.txt', content: 'in' }]));
    await writeFile(household.at(`${box}/a.svg`), DRAWING);
    await prepare(`${folder}/${item}`);
    const both = await call(olga, operation, { path: `${folder}/${item}`, uuid: await uuidOf(`${folder}/${item}`) });
    expect(both.status, both.text).toBeLessThan(300);
  });

  it('answers for an item the caller may not see as for a path that does not exist', async () => {
    const path = `${folder}/${item}`;
    const uuid = await uuidOf(path);
    await prepare(path);
    const sam = household.as('sam');
    const answer = async (reply: Promise<Reply>) => {
      const { status, text } = await reply;
      return [status, text];
    };
    // A new name can be uploaded to, but not in a missing folder, whose name is in the answer.
    const never = operation === 'files/upload' ? '/ROOT/999999/1' : '/ROOT/HOME/never';
    const due = await answer(call(sam, operation, { path: never }));
    expect(due[0]).toBe(404);
    expect(await answer(call(sam, operation, { uuid: randomUUID() }))).toEqual(due);
    expect(await answer(call(sam, operation, { uuid }))).toEqual(due);
    expect(await answer(call(sam, operation, { uuid, path: '/ROOT/HOME' }))).toEqual(due);
    await olga.post('files/delete', { path });
    expect(await answer(call(olga, operation, { uuid }))).toEqual(due);
  });
});

describe.each(IN_TRASH)('%s', (operation) => {
  const deleted = async (name: string) => {
    const path = `${folder}/${name}`;
    const uuid = await uuidOf(path);
    return { uuid, path: (await olga.post('files/delete', { path })).body.data.trash_path as string };
  };

  it('requires path or uuid, and a valid uuid', async () => {
    expect(refusal(await olga.post(operation, {}))).toEqual([400, 'missing_parameter', 'path']);
    expect(refusal(await olga.post(operation, { uuid: 'x' }))).toEqual([400, 'invalid_parameter', 'uuid']);
  });

  it('works with the uuid of the item, and with uuid and path if they agree', async () => {
    const [one, other] = [await deleted('a.txt'), await deleted('sub')];
    expect(refusal(await olga.post(operation, { path: other.path, uuid: one.uuid }))).toEqual([
      400,
      'invalid_parameter',
      'uuid',
    ]);
    expect((await olga.post(operation, { uuid: one.uuid })).status).toBe(200);
    expect((await olga.post(operation, other)).status).toBe(200);
    const isRestored = operation === 'files/trash/restore';
    const names = await readdir(household.at(box));
    expect([names.includes('a.txt'), names.includes('sub')]).toEqual([isRestored, isRestored]);
    const { body } = await olga.get('files/browse', { path: '/TRASH', 'details[]': ['uuid'] });
    expect(body.data.files.filter(({ uuid }: { uuid: string }) => [one.uuid, other.uuid].includes(uuid))).toEqual([]);
  });

  it('does not find what is not in the trash of the caller, or only as part of a folder', async () => {
    const [{ uuid }, present, inside] = [
      await deleted('a.txt'),
      await uuidOf(`${folder}/a.zip`),
      await uuidOf(`${folder}/sub/b.txt`),
    ];
    await deleted('sub');
    const sam = household.as('sam');
    for (const reply of [
      sam.post(operation, { uuid }),
      olga.post(operation, { uuid: present }),
      olga.post(operation, { uuid: inside }),
      olga.post(operation, { uuid: randomUUID() }),
    ]) {
      expect(outcome(await reply)).toEqual([404, 'not_found']);
    }
    expect((await olga.post(operation, { uuid })).status).toBe(200);
  });
});

describe('an item that is identified by its uuid', () => {
  it('is refused for a missing permission before it is searched for', async () => {
    const uuid = await uuidOf(`${folder}/a.txt`);
    await setPermissions(household, { sam: { readonly: true, download: false } });
    const sam = household.as('sam');
    for (const operation of ['files/rename', 'files/delete', 'files/download', 'files/label', 'files/upload']) {
      const replies = [uuid, randomUUID()].map((one) => call(sam, operation, { uuid: one }));
      for (const reply of await Promise.all(replies))
        expect(outcome(reply), operation).toEqual([403, 'permission_denied']);
    }
    await setPermissions(household, { sam: {} });
  });

  it('is found after another program has renamed it', async () => {
    const uuid = await uuidOf(`${folder}/a.txt`);
    await rename(household.at(`${box}/a.txt`), household.at(`${box}/by hand.txt`));
    const { body } = await olga.post('files/rename', { uuid, newName: 'renamed.txt' });
    expect(body.data).toEqual({ path: `${folder}/renamed.txt` });
  });

  it('is found after another program has renamed its folder', async () => {
    const uuid = await uuidOf(`${folder}/sub/b.txt`);
    await rename(household.at(`${box}/sub`), household.at(`${box}/by hand`));
    expect((await olga.put({ uuid }, 'new')).body.data.path).toBe(`${folder}/by hand/b.txt`);
  });

  it('is not found if another item has taken its place, which stays unchanged', async () => {
    const uuid = await uuidOf(`${folder}/a.txt`);
    await rm(household.at(`${box}/a.txt`));
    await mkdir(household.at(`${box}/a.txt`));
    expect(outcome(await olga.post('files/delete', { uuid }))).toEqual([404, 'not_found']);
    expect(outcome(await olga.put({ uuid }, 'new'))).toEqual([404, 'not_found']);
    expect((await olga.get('files/info', { path: `${folder}/a.txt` })).body.data.is_dir).toBe(true);
  });

  itInFull('is the only one that is changed while others are moved to its path', async () => {
    for (let round = 0; round < 20; round += 1) {
      const [one, two] = [`${folder}/one ${round}.txt`, `${folder}/two ${round}.txt`];
      await olga.put({ path: one }, 'one');
      await olga.put({ path: two }, 'two');
      const [uuid, other] = [await uuidOf(one), await uuidOf(two)];
      const swap = async () => {
        await olga.post('files/rename', { path: one, newName: `away ${round}.txt` });
        await olga.post('files/rename', { path: two, newName: `one ${round}.txt` });
      };
      const changes = [
        olga.post('files/label', { uuid, label: 'urgent' }),
        olga.put({ uuid }, 'changed'),
        olga.post('files/delete', { uuid }),
      ];
      const replies = await Promise.all([swap(), ...changes]);
      for (const reply of replies.slice(1) as Reply[]) expect([200, 404]).toContain(reply.status);
      const info = await olga.get('files/info', { uuid: other, details: ['label', 'version'] });
      expect(info.body.data).toMatchObject({ version: 1 });
      expect(info.body.data).not.toHaveProperty('label');
      expect((await olga.get('files/download', { uuid: other })).text).toBe('two');
    }
  });

  it('has the rights of the share through which it is reached', async () => {
    const uuid = await uuidOf(`${folder}/a.txt`);
    const ben = household.as('ben');
    const id = await household.share(folder, { uid: household.ids.ben, download: 1 });
    expect((await ben.get('files/info', { uuid })).body.data.path).toBe(`/ROOT/${household.ids.olga}/${id}/a.txt`);
    expect(outcome(await ben.post('files/rename', { uuid, newName: 'x' }))).toEqual([403, 'permission_denied']);
    await household.share(folder, { uid: household.ids.ben, upload: 1, alter: 1 });
    expect((await ben.put({ uuid }, 'by Ben')).body.data).toMatchObject({ created: false, version: 2 });
    expect((await ben.post('files/delete', { uuid })).status).toBe(200);
  });

  it('can be uploaded in chunks, and is replaced when the last one arrives', async () => {
    const uuid = await uuidOf(`${folder}/a.txt`);
    const uploadId = randomUUID();
    const chunk = (startByte: number, content: string) =>
      olga.put({ uuid, totalSize: 6, startByte, uploadId }, content);
    expect((await chunk(0, 'abc')).body.data).toMatchObject({ offset: 3 });
    const asked = await olga.put({ uuid, totalSize: 6, uploadId, getOffset: 1 }, '');
    expect(asked.body.data).toMatchObject({ offset: 3 });
    expect((await chunk(3, 'def')).body.data).toMatchObject({ uuid, version: 2, created: false });
    expect((await olga.get('files/download', { uuid })).text).toBe('abcdef');
  });

  it('may have a path in another Unicode form', async () => {
    const name = 'caf\u00e9.txt';
    await writeFile(household.at(`${box}/${name.normalize('NFD')}`), 'decomposed');
    const uuid = await uuidOf(`${folder}/${name}`);
    const reply = await olga.get('files/download', { uuid, path: `${folder}/${name}` });
    expect(reply.text).toBe('decomposed');
    await writeFile(household.at(`${box}/${name}`), 'composed');
    await olga.get('files/browse', { path: folder });
    const both = await olga.get('files/download', { uuid, path: `${folder}/${name}` });
    expect(refusal(both)).toEqual([400, 'invalid_parameter', 'uuid']);
  });

  it('is deleted together with its companion file of macOS', async () => {
    await writeFile(household.at(`${box}/._a.txt`), 'attributes');
    expect((await olga.post('files/delete', { uuid: await uuidOf(`${folder}/a.txt`) })).status).toBe(200);
    const { body } = await olga.get('files/browse', { path: folder });
    expect(body.data.files.map(({ filename }: { filename: string }) => filename)).not.toContain('._a.txt');
  });
});
