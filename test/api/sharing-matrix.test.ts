import { readdir, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SHARE_FLAGS, type ShareFlag } from '../../dist/server/shares/share-record.js';
import type { ApiClient, Reply } from '../support/api-client.ts';
import { buildZip } from '../support/build-zip.ts';
import { DRAWING } from '../support/drawing.ts';
import { homeOf } from '../support/member.ts';
import { openSharingHousehold, outcome, type SharingHousehold, signInAsGuest } from '../support/sharing.ts';

const HOME = '/ROOT/HOME';

interface Row {
  readonly of: string;
  readonly what: string;
  /** What the share must let do; `owner`: nobody does it through a share. */
  readonly needs: readonly ShareFlag[] | 'owner';
  /** What is there before, done by the owner. */
  readonly before?: (owner: ApiClient, at: (name: string) => string) => Promise<unknown>;
  readonly call: (api: ApiClient, at: (name: string) => string) => Promise<Reply>;
  /** Whether it takes a home of one's own, which a guest has not. */
  readonly takesHome?: boolean;
  /** What the account of a guest never may. */
  readonly notForGuests?: boolean;
}

const post =
  (operation: string, name: string, form: Record<string, string | number> = {}) =>
  (api: ApiClient, at: (name: string) => string) =>
    api.post(operation, { path: at(name), ...form });
const twice = async (owner: ApiClient, at: (name: string) => string) => {
  for (const content of ['one', 'two']) await owner.put({ path: at('old.txt') }, content);
};

