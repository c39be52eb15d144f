import { createHash } from 'node:crypto';
import { chmod, copyFile, mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isFullForm, itInFull } from '../../support/forms.ts';
import { homeOf } from '../../support/households/member.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';
import { openSharingHousehold, type SharingHousehold } from '../../support/requests/sharing.ts';
import { davClient, parsed } from '../../support/webdav/dav-client.ts';

let household: SharingHousehold;
let olga: ApiClient;
const HOME = '/ROOT/HOME';

beforeAll(async () => {
  household = await openSharingHousehold();
  olga = household.as('olga');
});
afterAll(() => household?.close());

const etagOf = async (path: string, api = olga): Promise<string> => {
  const { body } = await api.get('files/info', { path, 'details[]': 'etag' });
  expect([path, body.success, typeof body.data?.etag]).toEqual([path, true, 'string']);
  return body.data.etag;
};
const TAGS = '<propfind xmlns="DAV:"><prop><getetag/></prop></propfind>';
const tags = (paths: readonly string[]) => Promise.all(paths.map((path) => etagOf(path)));

/** A folder `top` with `a/b/file.txt`, `a/beside.txt` and `other/x.txt`. @returns its path */
let boxes = 0;
async function newTree(): Promise<string> {
  const name = `top ${++boxes}`;
  await household.put(`${name}/a/b/file.txt`, `${name}/a/beside.txt`, `${name}/other/x.txt`);
  const path = `${HOME}/${name}`;
  // Its hash is known, so that it can be told whether it is the same later.
  await put(`${path}/a/b/uploaded.txt`, 'uploaded');
  await olga.get('files/browse', { path, recursive: 1 });
  for (const below of ['', '/a', '/a/b', '/other']) await olga.get('files/browse', { path: `${path}${below}` });
  return path;
}

const put = (filePath: string, content: string) => olga.put({ filePath }, content);

const CHANGES: Readonly<Record<string, (top: string) => Promise<unknown>>> = {
  'a new file': (top) => put(`${top}/a/b/new.txt`, 'new'),
  'other content': (top) => put(`${top}/a/b/file.txt`, 'other'),
  'another time': (top) => olga.put({ filePath: `${top}/a/b/file.txt`, lastModified: 1_500_000_000 }, 'content'),
  'a new folder': (top) => olga.post('files/createfolder', { path: `${top}/a/b`, name: 'folder' }),
  'another name': (top) => olga.post('files/rename', { path: `${top}/a/b/file.txt`, newName: 'renamed.txt' }),
  'what came by a move': (top) => olga.post('files/move', { path: `${top}/a/beside.txt`, moveTo: `${top}/a/b` }),
  'what left by a move': (top) => olga.post('files/move', { path: `${top}/a/b/file.txt`, moveTo: `${top}/a` }),
  'a copy': (top) => olga.post('files/copy', { path: `${top}/a/beside.txt`, copyTo: `${top}/a/b` }),
  'a deletion': (top) => olga.post('files/delete', { path: `${top}/a/b/file.txt` }),
};

/** What the tag is not about. */
const OTHER: Readonly<Record<string, (top: string) => Promise<unknown>>> = {
  listing: (top) => olga.get('files/browse', { path: `${top}/a/b`, recursive: 1 }),
  downloading: (top) => olga.get('files/download', { path: `${top}/a/b/file.txt` }),
  'a star': (top) => olga.post('files/star', { path: `${top}/a/b/file.txt` }),
  'a comment': (top) => olga.post('files/comments/add', { path: `${top}/a/b/file.txt`, comment: 'Nice' }),
  'a lock': (top) => olga.post('files/lock', { path: `${top}/a/b/file.txt` }),
  'a link': (top) => olga.post('files/weblink', { path: `${top}/a/b/file.txt` }),
  'a share': (top) => olga.post('files/share', { path: `${top}/a/b`, uid: household.ids.ben }),
  'rights on the disk': async (top) => {
    const folder = household.at(`${top.slice(HOME.length + 1)}/a/b`);
    await chmod(join(folder, 'uploaded.txt'), 0o600);
    await olga.get('files/browse', { path: `${top}/a/b` });
  },
};

