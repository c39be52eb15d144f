import type { ApiClient, Reply } from '../../support/requests/api-client.ts';

/** What somebody has of their own, to put what they get into and to send somewhere. */
export interface Own {
  /** A folder that they may write in, with `mine.txt` and `mine.zip`. */
  readonly folder: string;
  /** The id of a field that every file has. */
  readonly field: number;
}

/** One way to do something with an item of somebody. */
export interface ObjectCall {
  readonly of: string;
  readonly what: string;
  /** Which item: the folder, or one in it. */
  readonly item: '' | 'secret.txt' | 'secret.zip' | 'secret.svg';
  readonly call: (api: ApiClient, path: string, own: Own) => Promise<Reply>;
  /** The same by the uuid of the item, where the operation takes it. */
  readonly byUuid?: (api: ApiClient, uuid: string, own: Own) => Promise<Reply>;
}

type Form = Record<string, string | number | readonly string[]>;

const posted = (of: string, item: ObjectCall['item'], form: Form = {}, what = item || 'the folder'): ObjectCall => ({
  of,
  what,
  item,
  call: (api, path) => api.post(of, { path, ...form }),
  byUuid: (api, uuid) => api.post(of, { uuid, ...form }),
});

const FILE = 'secret.txt';

async function addToAlbum(api: ApiClient, item: { path: string } | { uuid: string }): Promise<Reply> {
  const { body } = await api.post('albums/add', { title: 'Mine' });
  return api.post('albums/items/add', { album: body.data?.album ?? 'none', items: JSON.stringify([item]) });
}

