import { type FileAction, missingPermissionFor } from '../../access/rights.ts';
import type { AccountRecord } from '../../accounts/accounts.ts';
import type { Listing } from '../../listing/listing.ts';
import type { HandOn, Row } from './context.ts';

/** What can be done with files and folders that are there, in the order in which it is offered. */
export const ITEM_ACTIONS = [
  'download',
  'star',
  'unstar',
  'share',
  'link',
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
  /** Nobody gives by a link what they may not have themselves; of a folder they can ask for files. */
  readonly linkFiles: boolean;
  /** To read what people and files say of them. */
  readonly details: boolean;
  readonly items: ReadonlySet<ItemAction>;
}

/**
 * By what the listing says of its place, and the account's own permissions (§2.5, §2.8).
 * @param handOn what whoever shares the place lets be handed on, where it is somebody else's
 */
export function abilitiesIn(
  { permissions }: Pick<AccountRecord, 'permissions'>,
  { path, perms }: Pick<Listing['meta'], 'path' | 'perms'>,
  handOn: HandOn,
): Abilities {
  const may = (action: FileAction) => missingPermissionFor(action, permissions) === null;
  const isTrash = path === '/TRASH';
  const can: Record<ItemAction, boolean> = {
    download: !isTrash && perms.download,
    star: !isTrash && may('files/star'),
    unstar: !isTrash && may('files/unstar'),
    share: !isTrash && handOn.share && may('files/share'),
    link: !isTrash && handOn.link && may('files/weblink') && (may('files/download') || may('files/upload')),
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
    linkFiles: may('files/download'),
    details: may('files/metadata'),
    items: new Set(ITEM_ACTIONS.filter((action) => can[action])),
  };
}

/** Those of the actions that make sense for one item. */
export function actionsFor(
  { items, downloadFolders, linkFiles }: Abilities,
  { isDir, isStarred, canOpen }: Row,
): ItemAction[] {
  return ITEM_ACTIONS.filter((action) => {
    if (action === 'star' && isStarred) return false;
    if (action === 'unstar' && !isStarred) return false;
    if (action === 'download' && ((isDir && !downloadFolders) || !canOpen)) return false;
    if (action === 'link' && !isDir && !linkFiles) return false;
    return items.has(action);
  });
}
