import { grantPath, type ItemTarget, shownName, targetIn } from '../../../access/access.ts';
import { type AccountCaller, rightsOf } from '../../../access/caller.ts';
import { folderPermissions, isPermitted } from '../../../access/rights.ts';
import type { Grant } from '../../../access/shared.ts';
import { displayName } from '../../../accounts/account-record.ts';
import type { FilesContext } from '../../../files/context.ts';
import { SHARED_NAME } from '../../../listing/browse/shared.ts';
import { t } from '../../../messages/messages.ts';

/** An item shared with the caller, as needed for rows of a list. */
export interface SharedPlace {
  readonly grant: Grant;
  readonly name: string;
  /** The path of the list that contains it. */
  readonly above: string;
  readonly canOpen: boolean;
  /** Who shares it; null where the caller is not to know. */
  readonly sharer: string | null;
  /** What the share allows with the items in it, and with itself. */
  readonly rights: { readonly inside: ItemRights; readonly top: ItemRights };
}

/** The permissions of a listing (§2.5), and what the pages need beside them. */
export interface PagePermissions {
  readonly upload: boolean;
  readonly download: boolean;
  readonly alter: boolean;
  /** Whether files may get other contents, if that does not follow from the others: a shared file can only be overwritten. */
  readonly replace?: boolean;
}

/** What may be done with an item of a share. */
interface ItemRights {
  readonly perms: PagePermissions;
  readonly reshare: ReshareRights;
  /** Whether it is reached through an album, which gives nothing but reading. */
  readonly isOfAlbum?: boolean;
}

/** What may be shared further, as far as the sharer decides. */
export interface ReshareRights {
  readonly share: boolean;
  readonly link: boolean;
}

/** @param share null in the caller's own home */
export function reshareOf(caller: AccountCaller, share: Grant | null): ReshareRights {
  return { share: share?.flags.share ?? true, link: isPermitted(rightsOf(caller), share, 'files/weblink') };
}

/** The beginning of every path into a share. */
const BASE = /^\/ROOT\/\d+\/\d+(?=\/|$)/;

/** By the beginnings of their paths, if any of these leads into a share. */
export async function sharedPlaces(
  { access }: Pick<FilesContext, 'access'>,
  caller: AccountCaller,
  paths: readonly string[],
): Promise<ReadonlyMap<string, SharedPlace>> {
  if (!paths.some((path) => BASE.test(path))) return new Map();
  const grants = await access.shared.grantsOf(caller.account);
  return new Map(grants.map((grant) => [grantPath(grant), placeOf(caller, grant)]));
}

function placeOf(caller: AccountCaller, grant: Grant): SharedPlace {
  const perms = folderPermissions(rightsOf(caller), grant);
  const reshare = reshareOf(caller, grant);
  const sharer = grant.sharer === null ? null : displayName(grant.sharer);
  return {
    grant,
    name: shownName(targetIn(grant, []), grant.location.segments.at(-1) ?? ''),
    above: sharer ?? SHARED_NAME,
    canOpen: perms.download,
    sharer,
    rights: { inside: { perms, reshare }, top: { perms: ofSharedItem(perms), reshare } },
  };
}

/** The shared item itself cannot be renamed, moved or deleted; a file can be overwritten. */
export function ofSharedItem(perms: PagePermissions): PagePermissions {
  return { ...perms, alter: false, replace: perms.upload && perms.alter };
}

/** Where an item is that the caller reaches through an album. */
export function placeInAlbum(caller: AccountCaller, grant: Grant): ItemPlace {
  const perms = folderPermissions(rightsOf(caller), grant);
  const sharer = displayName(grant.owner);
  const reshare = { share: false, link: false };
  return { folder: sharer, canOpen: perms.download, sharer, rights: { perms, reshare, isOfAlbum: true } };
}

/** Where an item is, for the caller, and what its share allows. */
export interface ItemPlace {
  /** The name of the folder it is in. */
  readonly folder: string;
  readonly canOpen: boolean;
  readonly sharer: string | null;
  /** Null in the caller's own home. */
  readonly rights: ItemRights | null;
}

/** Where an item is that is reached through a share; null for all others. */
export function sharedTarget(shared: ReadonlyMap<string, SharedPlace>, path: string): ItemTarget | null {
  const base = BASE.exec(path)?.[0] ?? '';
  const grant = shared.get(base)?.grant;
  return grant === undefined ? null : targetIn(grant, path.slice(base.length).split('/').slice(1));
}

export function placeIn(shared: ReadonlyMap<string, SharedPlace>, path: string): ItemPlace {
  const base = BASE.exec(path)?.[0] ?? '';
  const place = shared.get(base);
  const parent = path.slice(0, path.lastIndexOf('/'));
  const own = parent === '/ROOT/HOME' ? t('files.myFiles') : parent.slice(parent.lastIndexOf('/') + 1);
  if (place === undefined) return { folder: own, canOpen: true, sharer: null, rights: null };
  const { above, name, canOpen, sharer, rights } = place;
  return path === base
    ? { folder: above, canOpen, sharer, rights: rights.top }
    : { folder: parent === base ? name : own, canOpen, sharer, rights: rights.inside };
}