describe('the ETag of a folder', () => {
  it.each(Object.keys(CHANGES))(
    'changes in every folder up to the home after %s below, and in no other',
    async (name) => {
      const top = await newTree();
      const above = [HOME, top, `${top}/a`, `${top}/a/b`];
      const [before, beside] = [await tags(above), await etagOf(`${top}/other`)];
      await CHANGES[name]?.(top);
      const after = await tags(above);
      expect(after.map((tag, at) => tag !== before[at])).toEqual(above.map(() => true));
      expect(await etagOf(`${top}/other`)).toBe(beside);
      expect(await tags(above)).toEqual(after);
    },
  );

  it.each(Object.keys(OTHER))('does not change after %s', async (name) => {
    const top = await newTree();
    const above = [HOME, top, `${top}/a`, `${top}/a/b`];
    const before = await tags(above);
    await OTHER[name]?.(top);
    expect(await tags(above)).toEqual(before);
  });

  it('changes after a change of another program, once that was noticed', async () => {
    const top = await newTree();
    const [inner, outer] = [await etagOf(`${top}/a/b`), await etagOf(HOME)];
    await writeFile(household.at(`${top.slice(HOME.length + 1)}/a/b/theirs.txt`), 'theirs');
    await olga.get('files/browse', { path: `${top}/a/b` });
    expect(await etagOf(`${top}/a/b`)).not.toBe(inner);
    expect(await etagOf(HOME)).not.toBe(outer);
  });

  it('changes after a change of another program in a watched folder, without a listing', async () => {
    const top = await newTree();
    const before = await tags([HOME, top, `${top}/a/b`]);
    await writeFile(household.at(`${top.slice(HOME.length + 1)}/a/b/theirs.txt`), 'theirs');
    await expect
      .poll(async () => (await tags([HOME, top, `${top}/a/b`])).map((tag, at) => tag !== before[at]))
      .toEqual([true, true, true]);
  });

  it('is never reused: deleting and restoring an item results in a new one', async () => {
    const top = await newTree();
    const before = await etagOf(`${top}/a`);
    const { body } = await olga.post('files/delete', { path: `${top}/a/beside.txt` });
    expect((await olga.post('files/trash/restore', { path: body.data.trash_path })).status).toBe(200);
    expect(await etagOf(`${top}/a`)).not.toBe(before);
  });

  it('is the same in all listings and in WebDAV', async () => {
    const top = await newTree();
    const name = top.slice(HOME.length + 1);
    const expected = await etagOf(`${top}/a`);
    const { body: listed } = await olga.get('files/browse', { path: top, 'details[]': 'etag' });
    expect(listed.data.files.find(({ filename }: { filename: string }) => filename === 'a').etag).toBe(expected);
    const { body: all } = await olga.get('files/browse', { path: top, recursive: 1, 'details[]': 'etag' });
    expect(all.data.files.find(({ path }: { path: string }) => path === `${top}/a`).etag).toBe(expected);
    const { body: found } = await olga.post('files/search', { path: top, filename: 'a', 'details[]': 'etag' });
    expect(found.data.files.find(({ path }: { path: string }) => path === `${top}/a`).etag).toBe(expected);
    expect((await olga.get('files/metadata', { path: `${top}/a` })).body.data.etag).toBe(expected);

    const dav = await davClient(olga);
    const at = `/My%20files/${encodeURIComponent(name)}`;
    const tagsIn = async (path: string, depth: '0' | '1') => {
      const { text } = await dav.propfind(path, depth, TAGS);
      return new Map(
        [...parsed(text)].map(([href, { found: of }]) => [href, of.get('getetag')?.replaceAll('&quot;', '"')]),
      );
    };
    const children = await tagsIn(`${at}/`, '1');
    expect(children.get(`/dav${at}/a/`)).toBe(expected);
    expect(children.get(`/dav${at}/`)).toBe(await etagOf(top));
    expect((await tagsIn('/My%20files/', '0')).get('/dav/My%20files/')).toBe(await etagOf(HOME));
    const top1 = await tagsIn('/', '1');
    expect(top1.get('/dav/My%20files/')).toBe(await etagOf(HOME));
    // A reply that is kept is made anew when something deep below changes.
    await put(`${top}/a/b/deep.txt`, 'deep');
    const changed = await tagsIn(`${at}/`, '1');
    expect(changed.get(`/dav${at}/a/`)).toBe(await etagOf(`${top}/a`));
    expect(changed.get(`/dav${at}/a/`)).not.toBe(expected);
    const top2 = await tagsIn('/', '1');
    expect([...top2].filter(([href, tag]) => top1.get(href) !== tag).map(([href]) => href)).toEqual([
      '/dav/',
      '/dav/My%20files/',
    ]);
    // The condition of RFC 4918 §10.4 knows it.
    const moved = (tag: string) =>
      dav.send('MOVE', `${at}/a/`, {
        headers: { destination: `/dav${at}/moved/`, if: `(["${tag.slice(1, -1)}"])` },
      });
    expect((await moved(expected)).status).toBe(412);
    expect((await moved(changed.get(`/dav${at}/a/`) ?? '')).status).toBe(201);
  });

  it('is different for each caller, and depends only on what the caller may see', async () => {
    const top = await newTree();
    await household.share(`${top}/a`, { uid: household.ids.ben });
    const ben = household.as('ben');
    const { body } = await ben.get('files/browse', { path: `/ROOT/${household.ids.olga}`, 'details[]': 'etag' });
    const { path, etag } = body.data.files.find(({ filename }: { filename: string }) => filename === 'a');
    expect(etag).not.toBe(await etagOf(`${top}/a`));
    expect(await etagOf(path, ben)).toBe(etag);
    await put(`${top}/other/more.txt`, 'more');
    await olga.post('files/delete', { path: `${top}/other/x.txt` });
    expect(await etagOf(path, ben)).toBe(etag);
    await put(`${top}/a/b/for ben.txt`, 'more');
    expect(await etagOf(path, ben)).not.toBe(etag);
    // A digest, in which by chance digits may stand side by side, but no number.
    expect(await etagOf(path, ben)).toMatch(/^"[\w-]{24}"$/);
  });

  it('of a list in WebDAV changes with items others share, and not with their other items', async () => {
    const top = await newTree();
    await household.share(`${top}/a`, { uid: household.ids.gil });
    await household.share(`${top}/other/x.txt`, { uid: household.ids.gil });
    const dav = await davClient(household.as('gil'));
    const topTags = async () => {
      const { text, status } = await dav.propfind('/', '1', TAGS);
      expect(status).toBe(207);
      return [...parsed(text)].map(([href, { found }]) => `${href} ${found.get('getetag')}`);
    };
    const differs = async (work: () => Promise<unknown>) => {
      const before = await topTags();
      await work();
      return (await topTags()).filter((tag) => !before.includes(tag)).map((tag) => tag.split(' ')[0]);
    };
    const shared = ['/dav/', '/dav/Shared%20with%20me/'];
    expect(await differs(() => put(`${top}/a/b/for gil.txt`, 'for gil'))).toEqual(shared);
    expect(await differs(() => put(`${top}/other/x.txt`, 'for gil, too'))).toEqual(shared);
    expect(await differs(() => put(`${top}/other/not for gil.txt`, 'private'))).toEqual([]);
    expect(await differs(() => put(`${top}/mine.txt`, 'private'))).toEqual([]);
  });

  it('is the same after a restart', async () => {
    const top = await newTree();
    const paths = [HOME, top, `${top}/a`, `${top}/a/b`];
    const before = await tags(paths);
    await household.restart();
    await household.signInAgain('olga');
    olga = household.as('olga');
    expect(await tags(paths)).toEqual(before);
  });

  itInFull('is correct for many folders that changed at once', async () => {
    const top = await newTree();
    const names = Array.from({ length: 250 }, (_, at) => `many ${at}`);
    for (const name of names) await household.put(`${top.slice(HOME.length + 1)}/${name}/deep/one.txt`);
    for (const name of names) await olga.get('files/browse', { path: `${top}/${name}/deep` });
    const paths = [top, ...names.slice(0, 3).map((name) => `${top}/${name}`)];
    // The first reader passes the numbers of all of them up.
    const before = await tags(paths);
    expect(await tags(paths)).toEqual(before);
    await put(`${top}/${names[2]}/deep/two.txt`, 'two');
    expect((await tags(paths)).map((tag, at) => tag === before[at])).toEqual([false, true, true, false]);
  });
});

