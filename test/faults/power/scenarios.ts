import { lstat, mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildZip } from '../../support/content/build-zip.ts';
import type { Household } from '../../support/households/household.ts';
import type { ApiClient, Reply } from '../../support/requests/api-client.ts';
import { sendChunk } from '../../support/requests/chunks.ts';

/** Where one run of a scenario happens: a folder of its own in the home. */
export interface World {
  readonly household: Household;
  readonly real: string;
  readonly virtual: string;
}

/** What must be there when something fails at a point: everything as it was, or all of the change. */
export type Outcome = 'before' | 'after';

export interface Scenario {
  readonly name: string;
  readonly settings?: Record<string, number>;
  prepare(world: World, api: ApiClient): Promise<unknown>;
  run(world: World, api: ApiClient): Promise<Reply>;
  readonly points: Readonly<Record<string, Outcome>>;
  /** An upload that can be continued when it failed. */
  readonly continued?: true;
}

const put = (api: ApiClient, { virtual }: World, name: string, content: string) =>
  api.put({ path: `${virtual}/${name}` }, content);

async function threeContents(world: World, api: ApiClient): Promise<void> {
  for (const content of ['one', 'two!', 'three']) await put(api, world, 'doc.txt', content);
}

async function twoFiles(world: World, api: ApiClient): Promise<void> {
  await mkdir(join(world.real, 'folder'));
  for (const content of ['old one', 'old two']) await put(api, world, 'folder/doc.txt', content);
  await api.post('files/label', { path: `${world.virtual}/folder/doc.txt`, label: 'of the folder|#ff0000' });
  for (const content of ['moving one', 'moving two']) await put(api, world, 'doc.txt', content);
}

async function tree({ real }: World): Promise<void> {
  await mkdir(join(real, 'tree', 'deep', 'empty'), { recursive: true });
  await mkdir(join(real, 'to'));
  for (let index = 0; index < 12; index += 1) await writeFile(join(real, 'tree', `${index}.txt`), `leaf ${index}`);
  await writeFile(join(real, 'tree', 'deep', 'leaf.txt'), 'deep leaf');
}

async function trashed(world: World, api: ApiClient): Promise<void> {
  await tree(world);
  await put(api, world, 'tree/deep/leaf.txt', 'another leaf');
  await api.post('files/delete', { path: `${world.virtual}/tree` });
}

async function inTrash(api: ApiClient): Promise<string> {
  return (await api.get('files/browse', { path: '/TRASH' })).body.data.files[0].path;
}

const form = ({ virtual }: World, fields: Record<string, string | number>) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' && value.startsWith('~') ? virtual + value.slice(1) : value,
    ]),
  );

const OVERWRITE = {
  'storage.publish.chosen': 'before',
  'storage.publish.kept-old': 'before',
  'storage.publish.named': 'after',
} as const;
const MOVE_OVER = {
  'storage.move.chosen': 'before',
  'storage.move.kept-old': 'before',
  'storage.move.named': 'after',
} as const;
const ERASE = { 'files.erase.content': 'after', 'files.erase.versions': 'after', 'files.erase.done': 'after' } as const;
const PIECES = Buffer.alloc(2_000_000, 'pieces');

/** A method of WebDAV. @param item and destination below the world */
async function dav(
  world: World,
  api: ApiClient,
  method: string,
  item: string,
  sent: { readonly to?: string; readonly body?: string } = {},
): Promise<Reply> {
  const address = (one: string) => encodeURI(`/dav/My files${world.virtual.slice('/ROOT/HOME'.length)}/${one}`);
  const headers = sent.to === undefined ? {} : { destination: address(sent.to) };
  const reply = await api.send(method, address(item), {
    headers,
    ...(sent.body === undefined ? {} : { body: sent.body }),
  });
  const code = /<s:exception>(\w+)</.exec(reply.text)?.[1];
  return { ...reply, body: code === undefined ? {} : { code } };
}

