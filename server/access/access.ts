import type { AccountRecord } from '../accounts/accounts.ts';
import type { Home, Homes } from '../catalogue/homes.ts';
import type { FilesDatabase } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';
import { isReachable } from '../lib/names/names.ts';
import { t } from '../messages/messages.ts';
import { ALBUMS_TREE } from './album-grants.ts';
import { type AccountCaller, type Caller, rightsOf } from './caller.ts';
import { folderLimitOf, limitedTo } from './folder-limit.ts';
import type { ItemName } from './item-name.ts';
import type { ItemTarget } from './item-target.ts';
import { type FileAction, permit, permitInShare } from './rights.ts';
import type { Grant, SharedAccess } from './shared.ts';

export type { ItemTarget } from './item-target.ts';

/** What a virtual path resolves to, for the caller. */
export type Target =
  /** `/` or `/ROOT`: the list of top-level entries. */
  | { readonly kind: 'top' }
  /** `/TRASH`: what was deleted from the caller's home. */
  | { readonly kind: 'trash'; readonly home: Home }
  /** Items from everywhere that the caller may see. */
  | { readonly kind: 'list'; readonly list: ListTree }
  /** `/ROOT/SHARED`: who shares something with the caller, and what is shared anonymously. */
  | { readonly kind: 'shared' }
  /** `/ROOT/<user_id>`: what one person shares with the caller; never empty. */
  | { readonly kind: 'sharer'; readonly sharer: AccountRecord; readonly grants: readonly Grant[] }
  /** `/SHARES`: what the caller shares. */
  | { readonly kind: 'shares' }
  /** `/LINKS`: what the caller has made web links to. */
  | { readonly kind: 'links' }
  | { readonly kind: 'item'; readonly item: ItemTarget };

/** @typeParam Name what names an item: the segments of its path, or also its uuid */
interface AccessBy<Name> {
  /**
   * A caller whose credential is limited to a folder reaches nothing but that folder, by the same paths as without the limit.
   * @throws ApiError `not_found` alike for items that do not exist and for those the caller may not know of
   */
  resolve(caller: Caller, name: Name): Promise<Target>;
  /**
   * The same where a file or folder is required for an operation. Missing permissions of the account are reported first: before
   * any lookup where the action is known, so that the answer does not depend on what exists.
   * @throws ApiError also `invalid_path` for a list such as `/ROOT`, `permission_denied`
   */
  resolveItem(
    caller: Caller,
    name: Name,
    action: FileAction | ((target: ItemTarget) => FileAction),
  ): Promise<ItemTarget>;
  /**
   * The whole home.
   * @throws ApiError `not_found` for an account without one, and for a credential that is limited to a folder, unless it is the home
   */
  homeOf(caller: Pick<AccountCaller, 'account' | 'credential'>): Promise<Home>;
  /** Everything shared with an account. */
  readonly shared: SharedAccess;
}

/** What operations use. */
export type Access = AccessBy<ItemName>;
/** The same for paths alone; see `createUuidAccess`. */
export type PathAccess = AccessBy<readonly string[]>;

/** The lists of items from other folders, by their names in paths (§2.1). */
export const LIST_TREES = ['RECENT', 'STARRED', 'PHOTOS', 'MUSIC'] as const;
export type ListTree = (typeof LIST_TREES)[number];

export const HOME_BASE = '/ROOT/HOME';
export const SHARED_BASE = '/ROOT/SHARED';
export const SHARES_BASE = '/SHARES';
export const LINKS_BASE = '/LINKS';
export const TRASH_BASE = '/TRASH';

/** Replaces a person's id in paths of anonymous shares. */
const NOBODY = '0';