/** What people see below a folder: names, kinds and contents. */
async function seenIn(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const lines = await Promise.all(
    entries.map(async (entry) => {
      const path = join(entry.parentPath, entry.name);
      const content = entry.isDirectory() ? 'folder' : (await readFile(path)).toString('base64');
      return `${relative(folder, path)} ${content}`;
    }),
  );
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex');
}

itInFull('after random changes, equal ETags of a folder mean equal contents', async () => {
  const root = 'random';
  await household.put(`${root}/a/b/one.txt`, `${root}/c/two.txt`);
  const folders = ['', '/a', '/a/b', '/c'];
  const at = (path: string) => join(homeOf(household, 'olga'), root, path);
  const api = `${HOME}/${root}`;
  let state = 7;
  const pick = (count: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % count;
  };
  const anyFolder = () => folders[pick(folders.length)] ?? '';
  const anyFile = () => `f${pick(6)}.txt`;
  const steps = [
    () => put(`${api}${anyFolder()}/${anyFile()}`, String(pick(5))),
    () => olga.post('files/delete', { path: `${api}${anyFolder()}/${anyFile()}` }),
    () =>
      olga.post('files/move', {
        path: `${api}${anyFolder()}/${anyFile()}`,
        moveTo: `${api}${anyFolder()}`,
        overwrite: 1,
      }),
    () => olga.post('files/rename', { path: `${api}${anyFolder()}/${anyFile()}`, newName: anyFile() }),
    () =>
      olga.post('files/copy', {
        path: `${api}${anyFolder()}/${anyFile()}`,
        copyTo: `${api}${anyFolder()}`,
        overwrite: 1,
      }),
    // Other programs.
    () => writeFile(at(`${anyFolder()}/${anyFile()}`), `${pick(1_000)} by another program`),
    () => rm(at(`${anyFolder()}/${anyFile()}`), { force: true }),
    () => rename(at(`${anyFolder()}/${anyFile()}`), at(`${anyFolder()}/${anyFile()}`)).catch(() => undefined),
    () => copyFile(at(`${anyFolder()}/${anyFile()}`), at(`${anyFolder()}/${anyFile()}`)).catch(() => undefined),
    () => utimes(at(`${anyFolder()}/${anyFile()}`), pick(1_000), pick(1_000)).catch(() => undefined),
    () => mkdir(at(`${anyFolder()}/new ${pick(3)}`), { recursive: true }),
  ];
  const known = new Map<string, string>();
  for (let round = 0; round < (isFullForm ? 400 : 60); round += 1) {
    await steps[pick(steps.length)]?.();
    await olga.get('files/browse', { path: api, recursive: 1 });
    for (const folder of folders) await olga.get('files/browse', { path: `${api}${folder}` });
    for (const folder of folders) {
      const [tag, seen] = [await etagOf(`${api}${folder}`), await seenIn(at(folder))];
      const key = `${folder} ${tag}`;
      expect([round, folder, known.get(key) ?? seen]).toEqual([round, folder, seen]);
      known.set(key, seen);
    }
  }
  expect(known.size).toBeGreaterThan(folders.length * 3);
});
