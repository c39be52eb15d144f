import type { ShareFlag } from '../../../dist/server/shares/share-record.js';
import type { ApiClient, Reply } from '../../support/requests/api-client.ts';

export const HOME = '/ROOT/HOME';

export interface Row {
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
export const twice = async (owner: ApiClient, at: (name: string) => string) => {
  for (const content of ['one', 'two']) await owner.put({ path: at('old.txt') }, content);
};

const ONE_FILE = JSON.stringify([{ name: 'a.txt', size: 1, sha256: '0'.repeat(64) }]);

/** Typed by hand. */
export const ROWS: readonly Row[] = [
  { of: 'files/browse', what: 'the folder', needs: [], call: post('files/browse', '') },
  { of: 'files/info', what: 'a file', needs: [], call: post('files/info', 'a.txt') },
  { of: 'files/info', what: 'the folder', needs: [], call: post('files/info', '') },
  { of: 'files/browse', what: 'everything', needs: [], call: post('files/browse', '', { recursive: 1 }) },
  { of: 'files/search', what: 'by name', needs: [], call: post('files/search', '', { filename: 'a' }) },
  { of: 'files/search', what: 'by words', needs: ['download'], call: post('files/search', '', { contents: 'a' }) },
  { of: 'files/known', what: 'in the folder', needs: ['download'], call: post('files/known', '', { items: ONE_FILE }) },
  {
    of: 'files/receipt',
    what: 'in the folder',
    needs: ['download'],
    call: post('files/receipt', '', { items: ONE_FILE }),
  },
  { of: 'files/star', what: 'a file', needs: [], call: post('files/star', 'a.txt') },
  { of: 'albums/folder', what: 'the folder', needs: [], call: post('albums/folder', '') },
  {
    of: 'albums/items/add',
    what: 'a picture',
    needs: [],
    before: (owner, at) => owner.put({ path: at('photo.jpg') }, 'photo'),
    call: async (api, at) => {
      const { body } = await api.post('albums/add', { title: 'Summer' });
      const items = JSON.stringify([{ path: at('photo.jpg') }]);
      return api.post('albums/items/add', { album: body.data.album, items });
    },
  },
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
    of: 'imports/add',
    what: 'an archive in it',
    needs: 'owner',
    call: (api, at) => api.post('imports/add', { 'paths[]': [at('packed.zip')], target: `${HOME}/to` }),
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
  { of: 'files/metadata', what: 'of a file', needs: [], call: post('files/metadata', 'a.txt') },
  { of: 'files/metadata', what: 'of the folder', needs: [], call: post('files/metadata', '') },
  { of: 'files/search', what: 'by tags', needs: [], call: post('files/search', '', { 'meta[tag][]': 'a' }) },
  {
    of: 'files/search',
    what: 'by comments',
    needs: ['read_comments'],
    call: post('files/search', '', { 'meta[comment][]': 'a' }),
  },
  {
    of: 'files/metadata/set',
    what: 'of a file',
    needs: ['alter'],
    call: async (api, at) => {
      // The owner's first own field comes behind those that are there from the start.
      const { body } = await api.post('files/metadata/fields');
      const field = body.data.sets.at(-1).fields[0].id;
      return api.post('files/metadata/set', { path: at('a.txt'), [`fields[${field}]`]: 'Box 3' });
    },
  },
  { of: 'files/label', what: 'a file', needs: ['alter'], call: post('files/label', 'a.txt', { label: 'Urgent' }) },
  { of: 'files/rating', what: 'a file', needs: ['alter'], call: post('files/rating', 'a.txt', { rating: 3 }) },
  { of: 'files/tags/add', what: 'a file', needs: ['alter'], call: post('files/tags/add', 'a.txt', { 'tags[]': 'a' }) },
  { of: 'files/tags/add', what: 'the folder', needs: ['alter'], call: post('files/tags/add', '', { 'tags[]': 'a' }) },
  {
    of: 'files/tags/remove',
    what: 'a file',
    needs: ['alter'],
    call: post('files/tags/remove', 'a.txt', { 'tags[]': 'a' }),
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

/** They take no path in what is shared: one in the trash, which is everybody's own, or none. */
export const ANYBODYS = [
  ...['files/trash/restore', 'files/trash/delete', 'files/trash/empty', 'files/metadata/fields'],
  // An album belongs to the one who added it, whatever is shared, and is shared by itself.
  ...[
    'list',
    'add',
    'edit',
    'delete',
    'items',
    'items/remove',
    'shares',
    'share',
    'unshare',
    'link',
    'links',
    'unlink',
  ].map((name) => `albums/${name}`),
  // So does an import.
  ...['list', 'item', 'cancel', 'resume'].map((name) => `imports/${name}`),
];
