/** Operations that only look. */
export const LOOKING = [
  'account/info',
  'account/app-passwords/list',
  'admin-users/info',
  'admin-users/avatar',
  'albums/items',
  'albums/links',
  'albums/list',
  'albums/shares',
  'files/browse',
  'files/info',
  'files/known',
  'files/metadata',
  'files/metadata/fields',
  'files/receipt',
  'files/search',
  'files/thumbnail',
  'files/versions/list',
  'imports/item',
  'imports/list',
];
/** What is about nobody but the one who does it. */
export const PRIVATE = [
  ...['files/star', 'files/unstar'],
  ...['add', 'folder', 'edit', 'delete', 'items/add', 'items/remove'].map((name) => `albums/${name}`),
  // What an import stores has entries of its own.
  ...['imports/add', 'imports/cancel', 'imports/resume'],
];
/** What is between people, and what is said of files, has tests of its own. */
export const COMMENTS = ['list', 'add', 'delete'].map((name) => `files/comments/${name}`);
export const SHARING = [
  ...['share', 'unshare', 'weblink', 'weblink/edit', 'unweblink'].map((name) => `files/${name}`),
  ...['albums/share', 'albums/unshare', 'albums/link', 'albums/unlink'],
];
export const METADATA = ['metadata/set', 'label', 'rating', 'tags/add', 'tags/remove'].map((name) => `files/${name}`);
