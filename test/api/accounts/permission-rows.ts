import { ALBUM_ROWS } from './album-permission-rows.ts';
import { IMPORT_ROWS } from './import-permission-rows.ts';
import { MEGABYTE, path, post, type Row } from './permission-members.ts';

const ONE_FILE = JSON.stringify([{ name: 'a.txt', size: 1, sha256: '0'.repeat(64) }]);

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
