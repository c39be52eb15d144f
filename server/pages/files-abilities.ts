import { type FileAction, hindranceTo } from '../access/rights.ts';
import type { AccountRecord } from '../accounts/accounts.ts';
import type { Listing } from '../listing/listing.ts';
import type { Row } from './files-context.ts';

/** What can be done with files and folders that are there, in the order in which it is offered. */
export const ITEM_ACTIONS = [
  'download',
  'star',
  'unstar',
  'share',
  'rename',
  'move',
  'copy',
  'restore',
  'delete',
  'erase',
] as const;
export type ItemAction = (typeof ITEM_ACTIONS)[number];

/** What somebody may do in a folder or list, and with what is in it: every button comes from here. */
export interface Abilities {
  /** To bring files and folders into it. */
  readonly upload: boolean;
  readonly emptyTrash: boolean;
  /** Folders go out as archives, which is a right of its own. */
  readonly downloadFolders: boolean;
  readonly items: ReadonlySet<ItemAction>;
}

/**
 * By what the listing says of its place, and the account's own permissions (§2.5, §2.8).
 * @param mayShare whether the place may be shared further, where it is somebody else's
 */
export function abilitiesIn(
  { permissions }: Pick<AccountRecord, 'permissions'>,
  { path, perms }: Pick<Listing['meta'], 'path' | 'perms'>,
  mayShare: boolean,
): Abilities {
  const may = (action: FileAction) => hindranceTo(action, permissions) === null;
  const isTrash = path === '/TRASH';
  const can: Record<ItemAction, boolean> = {
    download: !isTrash && perms.download,
    star: !isTrash && may('files/star'),
    unstar: !isTrash && may('files/unstar'),
    share: !isTrash && mayShare && may('files/share'),
    rename: !isTrash && perms.alter,
    move: !isTrash && perms.alter && may('files/move'),
    copy: !isTrash && may('files/copy'),
    delete: !isTrash && perms.alter && may('files/delete'),
    restore: isTrash && may('files/trash/restore'),
    erase: isTrash && may('files/trash/delete'),
  };
  return {
    upload: perms.upload,
    emptyTrash: isTrash && may('files/trash/empty'),
    downloadFolders: perms.download && may('files/download folder'),
    items: new Set(ITEM_ACTIONS.filter((action) => can[action])),
  };
}

/** Those of the actions that make sense for one item. */
export function actionsFor({ items, downloadFolders }: Abilities, { isDir, isStarred, canOpen }: Row): ItemAction[] {
  return ITEM_ACTIONS.filter((action) => {
    if (action === 'star' && isStarred) return false;
    if (action === 'unstar' && !isStarred) return false;
    if (action === 'download' && ((isDir && !downloadFolders) || !canOpen)) return false;
    return items.has(action);
  });
}