/** Typed by hand: every operation that names an item, by each parameter that names one. Deleting comes last. */
export const OBJECT_CALLS: readonly ObjectCall[] = [
  posted('files/browse', ''),
  posted('files/browse', '', { recursive: 1, 'details[]': ['uuid', 'weblink', 'weblink-full'] }, 'everything in it'),
  posted('files/search', '', { filename: 'secret' }),
  posted('files/search', '', { contents: 'secret' }, 'words'),
  posted('files/known', '', { items: JSON.stringify([{ name: FILE, size: 1, sha256: '0'.repeat(64) }]) }),
  posted('files/receipt', '', { items: JSON.stringify([{ name: FILE, size: 1, sha256: '0'.repeat(64) }]) }),
  posted('files/info', FILE),
  posted('files/star', FILE),
  posted('files/unstar', FILE),
  posted('albums/folder', ''),
  {
    of: 'albums/items/add',
    what: 'a picture',
    item: 'secret.svg',
    call: (api, path) => addToAlbum(api, { path }),
    byUuid: (api, uuid) => addToAlbum(api, { uuid }),
  },
  {
    of: 'imports/add',
    what: 'out of it',
    item: 'secret.zip',
    call: (api, path, { folder }) => api.post('imports/add', { 'paths[]': [path], target: folder }),
  },
  {
    of: 'imports/add',
    what: 'into it',
    item: '',
    call: (api, path, { folder }) => api.post('imports/add', { 'paths[]': [`${folder}/mine.zip`], target: path }),
  },
  posted('files/comments/list', FILE),
  posted('files/comments/add', FILE, { comment: 'theirs' }),
  posted('files/metadata', FILE),
  {
    of: 'files/metadata/set',
    what: FILE,
    item: FILE,
    call: (api, path, { field }) => api.post('files/metadata/set', { path, [`fields[${field}]`]: 'theirs' }),
    byUuid: (api, uuid, { field }) => api.post('files/metadata/set', { uuid, [`fields[${field}]`]: 'theirs' }),
  },
  posted('files/label', FILE, { label: 'red' }),
  posted('files/rating', FILE, { rating: 5 }),
  posted('files/tags/add', FILE, { 'tags[]': ['theirs'] }),
  posted('files/tags/remove', FILE, { 'tags[]': ['mine'] }),
  posted('files/createfolder', '', { name: 'theirs' }),
  posted('files/download', FILE),
  posted('files/download', FILE, { version: 1 }, 'an old version'),
  posted('files/download', '', {}, 'the folder as an archive'),
  posted('files/thumbnail', 'secret.svg', { width: 32, height: 32 }),
  posted('files/versions/list', FILE),
  posted('files/versions/restore', FILE, { version: 1 }),
  posted('files/share', '', { uid: 1 }),
  posted('files/share', '', { name: 'Their guest', email: 'theirs@example.net' }, 'with a guest'),
  // Ben, who is the second that is added.
  posted('files/unshare', '', { uid: 3 }),
  posted('files/weblink', FILE),
  posted('files/weblink', '', { allow_uploads: 1 }, 'the folder, for uploads'),
  posted('files/weblink/edit', '', { password: '' }),
  posted('files/unweblink', ''),
  posted('files/lock', FILE),
  posted('files/unlock', FILE),
  {
    of: 'files/upload',
    what: 'over the file',
    item: FILE,
    call: (api, path) => api.put({ path }, 'theirs'),
    byUuid: (api, uuid) => api.put({ uuid }, 'theirs'),
  },
  {
    of: 'files/upload',
    what: 'a new file, by its whole path',
    item: '',
    call: (api, path) => api.put({ filePath: `${path}/theirs/new.txt` }, 'theirs'),
  },
  {
    of: 'files/upload',
    what: 'how much of it is there',
    item: FILE,
    call: (api, path) => api.put({ path, getOffset: 1, totalSize: 100 }, ''),
    byUuid: (api, uuid) => api.put({ uuid, getOffset: 1, totalSize: 100 }, ''),
  },
  {
    of: 'files/upload',
    what: 'a piece',
    item: FILE,
    call: (api, path) => api.put({ path, startByte: 0, totalSize: 100 }, 'theirs'),
    byUuid: (api, uuid) => api.put({ uuid, startByte: 0, totalSize: 100 }, 'theirs'),
  },
  {
    of: 'files/copy',
    what: 'out of it',
    item: FILE,
    call: (api, path, { folder }) => api.post('files/copy', { path, copyTo: folder }),
    byUuid: (api, uuid, { folder }) => api.post('files/copy', { uuid, copyTo: folder }),
  },
  {
    of: 'files/copy',
    what: 'into it',
    item: '',
    call: (api, path, { folder }) => api.post('files/copy', { path: `${folder}/mine.txt`, copyTo: path }),
  },
  {
    of: 'files/zip',
    what: 'out of it',
    item: FILE,
    call: (api, path, { folder }) =>
      api.post('files/zip', { 'paths[]': [path], target: folder, archiveName: 'out.zip' }),
  },
  {
    of: 'files/zip',
    what: 'into it',
    item: '',
    call: (api, path, { folder }) =>
      api.post('files/zip', { 'paths[]': [`${folder}/mine.txt`], target: path, archiveName: 'in.zip' }),
  },
  {
    of: 'files/extract',
    what: 'out of it',
    item: 'secret.zip',
    call: (api, path, { folder }) => api.post('files/extract', { path, extractTo: folder }),
    byUuid: (api, uuid, { folder }) => api.post('files/extract', { uuid, extractTo: folder }),
  },
  {
    of: 'files/extract',
    what: 'into it',
    item: '',
    call: (api, path, { folder }) => api.post('files/extract', { path: `${folder}/mine.zip`, extractTo: path }),
  },
  {
    of: 'files/move',
    what: 'into it',
    item: '',
    call: (api, path, { folder }) => api.post('files/move', { path: `${folder}/mine.txt`, moveTo: path }),
  },
  posted('files/rename', 'secret.svg', { newName: 'theirs.svg' }),
  posted('files/versions/delete', FILE, { version: 1 }),
  {
    of: 'files/move',
    what: 'out of it',
    item: 'secret.zip',
    call: (api, path, { folder }) => api.post('files/move', { path, moveTo: folder }),
    byUuid: (api, uuid, { folder }) => api.post('files/move', { uuid, moveTo: folder }),
  },
  posted('files/delete', FILE),
  posted('files/delete', '', { permanent: 1 }, 'the folder, for good'),
];