const moveOver = (world: World, api: ApiClient) =>
  api.post('files/move', form(world, { path: '~/doc.txt', moveTo: '~/folder', overwrite: 1 }));

/** Every operation that changes files, with every point on its way where it can be interrupted. */
export const scenarios: readonly Scenario[] = [
  {
    name: 'upload of a new file',
    prepare: async () => undefined,
    // More than one write.
    run: (world, api) => put(api, world, 'doc.txt', 'content '.repeat(400_000)),
    points: {
      'storage.receive.write': 'before',
      'storage.receive.flush': 'before',
      'storage.publish.found-folder': 'before',
      'storage.publish.chosen': 'before',
      'storage.linked': 'after',
      'storage.publish.named': 'after',
    },
  },
  {
    name: 'overwrite',
    prepare: threeContents,
    run: (world, api) => put(api, world, 'doc.txt', 'the fourth'),
    points: OVERWRITE,
  },
  {
    name: 'overwrite beyond the number of versions',
    settings: { versionsKept: 2 },
    prepare: threeContents,
    run: (world, api) => put(api, world, 'doc.txt', 'the fourth'),
    points: { ...OVERWRITE, 'files.forget.erase': 'after', 'files.forget.erased': 'after' },
  },
  {
    name: 'overwrite with versions off',
    settings: { versionsKept: 0 },
    prepare: threeContents,
    run: (world, api) => put(api, world, 'doc.txt', 'the fourth'),
    points: OVERWRITE,
  },
  {
    name: 'last piece of an upload over a file',
    prepare: async (world, api) => {
      await threeContents(world, api);
      await sendChunk(api, `${world.virtual}/doc.txt`, PIECES, 0, 1_500_000);
    },
    run: ({ virtual }, api) => sendChunk(api, `${virtual}/doc.txt`, PIECES, 1_500_000),
    points: {
      'storage.receive.write': 'before',
      'storage.receive.flush': 'before',
      'files.upload.complete': 'before',
      ...OVERWRITE,
      'files.upload.named': 'after',
    },
    continued: true,
  },
  {
    name: 'last piece of a new file',
    prepare: ({ virtual }, api) => sendChunk(api, `${virtual}/doc.txt`, PIECES, 0, 1_500_000),
    run: ({ virtual }, api) => sendChunk(api, `${virtual}/doc.txt`, PIECES, 1_500_000),
    points: {
      'storage.publish.found-folder': 'before',
      'storage.linked': 'after',
      'storage.publish.named': 'after',
      'files.upload.named': 'after',
    },
    continued: true,
  },
  {
    name: 'copy of a file',
    prepare: async (world, api) => {
      await threeContents(world, api);
      await mkdir(join(world.real, 'other'));
    },
    run: (world, api) => api.post('files/copy', form(world, { path: '~/doc.txt', copyTo: '~/other' })),
    points: {
      'storage.copy.flush': 'before',
      'storage.publish.found-folder': 'before',
      'storage.publish.chosen': 'before',
      'storage.linked': 'after',
      'storage.publish.named': 'after',
    },
  },
  {
    name: 'copy over a file',
    prepare: twoFiles,
    run: (world, api) => api.post('files/copy', form(world, { path: '~/doc.txt', copyTo: '~/folder', overwrite: 1 })),
    points: { 'storage.copy.flush': 'before', ...OVERWRITE },
  },
  {
    name: 'copy of a folder',
    prepare: tree,
    run: (world, api) => api.post('files/copy', form(world, { path: '~/tree', copyTo: '~/to' })),
    points: {
      'storage.open': 'before',
      'storage.copy.flush': 'before',
      'files.copy.flush-folders': 'before',
      'storage.put-back': 'before',
      'storage.put-back.named': 'after',
    },
  },
  {
    name: 'restore of a version',
    prepare: threeContents,
    run: (world, api) => api.post('files/versions/restore', form(world, { path: '~/doc.txt', version: 1 })),
    points: { 'storage.copy.flush': 'before', ...OVERWRITE },
  },
  {
    name: 'delete of a version',
    prepare: threeContents,
    run: (world, api) => api.post('files/versions/delete', form(world, { path: '~/doc.txt', version: 1 })),
    points: { 'files.forget.erase': 'after', 'files.forget.erased': 'after' },
  },
  { name: 'move over a file', prepare: twoFiles, run: moveOver, points: MOVE_OVER },
  {
    name: 'MOVE over a file, which keeps its identity',
    prepare: twoFiles,
    run: (world, api) => dav(world, api, 'MOVE', 'doc.txt', { to: 'folder/doc.txt' }),
    points: MOVE_OVER,
  },
  {
    name: 'MOVE over a file, which keeps its identity, with versions off',
    settings: { versionsKept: 0 },
    prepare: twoFiles,
    run: (world, api) => dav(world, api, 'MOVE', 'doc.txt', { to: 'folder/doc.txt' }),
    points: MOVE_OVER,
  },
  {
    name: 'PUT over a file',
    prepare: threeContents,
    run: (world, api) => dav(world, api, 'PUT', 'doc.txt', { body: 'four' }),
    points: OVERWRITE,
  },
  {
    name: 'move over a file beyond the number of versions',
    settings: { versionsKept: 1 },
    prepare: twoFiles,
    run: moveOver,
    points: { ...MOVE_OVER, 'files.forget.erase': 'after', 'files.forget.erased': 'after' },
  },
  {
    name: 'move over a file with versions off',
    settings: { versionsKept: 0 },
    prepare: twoFiles,
    run: moveOver,
    points: MOVE_OVER,
  },
  {
    name: 'rename',
    prepare: threeContents,
    run: (world, api) => api.post('files/rename', form(world, { path: '~/doc.txt', newName: 'letter.txt' })),
    points: { 'storage.move.chosen': 'before', 'storage.linked': 'after', 'storage.move.named': 'after' },
  },
  {
    name: 'delete',
    prepare: tree,
    run: (world, api) => api.post('files/delete', form(world, { path: '~/tree' })),
    points: { 'storage.take-out': 'before', 'storage.taken-out': 'after' },
  },
  {
    name: 'delete for good',
    prepare: threeContents,
    run: (world, api) => api.post('files/delete', form(world, { path: '~/doc.txt', permanent: 1 })),
    points: { 'storage.take-out': 'before', 'storage.taken-out': 'after', ...ERASE },
  },
  {
    name: 'restore from the trash',
    prepare: trashed,
    run: async (_world, api) => api.post('files/trash/restore', { path: await inTrash(api) }),
    points: { 'storage.put-back': 'before', 'storage.put-back.named': 'after' },
  },
  {
    name: 'restore of a file from the trash',
    prepare: async (world, api) => {
      await threeContents(world, api);
      await api.post('files/delete', { path: `${world.virtual}/doc.txt` });
    },
    run: async (_world, api) => api.post('files/trash/restore', { path: await inTrash(api) }),
    points: { 'storage.put-back': 'before', 'storage.linked': 'after', 'storage.put-back.named': 'after' },
  },
  {
    name: 'delete from the trash',
    prepare: trashed,
    run: async (_world, api) => api.post('files/trash/delete', { path: await inTrash(api) }),
    points: ERASE,
  },
  {
    name: 'extract',
    prepare: async (world) => {
      await tree(world);
      const items = Array.from({ length: 12 }, (_, index) => ({
        name: `deep/er/${index}.txt`,
        content: `leaf ${index}`,
      }));
      await writeFile(join(world.real, 'a.zip'), buildZip([{ name: 'empty/' }, ...items]));
    },
    run: (world, api) => api.post('files/extract', form(world, { path: '~/a.zip', extractTo: '~/to' })),
    points: {
      'files.extract.unpacked': 'before',
      'files.extract.flushed': 'before',
      'storage.put-back': 'before',
      'storage.put-back.named': 'after',
    },
  },
  {
    name: 'extract of a single file',
    prepare: (world) => writeFile(join(world.real, 'a.zip'), buildZip([{ name: 'one.txt', content: 'one' }])),
    run: (world, api) => api.post('files/extract', form(world, { path: '~/a.zip', extractTo: '~' })),
    points: { 'storage.put-back': 'before', 'storage.linked': 'after', 'storage.put-back.named': 'after' },
  },
  {
    name: 'zip',
    prepare: async ({ real }) => {
      await writeFile(join(real, 'doc.txt'), 'content');
      // It stands in the archive.
      await utimes(join(real, 'doc.txt'), 1_600_000_000, 1_600_000_000);
    },
    run: (world, api) =>
      api.post('files/zip', form(world, { 'paths[]': '~/doc.txt', target: '~', archiveName: 'a.zip' })),
    points: {
      'storage.receive.write': 'before',
      'storage.receive.flush': 'before',
      'files.zip.made': 'before',
      'storage.publish.found-folder': 'before',
      'storage.publish.chosen': 'before',
      'storage.linked': 'after',
      'storage.publish.named': 'after',
    },
  },
];

