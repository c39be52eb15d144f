import type { Scope } from '../oauth/scopes.ts';

const BROWSE = ['list'] as const satisfies readonly Scope[];
const RECEIVE = ['upload'] as const satisfies readonly Scope[];
const SEND = ['download'] as const satisfies readonly Scope[];
const TRANSFER = ['download', 'upload'] as const satisfies readonly Scope[];
const CHANGE = ['modify'] as const satisfies readonly Scope[];
const REMOVE = ['delete'] as const satisfies readonly Scope[];
const DESCRIBE = ['metadata'] as const satisfies readonly Scope[];
const LINK = ['weblink'] as const satisfies readonly Scope[];
const SHARE = ['share'] as const satisfies readonly Scope[];

/** The scopes that each operation on files needs of a credential, whatever the protocol: the ones of the API's operation. */
export const ACTION_SCOPES = {
  'files/browse': BROWSE,
  'files/search': BROWSE,
  'files/search:contents': BROWSE,
  'files/search:metadata': ['list', 'metadata'],
  'files/search:comments': ['list', 'metadata'],
  'files/known': ['list', 'download'],
  'files/receipt': ['list', 'download'],
  'files/star': CHANGE,
  'files/unstar': CHANGE,
  'albums/list': BROWSE,
  'albums/add': CHANGE,
  'albums/folder': CHANGE,
  'albums/edit': CHANGE,
  'albums/delete': CHANGE,
  'albums/items': BROWSE,
  'albums/items/add': CHANGE,
  'albums/items/remove': CHANGE,
  'files/createfolder': RECEIVE,
  'files/upload': RECEIVE,
  'files/upload:replace': RECEIVE,
  'files/rename': CHANGE,
  'files/move': TRANSFER,
  'files/move:within': TRANSFER,
  'files/move:into': TRANSFER,
  'files/move:replace': TRANSFER,
  'files/copy': TRANSFER,
  'files/copy:into': TRANSFER,
  'files/extract': CHANGE,
  'files/extract:into': CHANGE,
  'files/zip': TRANSFER,
  'files/zip:folder': TRANSFER,
  'files/zip:into': TRANSFER,
  'files/download': SEND,
  'files/download:folder': SEND,
  'files/download:version': SEND,
  'files/thumbnail': SEND,
  'files/delete': REMOVE,
  'files/delete:permanent': REMOVE,
  'files/lock': CHANGE,
  'files/unlock': CHANGE,
  'files/share': SHARE,
  'files/unshare': SHARE,
  'files/weblink': LINK,
  'files/weblink/edit': LINK,
  'files/unweblink': LINK,
  'files/comments/list': DESCRIBE,
  'files/comments/add': DESCRIBE,
  'files/comments/delete': DESCRIBE,
  'files/comments/delete:any': DESCRIBE,
  'files/metadata': DESCRIBE,
  'files/metadata/fields': DESCRIBE,
  'files/metadata/set': DESCRIBE,
  'files/label': DESCRIBE,
  'files/rating': DESCRIBE,
  'files/tags/add': DESCRIBE,
  'files/tags/remove': DESCRIBE,
  'files/trash/restore': REMOVE,
  'files/trash/delete': REMOVE,
  'files/trash/empty': REMOVE,
  'files/versions/list': BROWSE,
  'files/versions/restore': CHANGE,
  'files/versions/delete': REMOVE,
} as const satisfies Record<string, readonly Scope[]>;

/** The operations that change nothing, of an item or of what the account has: all that a read-only credential may do. */
export const READING: ReadonlySet<string> = new Set<keyof typeof ACTION_SCOPES>([
  'files/browse',
  'files/search',
  'files/search:contents',
  'files/search:metadata',
  'files/search:comments',
  'files/known',
  'files/receipt',
  'albums/list',
  'albums/items',
  'files/download',
  'files/download:folder',
  'files/download:version',
  'files/thumbnail',
  'files/comments/list',
  'files/metadata',
  'files/metadata/fields',
  'files/versions/list',
]);
