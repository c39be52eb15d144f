import { lstat, mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildZip } from '../../support/content/build-zip.ts';
import type { Household } from '../../support/households/household.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';
import { sendChunk } from '../../support/requests/chunks.ts';
import { davScenarios } from './dav-scenarios.ts';
import { MOVE_OVER, OVERWRITE, put, type Scenario, threeContents, tree, twoFiles, type World } from './worlds.ts';

export type { Outcome, Scenario } from './worlds.ts';

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

const ERASE = { 'files.erase.content': 'after', 'files.erase.versions': 'after', 'files.erase.done': 'after' } as const;
const PIECES = Buffer.alloc(2_000_000, 'pieces');

const moveOver = (world: World, api: ApiClient) =>
  api.post('files/move', form(world, { path: '~/doc.txt', moveTo: '~/folder', overwrite: 1 }));

/** Every operation that changes files, with every point on its way where it can be interrupted. */
export const scenarios: readonly Scenario[] = [
  ...davScenarios,
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