export function createAccess(
  homes: Pick<Homes, 'byId'>,
  shared: SharedAccess,
  database: Pick<FilesDatabase, 'all'>,
): PathAccess {
  async function homeOf({ account, credential }: Pick<AccountCaller, 'account' | 'credential'>): Promise<Home> {
    const limit = await folderLimitOf(database, { account, credential });
    const isWhole =
      limit === null || (limit !== 'gone' && limit.homeId === account.homeId && limit.segments.length === 0);
    const home = account.homeId === null || !isWhole ? null : await homes.byId(account.homeId);
    if (home === null) throw notFound();
    return home;
  }

  async function resolve(caller: Caller, segments: readonly string[]): Promise<Target> {
    // Wherever a path comes from, nothing in it leads up, or out of what was shared.
    if (!segments.every(isReachable)) throw notFound();
    const limit = await folderLimitOf(database, caller);
    if (limit === null) return resolveUnlimited(caller, segments);
    const target = limit === 'gone' ? null : await resolveUnlimited(caller, segments);
    const isOfAlbum = target?.kind === 'item' && target.item.share?.only !== undefined;
    const item = limit === 'gone' || target?.kind !== 'item' || isOfAlbum ? null : limitedTo(limit, target.item);
    if (item === null) throw notFound();
    return { kind: 'item', item };
  }

  async function resolveUnlimited({ account, visitor }: Caller, segments: readonly string[]): Promise<Target> {
    if (account === undefined) return { kind: 'item', item: await visitor.reach.itemAt(segments) };
    const isBelowRoot = segments[0] === 'ROOT';
    // `/ROOT/TRASH` is the same as `/TRASH`, and `/` the same as `/ROOT`.
    const [tree, ...rest] = isBelowRoot ? segments.slice(1) : segments;
    if (tree === undefined) return { kind: 'top' };
    if (tree === 'HOME' && isBelowRoot) {
      return {
        kind: 'item',
        item: { home: await homeOf({ account }), segments: rest, base: HOME_BASE, top: 0, share: null },
      };
    }
    if (isBelowRoot && /^\d{1,15}$/.test(tree)) return resolveShared(account, tree, rest);
    if (tree === ALBUMS_TREE && !isBelowRoot) return resolveInAlbum(account, rest);
    if (rest.length > 0) throw notFound();
    if (tree === 'TRASH') return { kind: 'trash', home: await homeOf({ account }) };
    if (tree === 'SHARES') return { kind: 'shares' };
    if (tree === 'LINKS') return { kind: 'links' };
    if (tree === 'SHARED' && isBelowRoot) return { kind: 'shared' };
    const list = LIST_TREES.find((name) => name === tree);
    if (list !== undefined) return { kind: 'list', list };
    throw notFound();
  }

  /** `/ALBUMS/<uuid of the album>/<uuid of the item>`. */
  async function resolveInAlbum(
    account: AccountRecord,
    [album = '', item = '', ...below]: readonly string[],
  ): Promise<Target> {
    const grant = below.length > 0 ? null : await shared.albums.grant(account, album, item);
    if (grant === null) throw notFound();
    return { kind: 'item', item: targetIn(grant, []) };
  }

  /** `/ROOT/<user_id>`, and what follows. */
  async function resolveShared(
    account: AccountRecord,
    person: string,
    [id, ...below]: readonly string[],
  ): Promise<Target> {
    const sharerId = person === NOBODY ? null : Number(person);
    if (id === undefined) {
      const grants = (await shared.grantsOf(account)).filter(({ sharer }) => sharer !== null && sharer.id === sharerId);
      const sharer = grants[0]?.sharer ?? null;
      if (sharer === null) throw notFound();
      return { kind: 'sharer', sharer, grants };
    }
    const grant = /^[1-9]\d{0,14}$/.test(id) ? await shared.grant(account, sharerId, Number(id)) : null;
    if (grant === null) throw notFound();
    return { kind: 'item', item: targetIn(grant, below) };
  }

  return { resolve, homeOf, shared, resolveItem: itemResolver(resolve) };
}

export function itemResolver<Name>(resolve: AccessBy<Name>['resolve']): AccessBy<Name>['resolveItem'] {
  return async (caller, name, action) => {
    if (typeof action === 'string') permit(rightsOf(caller), action);
    const target = await resolve(caller, name);
    if (target.kind !== 'item') throw new ApiError('invalid_path', t('api.access.notItem'));
    const { item } = target;
    const requested = typeof action === 'string' ? action : action(item);
    if (typeof action !== 'string') permit(rightsOf(caller), requested);
    permitInShare(item.share, requested);
    return item;
  };
}

/** An item inside a share. @param below the path from the shared folder on */
export function targetIn(grant: Grant, below: readonly string[]): ItemTarget {
  const { segments } = grant.location;
  const { home } = grant;
  return {
    home: { ...home, homeRoot: { ...home.homeRoot, exact: segments.length } },
    segments: [...segments, ...below],
    base: grantPath(grant),
    top: segments.length,
    share: grant,
  };
}

/**
 * The same item, found only if all names of its path are spelled as on the disk: another Unicode form is another name. A shared
 * item itself has one spelling anyway, and its recipient is told of no other.
 */
export function inExactForm(target: ItemTarget): ItemTarget {
  const { home, segments } = target;
  if (isTop(target)) return target;
  const homeRoot = { ...home.homeRoot, exact: segments.length, distinguishesForms: true };
  return { ...target, home: { ...home, homeRoot } };
}

/** The virtual path of a shared item, for its recipient. */
export function grantPath({ id, sharer, path }: Pick<Grant, 'id' | 'sharer' | 'path'>): string {
  return path ?? `/ROOT/${sharer?.id ?? NOBODY}/${id}`;
}

/**
 * Checks again, after a resolution, that the share still exists and the item has not moved, and the same of the folder that the
 * caller is limited to, and of an item that was named by its uuid. While none of our operations changes the location, the result stays valid.
 * @throws ApiError `not_found`
 */
export async function checkStillShared(
  ...targets: readonly Pick<ItemTarget, 'share' | 'limit' | 'named'>[]
): Promise<void> {
  for (const { share, limit, named } of targets) {
    if (share !== null && !(await share.isUnchanged())) throw notFound();
    if (limit !== undefined && !(await limit.isUnchanged())) throw notFound();
    if (named !== undefined && !(await named.isUnchanged())) throw notFound();
  }
}

export function notFound(): ApiError {
  return new ApiError('not_found', t('api.access.notFound'));
}

/** Whether it is a home, the shared item itself, or the folder of a limited credential: none can be renamed or moved. */
export function isTop({ segments, top }: Pick<ItemTarget, 'segments' | 'top'>): boolean {
  return segments.length <= top;
}

/** The virtual path of an item in a home, for the caller. @param segments below the home's root */
export function virtualPathOf(
  { base, top, segments: own }: Pick<ItemTarget, 'base' | 'top' | 'segments'>,
  segments: readonly string[] = own,
): string {
  return [base, ...segments.slice(top)].join('/');
}

/** The same for the owner of the home. */
export function homePathOf(segments: readonly string[]): string {
  return [HOME_BASE, ...segments].join('/');
}

/** The name of an item for the caller. @param name on the disk; the root of a home has none */
export function shownName({ share, segments }: ItemTarget, name: string): string {
  if (share === null) return name === '' ? 'My Files' : name;
  return segments.length === share.location.segments.length && share.alias !== '' ? share.alias : name;
}
