import type { Granted } from '../../support/households/member.ts';
import type { ApiClient, Reply } from '../../support/requests/api-client.ts';

export const MEGABYTE = 1_048_576;

/** A member for each, whose home holds a little more than one megabyte. */
export const MEMBERS = {
  free: {},
  readonly: { readonly: true },
  noupload: { upload: false },
  nodownload: { download: false },
  nofolders: { download_folders: false },
  nohistory: { file_history: false },
  small: { upload_max_size: 1 },
  pictures: { upload_limit_types: 'jpg, .png' },
  full: { space_quota_max: 1 },
  noshare: { share: false },
  noread: { read_comments: false },
  nowrite: { write_comments: false },
  nolink: { weblink: false },
  nometa: { metadata: false },
} satisfies Record<string, Granted>;

export type Member = keyof typeof MEMBERS;

interface Row {
  readonly of: string;
  readonly what: string;
  readonly call: (api: ApiClient, trashed: Trashed) => Promise<Reply>;
  /** Who is refused, and with what; everyone else is answered. */
  readonly refused: Partial<Record<Member, string>>;
}

export interface Trashed {
  readonly restore: string;
  readonly remove: string;
  /** The id of one on `a.txt`. */
  readonly comment: number;
  /** The id of a field that every file has. */
  readonly field: number;
}

export const path = (name: string) => `/ROOT/HOME/${name}`;
const post = (operation: string, form: Record<string, string | number>) => (api: ApiClient) =>
  api.post(operation, form);

const ONE_FILE = JSON.stringify([{ name: 'a.txt', size: 1, sha256: '0'.repeat(64) }]);

/** Everyone may have albums. */
const ALBUM_ROWS: readonly Row[] = [
  { of: 'albums/list', what: 'all', call: post('albums/list', {}), refused: {} },
  { of: 'albums/items', what: 'of favourites', call: post('albums/items', { album: 'favourites' }), refused: {} },
  { of: 'albums/add', what: 'a list', call: post('albums/add', { title: 'Summer' }), refused: {} },
  { of: 'albums/folder', what: 'a folder', call: post('albums/folder', { path: path('folder') }), refused: {} },
  ...(
    [
      ['albums/edit', { title: 'Winter' }],
      ['albums/items/add', { items: JSON.stringify([{ path: path('drawing.svg') }]) }],
      ['albums/items/remove', { items: JSON.stringify([{ uuid: '00000000-0000-4000-8000-000000000000' }]) }],
      ['albums/delete', {}],
    ] as const
  ).map(([of, form]) => ({
    of,
    what: 'a list',
    call: async (api: ApiClient) => {
      const { body } = await api.post('albums/add', { title: 'Summer' });
      return api.post(of, { album: body.data.album, ...form });
    },
    refused: {},
  })),
  ...(['albums/shares', 'albums/share', 'albums/unshare', 'albums/items/add'] as const).map((of) => ({
    of,
    what: 'a shared list',
    call: async (api: ApiClient) => {
      const { album } = (await api.post('albums/add', { title: 'Summer' })).body.data;
      const shared = await api.post('albums/share', { album, uid: 1, role: 'view' });
      if (of === 'albums/share' || (of === 'albums/unshare' && shared.status !== 200)) return shared;
      const items = JSON.stringify([{ path: path('drawing.svg') }]);
      return api.post(of, {
        album,
        ...(of === 'albums/unshare' ? { uid: 1 } : of === 'albums/items/add' ? { items } : {}),
      });
    },
    refused: of === 'albums/share' || of === 'albums/unshare' ? { noshare: '403 share' } : {},
  })),
  ...(['albums/link', 'albums/links', 'albums/unlink'] as const).map((of) => ({
    of,
    what: 'a list',
    call: async (api: ApiClient) => {
      const { album } = (await api.post('albums/add', { title: 'Summer' })).body.data;
      await api.post('albums/items/add', { album, items: JSON.stringify([{ path: path('drawing.svg') }]) });
      const linked = await api.post('albums/link', { album });
      return of === 'albums/link' || linked.status !== 200 ? linked : api.post(of, { album });
    },
    refused: { nolink: '403 weblink', nodownload: '403 download' } as const,
  })),
];

const NO_IMPORT = { import: '00000000-0000-4000-8000-000000000000' };
const MAY_NOT_BRING = { readonly: '403 readonly', noupload: '403 upload' } as const;
const allGet = (refusal: string) => Object.fromEntries(Object.keys(MEMBERS).map((member) => [member, refusal]));

