import { appendFile, readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/requests/api-client.ts';
import { openSharingHousehold, type SharingHousehold } from '../support/requests/sharing.ts';
import { type DavClient, davClient } from '../support/webdav/dav-client.ts';

// Programs save a document by way of other names. It stays the same document for everyone else.

let household: SharingHousehold;
let olga: ApiClient;
let dav: DavClient;
let other: DavClient;
let name = '';
let box = '';
let path = '';
let uuid = '';
let trashedBefore = new Set<string>();

const SECOND = 1_000;

beforeAll(async () => {
  household = await openSharingHousehold();
  olga = household.as('olga');
  dav = await davClient(olga);
  other = await davClient(olga);
});
afterAll(() => household?.close());
beforeEach(async () => {
  name = await household.newBox();
  box = `/My%20files/${name}`;
  path = `/ROOT/HOME/${name}/doc.docx`;
  await olga.put({ path }, 'first');
  await olga.put({ path }, 'second');
  uuid = (await info()).uuid;
  trashedBefore = new Set((await trash()).map((one) => one.path));
});

const info = async (details: readonly string[] = ['uuid'], at = path) =>
  (await olga.get('files/info', { path: at, 'details[]': details })).body.data;
const trash = async (): Promise<{ filename: string; path: string }[]> =>
  (await olga.get('files/browse', { path: '/TRASH' })).body.data.files;
const namesOnDisk = async () => (await readdir(household.at(name))).sort();
const move = async (from: string, to: string, client = dav) => {
  const { status, text } = await client.transfer('MOVE', `${box}/${from}`, `${box}/${to}`);
  expect(status, text).toBe(201);
};
const remove = async (item: string, client = dav) => {
  const { status, text } = await client.send('DELETE', `${box}/${item}`);
  expect(status, text).toBe(204);
};
const put = async (item: string, content: string, client = dav) => {
  const { status, text } = await client.put(`${box}/${item}`, content);
  expect(status, text).toBeLessThan(300);
};

/** The contents of the document, the present one first. */
async function contents(): Promise<string[]> {
  const { versions } = (await olga.get('files/versions/list', { path })).body.data;
  const texts: string[] = [];
  for (const { version } of versions) texts.push((await olga.get('files/download', { path, version })).text);
  return texts;
}

/** What people and programs attach to a document. */
async function attach(): Promise<void> {
  await household.share(path, { uid: household.ids.ben, download: 1 });
  await olga.post('files/weblink', { path });
  await olga.post('files/star', { path });
  await olga.post('files/tags/add', { path, 'tags[]': 'kept' });
  await olga.post('files/comments/add', { path, comment: 'kept' });
  expect((await olga.post('files/lock', { path })).status).toBe(200);
  const body = `<propertyupdate xmlns="DAV:"><set><prop><x xmlns="urn:x">kept</x></prop></set></propertyupdate>`;
  expect((await dav.send('PROPPATCH', `${box}/doc.docx`, { body })).status).toBe(207);
}

async function expectAttached(): Promise<void> {
  const details = ['uuid', 'isShared', 'hasWebLink', 'commentsCount'];
  expect(await info(details)).toMatchObject({ uuid, isShared: true, hasWebLink: true, commentsCount: 1 });
  const { files } = (await olga.get('files/browse', { path: '/STARRED' })).body.data;
  expect(files.map((one: { path: string }) => one.path)).toContain(path);
  expect((await olga.get('files/metadata', { path })).body.data.tags).toEqual([
    expect.objectContaining({ text: 'kept' }),
  ]);
  expect((await dav.propfind(`${box}/doc.docx`, '0')).text).toContain('kept</x>');
  expect((await olga.post('files/lock', { path })).body.code).toBe('already_locked');
  const shared = (await household.as('ben').get('files/browse', { path: `/ROOT/${household.ids.olga}` })).body.data;
  const file = shared.files.find(({ filename }: { filename: string }) => filename === 'doc.docx');
  expect((await household.as('ben').get('files/download', { path: file.path })).text).toBe('new');
}

/** The orders in which programs save, each in the end with the content "new". */
const ORDERS: readonly (readonly [string, () => Promise<void>])[] = [
  [
    'Word: the document gets a temporary name, the new file its name, and the old one is deleted',
    async () => {
      await put('~WRD0000.tmp', 'new');
      await move('doc.docx', '~WRL0001.tmp');
      await move('~WRD0000.tmp', 'doc.docx');
      await remove('~WRL0001.tmp');
    },
  ],
  [
    'an editor with a backup: the document gets another name, the new content its name, and the backup is deleted',
    async () => {
      await move('doc.docx', 'doc.docx~');
      await put('doc.docx', 'new');
      await remove('doc.docx~');
    },
  ],
  [
    'KeePass: the document is deleted, and the new file gets its name',
    async () => {
      await put('doc.docx.tmp', 'new');
      await remove('doc.docx');
      await move('doc.docx.tmp', 'doc.docx');
    },
  ],
];

describe.each(ORDERS)('%s', (_order, save) => {
  it('keeps uuid, shares, links, stars, tags, comments, properties and versions', async () => {
    await attach();
    const before = await trash();
    await save();
    expect(await contents()).toEqual(['new', 'second', 'first']);
    await expectAttached();
    expect(await trash()).toEqual(before);
    expect((await namesOnDisk()).filter((one) => /doc|WR/.test(one))).toEqual(['doc.docx']);
    expect(await household.control('doctor', {})).toMatchObject({ ok: true, problems: [] });
  });

  it('keeps them when it saves again, with its latest contents', async () => {
    await save();
    household.clock.advance(70 * SECOND);
    await olga.put({ path }, 'by the API');
    await save();
    expect(await contents()).toEqual(['new', 'by the API', 'new', 'second', 'first']);
    expect((await info()).uuid).toBe(uuid);
  });

  it('keeps the identity without versions, with the old content in the trash', async () => {
    await household.control('settings.update', { versionsKept: 0 });
    try {
      await household.share(path, { uid: household.ids.ben, download: 1 });
      const before = (await trash()).length;
      await save();
      expect(await info(['uuid', 'isShared'])).toMatchObject({ uuid, isShared: true });
      expect((await trash()).length).toBe(before + 1);
    } finally {
      await household.control('settings.update', { versionsKept: 20 });
    }
  });

  it('restores the old content with its checksum', async () => {
    const sums = async () => {
      const body = '<propfind xmlns="DAV:"><prop><o:checksums xmlns:o="http://owncloud.org/ns"/></prop></propfind>';
      return /SHA256:[0-9a-f]+/.exec((await dav.propfind(`${box}/doc.docx`, '0', body)).text)?.[0];
    };
    const before = await sums();
    await save();
    expect(await sums()).not.toBe(before);
    const { versions } = (await olga.get('files/versions/list', { path })).body.data;
    await olga.post('files/versions/restore', { path, version: versions[1].version });
    expect([await sums(), (await contents())[0]]).toEqual([before, 'second']);
  });
});

describe('two files stay separate', () => {
  /** The trash has the document, and the new file is one of its own. */
  async function expectSeparate(own: readonly string[] = ['new']): Promise<void> {
    expect((await info()).uuid).not.toBe(uuid);
    expect(await contents()).toEqual(own);
    const added = (await trash()).filter((one) => !trashedBefore.has(one.path));
    expect(added.length).toBe(1);
    const restored = (await olga.post('files/trash/restore', { path: added[0]?.path ?? '' })).body.data;
    expect((await info(['uuid'], restored.path)).uuid).toBe(uuid);
    expect((await olga.get('files/download', { path: restored.path })).text).toBe('second');
  }

  it('if another program performs one of the steps', async () => {
    await put('new.tmp', 'new');
    await move('doc.docx', 'old.docx');
    await move('new.tmp', 'doc.docx');
    await remove('old.docx', other);
    await expectSeparate();
  });

  it('if another program has written the new file', async () => {
    await put('new.tmp', 'new', other);
    await move('doc.docx', 'old.docx');
    await move('new.tmp', 'doc.docx');
    await remove('old.docx');
    await expectSeparate();
  });

  it.each([
    ['the name is taken', [61, 0]],
    ['the document is deleted', [0, 61]],
  ])('if more than a minute passes before %s', async (_step, [first = 0, second = 0]) => {
    await move('doc.docx', 'old.docx');
    household.clock.advance(first * SECOND);
    await put('new.tmp', 'new');
    await move('new.tmp', 'doc.docx');
    household.clock.advance(second * SECOND);
    await remove('old.docx');
    await expectSeparate();
  });

  it('if the new file is older', async () => {
    await put('new.tmp', 'new');
    household.clock.advance(61 * SECOND);
    await move('doc.docx', 'old.docx');
    await move('new.tmp', 'doc.docx');
    await remove('old.docx');
    await expectSeparate();
  });

  it('if an upload takes a deleted name: the person may have wanted to end the shares', async () => {
    await remove('doc.docx');
    await put('doc.docx', 'new');
    await expectSeparate();
  });

  it('if the new file was written after the document was deleted, as by clients that upload under another name', async () => {
    await remove('doc.docx');
    await put('doc.docx.part', 'new');
    await move('doc.docx.part', 'doc.docx');
    await expectSeparate();
  });

  it('if the deleted name belonged to another file in between', async () => {
    await put('new.tmp', 'new');
    await remove('doc.docx');
    await put('doc.docx', 'between');
    await move('doc.docx', 'sub/doc.docx');
    await move('new.tmp', 'doc.docx');
    await expectSeparate();
  });

  it('if the new file is an existing item with new content', async () => {
    await put('draft.docx', 'draft');
    household.clock.advance(61 * SECOND);
    await put('draft.docx', 'new');
    const { uuid: own } = await info(['uuid'], path.replace('doc.docx', 'draft.docx'));
    await remove('doc.docx');
    await move('draft.docx', 'doc.docx');
    await expectSeparate(['new', 'draft']);
    expect((await info()).uuid).toBe(own);
  });

  it('if another program changes the new file on the disk', async () => {
    await put('new.tmp', 'ne');
    await move('doc.docx', 'old.docx');
    await move('new.tmp', 'doc.docx');
    await appendFile(household.at(`${name}/doc.docx`), 'w');
    await remove('old.docx');
    await expectSeparate();
    expect(await readFile(household.at(`${name}/doc.docx`), 'utf8')).toBe('new');
  });

  it('if the document was moved to another folder', async () => {
    await put('new.tmp', 'new');
    await move('doc.docx', 'sub/doc.docx');
    await move('new.tmp', 'doc.docx');
    await remove('sub/doc.docx');
    expect((await info()).uuid).not.toBe(uuid);
    expect((await trash()).map(({ filename }) => filename)).toContain('doc.docx');
  });
});