/** Typed by hand. */
const ROWS: readonly Row[] = [
  { of: 'files/browse', what: 'the folder', needs: [], call: post('files/browse', '') },
  { of: 'files/browse', what: 'everything', needs: [], call: post('files/browse', '', { recursive: 1 }) },
  { of: 'files/search', what: 'by name', needs: [], call: post('files/search', '', { filename: 'a' }) },
  { of: 'files/search', what: 'by words', needs: ['download'], call: post('files/search', '', { contents: 'a' }) },
  { of: 'files/star', what: 'a file', needs: [], call: post('files/star', 'a.txt') },
  {
    of: 'files/unstar',
    what: 'a file',
    needs: [],
    call: async (api, at) => {
      await api.post('files/star', { path: at('a.txt') });
      return api.post('files/unstar', { path: at('a.txt') });
    },
  },
  {
    of: 'files/createfolder',
    what: 'a folder',
    needs: ['upload'],
    call: post('files/createfolder', '', { name: 'n' }),
  },
  { of: 'files/upload', what: 'a new file', needs: ['upload'], call: (api, at) => api.put({ path: at('n.txt') }, 'n') },
  {
    of: 'files/upload',
    what: 'a new file in a new folder',
    needs: ['upload'],
    call: (api, at) => api.put({ filePath: at('n/n.txt') }, 'n'),
  },
  {
    of: 'files/upload',
    what: 'a piece',
    needs: ['upload'],
    call: (api, at) => api.put({ path: at('p.txt'), totalSize: 2, startByte: 0 }, 'p'),
  },
  {
    of: 'files/upload',
    what: 'over a file',
    needs: ['upload', 'alter'],
    call: (api, at) => api.put({ path: at('a.txt') }, 'n'),
  },
  {
    of: 'files/upload',
    what: 'over a file, in pieces',
    needs: ['upload', 'alter'],
    call: (api, at) => api.put({ path: at('a.txt'), totalSize: 2, startByte: 0 }, 'nn'),
  },
  { of: 'files/download', what: 'a file', needs: ['download'], call: post('files/download', 'a.txt') },
  { of: 'files/download', what: 'a folder', needs: ['download'], call: post('files/download', 'sub') },
  { of: 'files/thumbnail', what: 'of a drawing', needs: ['download'], call: post('files/thumbnail', 'drawing.svg') },
  {
    of: 'files/download',
    what: 'an old content',
    needs: ['download'],
    before: twice,
    call: post('files/download', 'old.txt', { version: 1 }),
  },
  { of: 'files/rename', what: 'a file', needs: ['alter'], call: post('files/rename', 'a.txt', { newName: 'n.txt' }) },
  {
    of: 'files/rename',
    what: 'over another',
    needs: ['alter'],
    call: post('files/rename', 'a.txt', { newName: 'packed.zip', overwrite: 1 }),
  },
  {
    of: 'files/move',
    what: 'within the share',
    needs: ['alter', 'download'],
    call: (api, at) => api.post('files/move', { path: at('a.txt'), moveTo: at('sub') }),
  },
  {
    of: 'files/move',
    what: 'out of the share',
    needs: ['alter', 'download'],
    takesHome: true,
    call: (api, at) => api.post('files/move', { path: at('a.txt'), moveTo: HOME, overwrite: 1 }),
  },
  {
    of: 'files/move',
    what: 'into the share',
    needs: ['upload'],
    takesHome: true,
    call: async (api, at) => {
      await api.put({ path: `${HOME}/own.txt` }, 'own');
      return api.post('files/move', { path: `${HOME}/own.txt`, moveTo: at('') });
    },
  },
  {
    of: 'files/copy',
    what: 'within the share',
    needs: ['download', 'upload'],
    call: (api, at) => api.post('files/copy', { path: at('a.txt'), copyTo: at('sub') }),
  },
  {
    of: 'files/copy',
    what: 'within the share, over another',
    needs: ['download', 'upload', 'alter'],
    before: (owner, at) => owner.put({ path: at('sub/a.txt') }, 'there'),
    call: (api, at) => api.post('files/copy', { path: at('a.txt'), copyTo: at('sub'), overwrite: 1 }),
  },
  {
    of: 'files/copy',
    what: 'out of the share',
    needs: ['download'],
    takesHome: true,
    call: (api, at) => api.post('files/copy', { path: at('a.txt'), copyTo: `${HOME}/to`, overwrite: 1 }),
  },
  {
    of: 'files/copy',
    what: 'into the share',
    needs: ['upload'],
    takesHome: true,
    call: async (api, at) => {
      await api.put({ path: `${HOME}/own.txt` }, 'own');
      return api.post('files/copy', { path: `${HOME}/own.txt`, copyTo: at('') });
    },
  },
  {
    of: 'files/extract',
    what: 'within the share',
    needs: ['download', 'upload'],
    call: (api, at) => api.post('files/extract', { path: at('packed.zip'), extractTo: at('sub') }),
  },
  {
    of: 'files/extract',
    what: 'out of the share',
    needs: ['download'],
    takesHome: true,
    call: (api, at) => api.post('files/extract', { path: at('packed.zip'), extractTo: `${HOME}/to` }),
  },
  {
    of: 'files/zip',
    what: 'within the share',
    needs: ['download', 'upload'],
    call: (api, at) => api.post('files/zip', { 'paths[]': at('sub'), target: at(''), archiveName: 'n' }),
  },
  {
    of: 'files/zip',
    what: 'out of the share',
    needs: ['download'],
    takesHome: true,
    call: (api, at) =>
      api.post('files/zip', { 'paths[]': at('sub'), target: `${HOME}/to`, archiveName: at('').replaceAll('/', '') }),
  },
  { of: 'files/delete', what: 'a file', needs: ['alter'], call: post('files/delete', 'a.txt') },
  { of: 'files/delete', what: 'a folder', needs: ['alter'], call: post('files/delete', 'sub') },
  { of: 'files/delete', what: 'for good', needs: 'owner', call: post('files/delete', 'a.txt', { permanent: 1 }) },
  { of: 'files/lock', what: 'a file', needs: ['alter'], call: post('files/lock', 'a.txt') },
  {
    of: 'files/unlock',
    what: 'a file',
    needs: ['alter'],
    call: async (api, at) => {
      await api.post('files/lock', { path: at('a.txt') });
      return api.post('files/unlock', { path: at('a.txt') });
    },
  },
  {
    of: 'files/versions/list',
    what: 'of a file',
    needs: ['download'],
    before: twice,
    call: post('files/versions/list', 'old.txt'),
  },
  {
    of: 'files/versions/restore',
    what: 'of a file',
    needs: ['alter', 'download'],
    before: twice,
    call: post('files/versions/restore', 'old.txt', { version: 1 }),
  },
  {
    of: 'files/versions/delete',
    what: 'of a file',
    needs: 'owner',
    before: twice,
    call: post('files/versions/delete', 'old.txt', { version: 1 }),
  },
  {
    of: 'files/weblink',
    what: 'to a file',
    needs: ['share', 'download'],
    notForGuests: true,
    call: post('files/weblink', 'a.txt'),
  },
  {
    of: 'files/weblink/edit',
    what: 'of a file',
    needs: ['share', 'download'],
    notForGuests: true,
    call: async (api, at) => {
      const made = await api.post('files/weblink', { path: at('a.txt') });
      return made.status === 200 ? api.post('files/weblink/edit', { path: at('a.txt'), notify: 1 }) : made;
    },
  },
  {
    of: 'files/unweblink',
    what: 'of a file, by the one who made it',
    needs: ['share', 'download'],
    notForGuests: true,
    call: async (api, at) => {
      const made = await api.post('files/weblink', { path: at('a.txt') });
      return made.status === 200 ? api.post('files/unweblink', { path: at('a.txt') }) : made;
    },
  },
  {
    of: 'files/comments/list',
    what: 'of a file',
    needs: ['read_comments'],
    call: post('files/comments/list', 'a.txt'),
  },
  {
    of: 'files/comments/add',
    what: 'to the folder',
    needs: ['comment'],
    call: post('files/comments/add', '', { comment: 'Nice' }),
  },
  {
    of: 'files/comments/delete',
    what: 'one’s own',
    needs: ['comment'],
    call: async (api, at) => {
      const said = await api.post('files/comments/add', { path: at('a.txt'), comment: 'Nice' });
      return api.post('files/comments/delete', { path: at('a.txt'), id: said.body.data?.id ?? 1 });
    },
  },
  {
    of: 'files/share',
    what: 'further',
    needs: ['share'],
    notForGuests: true,
    call: (api, at) => api.post('files/share', { path: at('sub'), uid: 1 }),
  },
  {
    of: 'files/unshare',
    what: 'what one shares oneself',
    needs: ['share'],
    notForGuests: true,
    call: async (api, at) => {
      const shared = await api.post('files/share', { path: at('sub'), uid: 1 });
      return shared.status === 200 ? api.post('files/unshare', { path: at('sub'), uid: 1 }) : shared;
    },
  },
];