/** Who may bring files may import them; everyone may look at what was imported. */
const IMPORT_ROWS: readonly Row[] = [
  {
    of: 'imports/add',
    what: 'an archive',
    call: (api) => api.post('imports/add', { 'paths[]': [path('packed.zip')], target: path('other') }),
    refused: MAY_NOT_BRING,
  },
  { of: 'imports/list', what: 'all', call: post('imports/list', {}), refused: {} },
  { of: 'imports/item', what: 'none', call: post('imports/item', NO_IMPORT), refused: allGet('404 not_found') },
  { of: 'imports/cancel', what: 'none', call: post('imports/cancel', NO_IMPORT), refused: allGet('404 not_found') },
  {
    of: 'imports/resume',
    what: 'none',
    call: post('imports/resume', NO_IMPORT),
    refused: { ...allGet('404 not_found'), ...MAY_NOT_BRING },
  },
];

/** Typed by hand. */
export const ROWS: readonly Row[] = [
  { of: 'files/browse', what: 'a folder', call: post('files/browse', { path: path('folder') }), refused: {} },
  { of: 'files/info', what: 'a file', call: post('files/info', { path: path('a.txt') }), refused: {} },
  { of: 'files/browse', what: 'the starred ones', call: post('files/browse', { path: '/STARRED' }), refused: {} },
  { of: 'files/browse', what: 'the trash', call: post('files/browse', { path: '/TRASH' }), refused: {} },
  {
    of: 'files/browse',
    what: 'everything',
    call: post('files/browse', { path: '/ROOT/HOME', recursive: 1 }),
    refused: {},
  },
  {
    of: 'files/search',
    what: 'a name',
    call: post('files/search', { path: '/ROOT/HOME', filename: 'a' }),
    refused: {},
  },
  {
    of: 'files/search',
    what: 'a tag',
    call: post('files/search', { path: '/ROOT/HOME', 'meta[tag][]': 'a' }),
    refused: { nometa: '403 metadata' },
  },
  {
    of: 'files/search',
    what: 'a type',
    call: post('files/search', { path: '/ROOT/HOME', metatype: 2 }),
    refused: {},
  },
  {
    of: 'files/search',
    what: 'a comment',
    call: post('files/search', { path: '/ROOT/HOME', 'meta[comment][]': 'a' }),
    refused: { nometa: '403 metadata', noread: '403 read_comments' },
  },
  {
    of: 'files/known',
    what: 'in a folder',
    call: post('files/known', { path: '/ROOT/HOME', items: ONE_FILE }),
    refused: { nodownload: '403 download' },
  },
  {
    of: 'files/receipt',
    what: 'in a folder',
    call: post('files/receipt', { path: '/ROOT/HOME', items: ONE_FILE }),
    refused: { nodownload: '403 download' },
  },
  {
    of: 'files/metadata',
    what: 'of a file',
    call: post('files/metadata', { path: path('a.txt') }),
    refused: { nometa: '403 metadata' },
  },
  {
    of: 'files/metadata/fields',
    what: 'all',
    call: post('files/metadata/fields', {}),
    refused: { nometa: '403 metadata' },
  },
  {
    of: 'files/metadata/set',
    what: 'of a file',
    call: (api, { field }) => api.post('files/metadata/set', { path: path('a.txt'), [`fields[${field}]`]: 'Box 3' }),
    refused: { nometa: '403 metadata', readonly: '403 readonly' },
  },
  ...[
    { of: 'files/label', form: { label: 'Urgent|#d33' } },
    { of: 'files/rating', form: { rating: 3 } },
    { of: 'files/tags/add', form: { 'tags[]': 'garden' } },
    { of: 'files/tags/remove', form: { 'tags[]': 'garden' } },
  ].map(({ of, form }) => ({
    ...{ of, what: 'a file', call: post(of, { path: path('a.txt'), ...form }) },
    refused: { nometa: '403 metadata', readonly: '403 readonly' },
  })),
  { of: 'files/star', what: 'a folder', call: post('files/star', { path: path('folder') }), refused: {} },
  ...ALBUM_ROWS,
  ...IMPORT_ROWS,
  { of: 'files/unstar', what: 'a folder', call: post('files/unstar', { path: path('folder') }), refused: {} },
  ...['files/share', 'files/unshare'].map((of) => ({
    ...{ of, what: 'a file', call: post(of, { path: path('a.txt'), uid: 1 }) },
    refused: { noshare: '403 share' },
  })),
  {
    of: 'files/weblink',
    what: 'to a file',
    call: post('files/weblink', { path: path('a.txt') }),
    refused: { nolink: '403 weblink', nodownload: '403 download' },
  },
  {
    of: 'files/weblink',
    what: 'to a folder, to send files',
    call: post('files/weblink', { path: path('folder'), allow_uploads: 1 }),
    refused: { nolink: '403 weblink', readonly: '403 readonly', noupload: '403 upload' },
  },
  {
    of: 'files/weblink/edit',
    what: 'of a folder',
    call: post('files/weblink/edit', { path: path('other'), notify: 1 }),
    refused: { nolink: '403 weblink', nodownload: '403 download' },
  },
  {
    of: 'files/unweblink',
    what: 'of a folder',
    call: post('files/unweblink', { path: path('moved') }),
    refused: { nolink: '403 weblink' },
  },
  {
    of: 'files/comments/list',
    what: 'of a file',
    call: post('files/comments/list', { path: path('a.txt') }),
    refused: { noread: '403 read_comments' },
  },
  {
    of: 'files/comments/add',
    what: 'to a file',
    call: post('files/comments/add', { path: path('a.txt'), comment: 'Nice' }),
    refused: { nowrite: '403 write_comments' },
  },
  {
    of: 'files/comments/delete',
    what: 'on one’s own file',
    call: (api, { comment }) => api.post('files/comments/delete', { path: path('a.txt'), id: comment }),
    refused: {},
  },
  {
    of: 'files/createfolder',
    what: 'a folder',
    call: post('files/createfolder', { path: '/ROOT/HOME', name: 'made' }),
    refused: { readonly: '403 readonly', noupload: '403 upload' },
  },
  {
    of: 'files/upload',
    what: 'a new file of 1 MB and a byte',
    call: (api) => api.put({ path: path('new.txt') }, Buffer.alloc(MEGABYTE + 1)),
    refused: {
      readonly: '403 readonly',
      noupload: '403 upload',
      small: '413 upload_too_large',
      pictures: '415 type_not_allowed',
      full: '507 quota_exceeded',
    },
  },
  {
    of: 'files/upload',
    what: 'over a file',
    call: (api) => api.put({ path: path('over.txt') }, 'new'),
    refused: {
      readonly: '403 readonly',
      noupload: '403 upload',
      pictures: '415 type_not_allowed',
      full: '507 quota_exceeded',
    },
  },
  {
    of: 'files/upload',
    what: 'a picture',
    call: (api) => api.put({ path: path('new.PNG') }, 'picture'),
    refused: { readonly: '403 readonly', noupload: '403 upload', full: '507 quota_exceeded' },
  },
  {
    of: 'files/upload',
    what: 'a form that names its file behind the content',
    call: async (api) => {
      const form = new FormData();
      form.append('file', new Blob(['content']));
      form.append('path', path('form.txt'));
      const packed = new Response(form);
      const headers = { 'content-type': packed.headers.get('content-type') ?? '' };
      return api.send('POST', '/api.php/files/upload', { headers, body: Buffer.from(await packed.arrayBuffer()) });
    },
    refused: {
      readonly: '403 readonly',
      noupload: '403 upload',
      pictures: '415 type_not_allowed',
      full: '507 quota_exceeded',
    },
  },
  {
    of: 'files/upload',
    what: 'the first piece of 1 MB and a byte',
    call: (api) => api.put({ path: path('pieces.txt'), totalSize: MEGABYTE + 1, startByte: 0 }, 'piece'),
    refused: {
      readonly: '403 readonly',
      noupload: '403 upload',
      small: '413 upload_too_large',
      pictures: '415 type_not_allowed',
      full: '507 quota_exceeded',
    },
  },
  {
    of: 'files/upload',
    what: 'how far it has come',
    call: (api) => api.send('PUT', `/api.php/files/upload?path=${path('some.txt')}&getOffset=1`),
    refused: { readonly: '403 readonly', noupload: '403 upload', pictures: '415 type_not_allowed' },
  },
  {
    of: 'files/download',
    what: 'a file',
    call: post('files/download', { path: path('a.txt') }),
    refused: { nodownload: '403 download' },
  },
  {
    of: 'files/thumbnail',
    what: 'of a drawing',
    call: post('files/thumbnail', { path: path('drawing.svg') }),
    refused: { nodownload: '403 download' },
  },
  {
    of: 'files/download',
    what: 'a folder',
    call: post('files/download', { path: path('folder') }),
    refused: { nodownload: '403 download', nofolders: '403 download_folders' },
  },
  {
    of: 'files/download',
    what: 'an old content',
    call: post('files/download', { path: path('old.txt'), version: 1 }),
    refused: { nodownload: '403 download', nohistory: '403 file_history' },
  },
  {
    of: 'files/rename',
    what: 'a file, which keeps its type',
    call: post('files/rename', { path: path('rename.txt'), newName: 'renamed.txt' }),
    refused: { readonly: '403 readonly' },
  },
  {
    of: 'files/rename',
    what: 'a file to another type',
    call: post('files/rename', { path: path('retype.txt'), newName: 'retype.sh' }),
    refused: { readonly: '403 readonly', pictures: '415 type_not_allowed' },
  },
  {
    of: 'files/rename',
    what: 'a folder',
    call: post('files/rename', { path: path('refolder'), newName: 'folder.exe' }),
    refused: { readonly: '403 readonly' },
  },
  {
    of: 'files/move',
    what: 'a file',
    call: post('files/move', { path: path('move.txt'), moveTo: path('other') }),
    refused: { readonly: '403 readonly' },
  },
  {
    of: 'files/move',
    what: 'a folder',
    call: post('files/move', { path: path('moved'), moveTo: path('other') }),
    refused: { readonly: '403 readonly' },
  },
  {
    of: 'files/copy',
    what: 'a file of 1 MB and a byte',
    call: post('files/copy', { path: path('large.txt'), copyTo: path('other') }),
    refused: {
      readonly: '403 readonly',
      noupload: '403 upload',
      pictures: '415 type_not_allowed',
      full: '507 quota_exceeded',
    },
  },
  {
    of: 'files/copy',
    what: 'a folder',
    call: post('files/copy', { path: path('folder'), copyTo: path('other') }),
    refused: {
      readonly: '403 readonly',
      noupload: '403 upload',
      pictures: '415 type_not_allowed',
      full: '507 quota_exceeded',
    },
  },
  {
    of: 'files/extract',
    what: 'an archive of a text of 1 MB and a byte',
    call: post('files/extract', { path: path('packed.zip'), extractTo: path('other') }),
    refused: {
      readonly: '403 readonly',
      noupload: '403 upload',
      pictures: '415 type_not_allowed',
      full: '507 quota_exceeded',
    },
  },
  {
    of: 'files/zip',
    what: 'a file',
    call: post('files/zip', { 'paths[]': path('a.txt'), target: path('other'), archiveName: 'file' }),
    refused: {
      readonly: '403 readonly',
      noupload: '403 upload',
      nodownload: '403 download',
      pictures: '415 type_not_allowed',
      full: '507 quota_exceeded',
    },
  },
  {
    of: 'files/zip',
    what: 'a folder',
    call: post('files/zip', { 'paths[]': path('folder'), target: path('other'), archiveName: 'folder' }),
    refused: {
      readonly: '403 readonly',
      noupload: '403 upload',
      nodownload: '403 download',
      nofolders: '403 download_folders',
      pictures: '415 type_not_allowed',
      full: '507 quota_exceeded',
    },
  },
  ...['files/lock', 'files/unlock'].map((of) => ({
    ...{ of, what: 'a file', call: post(of, { path: path('a.txt') }) },
    refused: { readonly: '403 readonly' },
  })),
  {
    of: 'files/delete',
    what: 'a file',
    call: post('files/delete', { path: path('delete.txt') }),
    refused: { readonly: '403 readonly' },
  },
  {
    of: 'files/delete',
    what: 'a file for good',
    call: post('files/delete', { path: path('erase.txt'), permanent: 1 }),
    refused: { readonly: '403 readonly' },
  },
  {
    of: 'files/trash/restore',
    what: 'a file',
    call: (api, { restore }) => api.post('files/trash/restore', { path: restore }),
    refused: { readonly: '403 readonly', pictures: '415 type_not_allowed' },
  },
  {
    of: 'files/trash/delete',
    what: 'a file',
    call: (api, { remove }) => api.post('files/trash/delete', { path: remove }),
    refused: { readonly: '403 readonly' },
  },
  { of: 'files/trash/empty', what: 'all', call: post('files/trash/empty', {}), refused: { readonly: '403 readonly' } },
  {
    of: 'files/versions/list',
    what: 'of a file',
    call: post('files/versions/list', { path: path('old.txt') }),
    refused: { nohistory: '403 file_history' },
  },
  {
    of: 'files/versions/restore',
    what: 'of a file',
    call: post('files/versions/restore', { path: path('back.txt'), version: 1 }),
    refused: {
      readonly: '403 readonly',
      nohistory: '403 file_history',
      pictures: '415 type_not_allowed',
      full: '507 quota_exceeded',
    },
  },
  {
    of: 'files/versions/delete',
    what: 'of a file',
    call: post('files/versions/delete', { path: path('forget.txt'), version: 1 }),
    refused: { readonly: '403 readonly', nohistory: '403 file_history' },
  },
];
