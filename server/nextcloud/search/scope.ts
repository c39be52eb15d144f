import { checkStillShared, type ItemTarget, virtualPathOf } from '../../access/access.ts';
import { type AccountCaller, rightsOf } from '../../access/caller.ts';
import { type FileAction, permit } from '../../access/rights.ts';
import { onStorage } from '../../access/storage-failure.ts';
import { knownItem } from '../../catalogue/find.ts';
import { FILES_ROOT, rootId } from '../../catalogue/items.ts';
import type { LocatedItem } from '../../catalogue/newest.ts';
import { normalized } from '../../lib/names/normalized.ts';
import { type Reached, reachOf } from '../../listing/reach.ts';
import type { SearchedPlaces } from '../../search/find-by-condition.ts';
import { StorageError } from '../../storage/errors.ts';
import { addressFinder } from '../../webdav/address-of.ts';
import type { DavContext } from '../../webdav/context.ts';
import { locate } from '../../webdav/locate.ts';

/** An item of several folders, and the names below the address of WebDAV that lead to it. */
export interface FoundItem extends Reached {
  readonly address: readonly string[];
}

/** Where items are looked for: everything below a folder, or below a list such as the top level. */
export interface Scope extends SearchedPlaces {
  /** Leaves out what is elsewhere, or what the caller does not reach. */
  reach(items: readonly LocatedItem[]): Promise<FoundItem[]>;
  /** @throws ApiError `not_found` if the folder is no longer there for the caller */
  check(): Promise<void>;
}

/**
 * @param segments below the address of WebDAV
 * @throws ApiError `not_found`, also for a file
 */
export async function scopeAt(
  context: DavContext,
  caller: AccountCaller,
  segments: readonly string[],
  action: FileAction,
): Promise<Scope> {
  // Before anything is looked up, also where no item is resolved.
  permit(rightsOf(caller), action);
  const place = await locate(context, caller, segments);
  if (place.kind === 'list') return listScope(context, caller, segments);
  const target = await context.files.access.resolveItem(caller, place.path, action);
  const id = await onStorage(() => folderRow(context, target));
  await checkStillShared(target);
  return {
    tops: [id],
    homeIds: [target.home.id],
    check: () => checkStillShared(target),
    reach: async (items) =>
      items
        .filter(({ location }) => location.homeId === target.home.id && location.folders.includes(id))
        .map((placed) => {
          const own = placed.location.segments;
          const address = [...segments, ...own.slice(target.segments.length)];
          return { ...placed, target: { ...target, segments: own }, address };
        }),
  };
}

async function listScope(context: DavContext, caller: AccountCaller, segments: readonly string[]): Promise<Scope> {
  const { home, grants } = await reachOf(context.listing, caller);
  const own = home === null ? [] : [await rootId(context.files.database, home.id, FILES_ROOT)];
  const shared = grants.filter((grant) => grant.home.id !== home?.id).map(({ itemId }) => itemId);
  return {
    tops: [...own, ...new Set(shared)],
    homeIds: [...new Set([home, ...grants.map((grant) => grant.home)].flatMap((one) => one?.id ?? []))],
    check: async () => undefined,
    async reach(items) {
      // As they are now: a share may have ended.
      const reached = (await reachOf(context.listing, caller)).of(items);
      const addressOf = await addressFinder(context, caller);
      const found: FoundItem[] = [];
      for (const one of reached) {
        const address = await addressOf(virtualPathOf(one.target));
        if (address !== null && segments.every((name, index) => isSame(name, address[index]))) {
          found.push({ ...one, address });
        }
      }
      return found;
    },
  };
}

function isSame(name: string, other: string | undefined): boolean {
  return other !== undefined && normalized(name, 'NFC') === normalized(other, 'NFC');
}

/** @throws StorageError `not-found` for a file */
async function folderRow({ files }: DavContext, { home, segments }: ItemTarget): Promise<number> {
  const { disk, database, catalogue } = files;
  if (segments.length > 0) await catalogue.ensureItemRow(home, segments);
  const found = await disk.run('stat', { homeRoot: home.homeRoot, segments });
  if (segments.length === 0) return rootId(database, home.id, FILES_ROOT);
  const item = found.entry.isDir ? await knownItem(database, home.id, found) : null;
  if (item === null) throw new StorageError('not-found');
  return item.id;
}
