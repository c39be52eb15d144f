import { HOME_BASE } from '../../access/access.ts';
import { type FileAction, missingPermissionFor } from '../../access/rights.ts';
import type { AccountRecord } from '../../accounts/accounts.ts';
import { isPhotoType } from '../../albums/change-albums.ts';
import { MAX_EDITED } from '../../lib/text/edited-text.ts';
import { isShownAsText } from '../viewer/kinds.ts';
import type { Row } from './context.ts';
import { ITEM_ACTIONS, type ItemAction } from './item-actions.ts';
import type { PagePermissions, ReshareRights } from './listing/shared-roots.ts';

export { ITEM_ACTIONS, type ItemAction } from './item-actions.ts';

/** What the caller may do in a folder or list, and with its items. Every button depends on it. */
export interface Abilities {
  /** Whether files and folders can be added. */
  readonly upload: boolean;
  /** Whether others can be asked for files, by a link to the folder. A home has no links. */
  readonly requestFiles: boolean;
  readonly emptyTrash: boolean;
  /** Whether deleted pictures are shown. */
  readonly deletedPictures: boolean;
  /** Folders are downloaded as archives, which is a right of its own. */
  readonly downloadFolders: boolean;
  /** A link cannot give rights its maker lacks; a file request for a folder needs fewer. */
  readonly linkFiles: boolean;
  /** Whether metadata and comments can be read. */
  readonly details: boolean;
  readonly items: ReadonlySet<ItemAction>;
}

/**
 * From the permissions of the listing and those of the account (§2.5, §2.8).
 * @param reshare what the sharer allows to be shared further, in someone else's folder
 */
export function abilitiesIn(
  { permissions }: Pick<AccountRecord, 'permissions'>,
  { path, perms }: { readonly path: string; readonly perms: PagePermissions },
  reshare: ReshareRights,
): Abilities {
  const may = (action: FileAction) => missingPermissionFor(action, permissions) === null;
  const isTrash = path === '/TRASH';
  const isOwn = !path.startsWith('/ROOT/') || path === HOME_BASE || path.startsWith(`${HOME_BASE}/`);
  const can: Record<ItemAction, boolean> = {
    download: !isTrash && perms.download,
    edit: !isTrash && canEditIn(perms) && may('files/upload:replace'),
    star: !isTrash && may('files/star'),
    unstar: !isTrash && may('files/unstar'),
    share: !isTrash && reshare.share && may('files/share'),
    link: !isTrash && reshare.link && may('files/weblink') && (may('files/download') || may('files/upload')),
    versions: !isTrash && perms.download && may('files/versions/list'),
    replace: !isTrash && canReplaceIn(perms) && may('files/upload:replace'),
    tag: !isTrash && perms.alter && may('files/tags/add'),
    album: !isTrash && may('albums/items/add'),
    // Only in an album.
    albumCover: false,
    albumRemove: false,
    rename: !isTrash && perms.alter,
    move: !isTrash && perms.alter && may('files/move'),
    // In the own home, a copy needs no right to download.
    copy: !isTrash && (isOwn || perms.download) && may('files/copy'),
    delete: !isTrash && perms.alter && may('files/delete'),
    restore: isTrash && may('files/trash/restore'),
    erase: isTrash && may('files/trash/delete'),
  };
  return {
    upload: perms.upload,
    requestFiles: perms.upload && can.link && path !== HOME_BASE,
    emptyTrash: isTrash && may('files/trash/empty'),
    deletedPictures: isTrash && may('files/thumbnail'),
    downloadFolders: perms.download && may('files/download:folder'),
    linkFiles: may('files/download'),
    details: may('files/metadata'),
    items: new Set(ITEM_ACTIONS.filter((action) => can[action])),
  };
}

/** The actions that apply to one item. */
export function actionsFor({ items, downloadFolders, linkFiles }: Abilities, row: Row): ItemAction[] {
  const { isDir, isStarred, canOpen, type, cannot } = row;
  return ITEM_ACTIONS.filter((action) => {
    if (cannot?.includes(action) === true) return false;
    if (action === 'star' && isStarred) return false;
    if (action === 'unstar' && !isStarred) return false;
    if (action === 'download' && ((isDir && !downloadFolders) || !canOpen)) return false;
    if (action === 'edit' && !isEditable(row)) return false;
    if (action === 'link' && !isDir && !linkFiles) return false;
    if ((action === 'versions' || action === 'replace') && isDir) return false;
    if (action === 'album' && !isPhotoType(type)) return false;
    return items.has(action);
  });
}

/** Whether files of a folder or list can get other contents. */
function canReplaceIn({ upload, alter, replace = upload && alter }: PagePermissions): boolean {
  return replace;
}

/** Whether they can also be read. */
export function canEditIn(perms: PagePermissions): boolean {
  return perms.download && canReplaceIn(perms);
}

/** Whether a file is a text that the pages can edit, by its name and size. */
export function isEditable({ name, type, size, isDir, canOpen }: Row): boolean {
  return !isDir && canOpen && size !== null && size <= MAX_EDITED && isShownAsText(name, type);
}

/** Actions of an album itself, which no share decides. */
const OF_ALBUM: ReadonlySet<ItemAction> = new Set(['albumCover', 'albumRemove']);

/** What is left of the actions for an item that is reached through an album. */
export function throughAlbum(items: ReadonlySet<ItemAction>): ReadonlySet<ItemAction> {
  return new Set([...items].filter((action) => action === 'download'));
}

/** The actions of a list that its item does not allow, because of its type or the share it is in. */
export function actionsWithout(
  account: Pick<AccountRecord, 'permissions'>,
  { items }: Pick<Abilities, 'items'>,
  { path, rights, type, cannot = [] }: Pick<Row, 'path' | 'rights' | 'type' | 'cannot'>,
): ItemAction[] {
  const unfit: ItemAction[] = [...cannot, ...(items.has('album') && !isPhotoType(type) ? (['album'] as const) : [])];
  if (rights === null) return unfit;
  const all = abilitiesIn(account, { path, perms: rights.perms }, rights.reshare).items;
  const own = rights.isOfAlbum === true ? throughAlbum(all) : all;
  const lacking = (action: ItemAction) => items.has(action) && !own.has(action) && !OF_ALBUM.has(action);
  return ITEM_ACTIONS.filter((action) => unfit.includes(action) || lacking(action));
}