/** They take a path in the trash, which is everybody's own, or none. */
const OWN_TRASH = ['files/trash/restore', 'files/trash/delete', 'files/trash/empty'];

let household: SharingHousehold;
let guestLink: string;
let gran: ApiClient;
beforeAll(async () => {
  household = await openSharingHousehold();
  await household.put('first/');
  const guest = { path: `${HOME}/first`, name: 'Gran', email: 'gran@example.net' };
  guestLink = (await household.as('olga').post('files/share', guest)).body.data.guest.link;
  gran = await signInAsGuest(household, guestLink);
  for (const name of ['ben', 'gil'] as const)
    await household.as(name).post('files/createfolder', { path: HOME, name: 'to' });
});
afterAll(() => household.close());

const packed = buildZip([{ name: 'packed.txt', content: 'packed' }]);
let count = 0;

/** A folder of Olga's with something of everything in it. */
async function newBox(before: Row['before']): Promise<string> {
  count += 1;
  const box = `box${count}`;
  await household.put(`${box}/a.txt`, `${box}/sub/b.txt`);
  await writeFile(household.at(`${box}/packed.zip`), packed);
  await writeFile(household.at(`${box}/drawing.svg`), DRAWING);
  const at = (name: string) => [HOME, box, name].filter((part) => part !== '').join('/');
  await before?.(household.as('olga'), at);
  return box;
}

type Recipient = 'ben' | 'gil' | 'gran';
const api = (person: Recipient) => (person === 'gran' ? gran : household.as(person));

