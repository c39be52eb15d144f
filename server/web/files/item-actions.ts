/** Actions on existing files and folders, in the order in which they are offered. */
export const ITEM_ACTIONS = [
  'download',
  'edit',
  'star',
  'unstar',
  'share',
  'link',
  'versions',
  'replace',
  'tag',
  'album',
  'albumCover',
  'albumRemove',
  'rename',
  'move',
  'copy',
  'restore',
  'delete',
  'erase',
] as const;
export type ItemAction = (typeof ITEM_ACTIONS)[number];