/** Makes the world of one run. Nothing of another run is in the trash. */
export async function newWorld(household: Household, api: ApiClient, scenario: Scenario, name: string): Promise<World> {
  const world = { household, real: join(household.home, name), virtual: `/ROOT/HOME/${name}` };
  await household.control('settings.update', { versionsKept: 20, ...scenario.settings });
  await api.post('files/trash/empty');
  await mkdir(world.real);
  // A change of the number of kept versions is for the run, not for what comes before it.
  await household.control('settings.update', { versionsKept: 20 });
  await scenario.prepare(world, api);
  await household.control('settings.update', { versionsKept: 20, ...scenario.settings });
  return world;
}

interface Snapshot {
  readonly files: Record<string, unknown>;
  readonly trash: unknown[];
}

/** What the API and the disk say of a world: they have to agree. Rows that are over a limit are gone first. */
export async function snapshot({ household, real, virtual }: World, api: ApiClient): Promise<Snapshot> {
  await household.larder.maintenance();
  const { body } = await api.get('files/browse', {
    path: virtual,
    recursive: 1,
    'details[]': ['version', 'fileSize', 'label'],
  });
  const files: Record<string, unknown> = {};
  for (const { path, is_dir, version, fileSize, label } of body.data.files) {
    const below = path.slice(virtual.length + 1);
    if (is_dir) {
      files[below] = 'folder';
      continue;
    }
    const content = await readFile(join(real, below), 'latin1');
    if (content.length !== fileSize) throw new Error(`${below} has ${content.length} bytes, listed as ${fileSize}`);
    files[below] = { version, content, label, old: await oldContents(api, path, version) };
  }
  const trash = (await api.get('files/browse', { path: '/TRASH', 'details[]': ['fileSize'] })).body.data.files;
  const stored = join(household.folder, '.larder', 'trash');
  const contents = trash.map(async ({ filename, path }: { filename: string; path: string }) => [
    filename,
    await contentOf(join(stored, path.slice('/TRASH/'.length))),
  ]);
  return { files, trash: await Promise.all(contents) };
}

async function oldContents(api: ApiClient, path: string, present: number): Promise<Record<number, string>> {
  const old: Record<number, string> = {};
  for (const { version } of (await api.get('files/versions/list', { path })).body.data.versions) {
    if (version !== present) old[version] = (await api.get('files/download', { path, version })).text;
  }
  return old;
}

async function contentOf(path: string): Promise<unknown> {
  if (!(await lstat(path)).isDirectory()) return readFile(path, 'latin1');
  const names = (await readdir(path)).sort();
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await contentOf(join(path, name))])));
}