async function tryIt(row: Row, person: Recipient, flags: readonly ShareFlag[]): Promise<{ reply: Reply; box: string }> {
  const box = await newBox(row.before);
  const to = {
    ben: { uid: household.ids.ben },
    gil: { gid: household.family },
    gran: { name: 'Gran', email: 'gran@example.net' },
  }[person];
  const given = Object.fromEntries(SHARE_FLAGS.map((flag) => [flag, flags.includes(flag) ? 1 : 0]));
  const id = await household.share(`${HOME}/${box}`, { ...to, ...given });
  const base = `/ROOT/${household.ids.olga}/${id}`;
  return { reply: await row.call(api(person), (name) => (name === '' ? base : `${base}/${name}`)), box };
}

/** What is needed and no more; all but one that is needed, each; all where nothing is enough; and none. */
function combinations(needs: Row['needs']): (readonly ShareFlag[])[] {
  if (needs === 'owner') return [SHARE_FLAGS, []];
  return [needs, ...needs.map((flag) => SHARE_FLAGS.filter((one) => one !== flag)), []];
}

const NAMED = ROWS.map((row) => [row.of, row.what, row] as const);

it('has a row for every declared operation on files, and no other', async () => {
  const { body } = await household.api.send('GET', '/api.php/openapi.json');
  const declared = Object.keys(body.paths).filter((name) => name.startsWith('/files/'));
  expect([...new Set([...ROWS.map(({ of }) => of), ...OWN_TRASH])].map((name) => `/${name}`).sort()).toEqual(
    declared.sort(),
  );
});

describe.each(NAMED)('%s, %s', (_of, _what, row) => {
  const { needs } = row;

  async function expectFor(person: Recipient, flags: readonly ShareFlag[]): Promise<void> {
    const { reply, box } = await tryIt(row, person, flags);
    const isAllowed = needs !== 'owner' && needs.every((flag) => flags.includes(flag));
    const label = `${person} with ${flags.join(' ') || 'nothing'}: ${reply.text.slice(0, 200)}`;
    if (person === 'gran' && row.notForGuests) return expect(reply.status, label).toBe(403);
    if (person === 'gran' && row.takesHome) {
      expect([403, 404], label).toContain(reply.status);
      return;
    }
    if (isAllowed) return expect(reply.status, label).toBeLessThan(300);
    expect(outcome(reply), label).toEqual([403, 'permission_denied']);
    const missing = needs === 'owner' ? ['owner'] : needs.filter((flag) => !flags.includes(flag));
    expect(missing, label).toContain(reply.body.details.permission);
    // Nothing happened.
    const there = ['a.txt', 'drawing.svg', 'packed.zip', 'sub', ...(row.before === twice ? ['old.txt'] : [])];
    expect((await readdir(household.at(box))).sort(), label).toEqual(there.sort());
  }

  it('a member: with what it takes and without each of it', async () => {
    for (const flags of combinations(needs)) await expectFor('ben', flags);
  });

  it('a member of a group, and a guest', async () => {
    for (const person of ['gil', 'gran'] as const) {
      for (const flags of [SHARE_FLAGS, []]) await expectFor(person, flags);
    }
  });

  it('the owner always; a stranger never', async () => {
    const box = await newBox(row.before);
    const id = await household.share(`${HOME}/${box}`, {
      uid: household.ids.ben,
      ...Object.fromEntries(SHARE_FLAGS.map((flag) => [flag, 1])),
    });
    const base = `/ROOT/${household.ids.olga}/${id}`;
    const sam = await row.call(household.as('sam'), (name) => (name === '' ? base : `${base}/${name}`));
    expect(outcome(sam)).toEqual([404, 'not_found']);
    await household.as('olga').post('files/createfolder', { path: HOME, name: 'to' });
    const own = await row.call(household.as('olga'), (name) =>
      [HOME, box, name].filter((part) => part !== '').join('/'),
    );
    expect(own.status, own.text).toBeLessThan(300);
  });
});

it('leaves nothing behind in the homes of others', async () => {
  expect(
    (await readdir(homeOf(household, 'sam'))).filter((name) => !name.startsWith('.') && name !== 'own.txt'),
  ).toEqual([]);
});
