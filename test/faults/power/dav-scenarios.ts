import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApiClient, Reply } from '../../support/requests/api-client.ts';
import { MOVE_OVER, OVERWRITE, type Scenario, threeContents, tree, twoFiles, type World } from './worlds.ts';

/** A method of WebDAV. @param item and destination below the world */
async function dav(
  world: World,
  api: ApiClient,
  method: string,
  item: string,
  sent: { readonly to?: string; readonly body?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Reply> {
  const address = (one: string) => encodeURI(`/dav/My files${world.virtual.slice('/ROOT/HOME'.length)}/${one}`);
  const headers = { ...sent.headers, ...(sent.to === undefined ? {} : { destination: address(sent.to) }) };
  const reply = await api.send(method, address(item), {
    headers,
    ...(sent.body === undefined ? {} : { body: sent.body }),
  });
  const code = /<s:exception>(\w+)</.exec(reply.text)?.[1];
  return { ...reply, body: code === undefined ? {} : { code } };
}

const LOCK = `<?xml version="1.0"?><lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/></locktype></lockinfo>`;

const COPIED = {
  'storage.publish.found-folder': 'before',
  'storage.publish.chosen': 'before',
  'storage.linked': 'after',
  'storage.publish.named': 'after',
} as const;
const NEW_FILE = { 'storage.receive.flush': 'before', ...COPIED } as const;

/** The methods of WebDAV that change files. */
export const davScenarios: readonly Scenario[] = [
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
    name: 'PUT over a content of the same program, which is not kept',
    prepare: threeContents,
    async run(world, api) {
      await dav(world, api, 'PUT', 'doc.txt', { body: 'a step' });
      return dav(world, api, 'PUT', 'doc.txt', { body: 'four' });
    },
    points: { 'files.forget.erase': 'after', 'files.forget.erased': 'after' },
  },
  {
    name: 'save of a document by way of another name',
    prepare: threeContents,
    async run(world, api) {
      await dav(world, api, 'MOVE', 'doc.txt', { to: 'old.txt' });
      await dav(world, api, 'PUT', 'doc.txt', { body: 'four' });
      return dav(world, api, 'DELETE', 'old.txt');
    },
    points: { 'files.complete-save.renamed': 'after' },
  },
  {
    name: 'PUT of a new file',
    prepare: async () => undefined,
    run: (world, api) => dav(world, api, 'PUT', 'doc.txt', { body: 'content '.repeat(400_000) }),
    points: { 'storage.receive.write': 'before', ...NEW_FILE },
  },
  {
    name: 'LOCK of a name without a file, which creates it',
    prepare: async () => undefined,
    run: (world, api) => dav(world, api, 'LOCK', 'doc.txt', { body: LOCK, headers: { depth: '0' } }),
    points: NEW_FILE,
  },
  {
    name: 'MOVE to another name',
    prepare: threeContents,
    run: (world, api) => dav(world, api, 'MOVE', 'doc.txt', { to: 'letter.txt' }),
    points: { 'storage.move.chosen': 'before', 'storage.linked': 'after', 'storage.move.named': 'after' },
  },
  {
    name: 'MOVE of a folder',
    prepare: tree,
    run: (world, api) => dav(world, api, 'MOVE', 'tree', { to: 'to/tree' }),
    points: { 'storage.move.chosen': 'before', 'storage.move.named': 'after' },
  },
  {
    name: 'COPY of a file',
    prepare: async (world, api) => {
      await threeContents(world, api);
      await mkdir(join(world.real, 'other'));
    },
    run: (world, api) => dav(world, api, 'COPY', 'doc.txt', { to: 'other/doc.txt' }),
    points: { 'storage.copy.flush': 'before', ...COPIED },
  },
  {
    name: 'COPY over a file',
    prepare: twoFiles,
    run: (world, api) => dav(world, api, 'COPY', 'doc.txt', { to: 'folder/doc.txt' }),
    points: { 'storage.copy.flush': 'before', ...OVERWRITE },
  },
  {
    name: 'COPY of a folder',
    prepare: tree,
    run: (world, api) => dav(world, api, 'COPY', 'tree', { to: 'to/tree' }),
    points: {
      'storage.copy.flush': 'before',
      'files.copy.flush-folders': 'before',
      'storage.put-back': 'before',
      'storage.put-back.named': 'after',
    },
  },
  {
    name: 'DELETE',
    prepare: tree,
    run: (world, api) => dav(world, api, 'DELETE', 'tree'),
    points: { 'storage.take-out': 'before', 'storage.taken-out': 'after' },
  },
];
