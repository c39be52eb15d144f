import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Home } from '../catalogue/homes.ts';
import { isKnownAt, itemByUuid } from '../catalogue/item-by-uuid.ts';
import type { FilesDatabase } from '../database/database.ts';
import { invalidParameter, missingParameter } from '../http/errors.ts';
import { normalized } from '../lib/names/normalized.ts';
import type { UnchangedLater } from '../lib/unchanged.ts';
import { t } from '../messages/messages.ts';
import { StorageError } from '../storage/errors.ts';
import { type Access, itemResolver, notFound, type PathAccess } from './access.ts';
import type { AccountCaller, Caller } from './caller.ts';
import { namedItem } from './item-name.ts';
import type { ItemTarget } from './item-target.ts';
import { targetOfUuid } from './target-of-uuid.ts';

interface Parts {
  readonly database: Pick<FilesDatabase, 'all'>;
  readonly catalogue: Pick<Catalogue, 'ensureItemRow' | 'list'>;
}

/**
 * Access by uuids beside paths. A uuid leads to a path of the caller, with the rights of that path: see `targetOfUuid`. The item is
 * checked again where shares are, in `checkStillShared`, so that an operation changes no other item that has taken its place.
 */
export function createUuidAccess(paths: PathAccess, parts: Parts): Access {
  const resolve: Access['resolve'] = async (caller, name) => {
    const { path, uuid } = namedItem(name);
    if (uuid !== undefined) return { kind: 'item', item: await targetOf(caller, uuid, path) };
    if (path === undefined) throw missingParameter('path');
    return paths.resolve(caller, path);
  };

  async function targetOf(caller: Caller, uuid: string, path: readonly string[] | undefined): Promise<ItemTarget> {
    // A web link is reached by paths alone.
    if (caller.account === undefined) throw notFound();
    const found = await presentTarget(caller, uuid);
    const item = { ...found, named: { isUnchanged: stayCheck(uuid, found) } };
    if (path === undefined) return item;
    const target = await paths.resolve(caller, path);
    // The path decides through which share the item is reached, and the catalogue how its name is spelled.
    if (target.kind === 'item' && (await isSame(target.item, item))) {
      return { ...target.item, segments: item.segments, named: item.named };
    }
    if (target.kind === 'item' && !(await isThere(target.item))) throw notFound();
    throw invalidParameter('uuid', t('api.parameters.otherItem'));
  }

  /** Another program may have moved the item since the catalogue was compared with the disk. */
  async function presentTarget(caller: AccountCaller, uuid: string): Promise<ItemTarget> {
    const { home, segments } = await targetOfUuid({ access: paths, database: parts.database }, caller, uuid);
    if (!(await parts.catalogue.ensureItemRow(home, segments))) await findAgain(home, segments);
    return targetOfUuid({ access: paths, database: parts.database }, caller, uuid);
  }

  /** Compares the last folder on a path that still exists: what was renamed in it keeps its row. */
  async function findAgain(home: Home, segments: readonly string[]): Promise<void> {
    for (let depth = segments.length - 1; depth >= 0; depth -= 1) {
      const listed = parts.catalogue.list(home, segments.slice(0, depth), { remember: false });
      // The operation reports a disk that is not available.
      const isListed = await listed.then(
        () => true,
        (error: unknown) => {
          if (error instanceof StorageError) return error.reason !== 'not-found';
          throw error;
        },
      );
      if (isListed) return;
    }
  }

  function stayCheck(uuid: string, { home, segments }: ItemTarget): UnchangedLater {
    return async () => {
      const now = (await itemByUuid(parts.database, uuid))?.location;
      // No name has a slash, so the joined paths are unambiguous.
      return now?.homeId === home.id && now.segments.join('/') === segments.join('/');
    };
  }

  /** Whether a path leads to an item. It may be spelled in another composition, unless another item has that name. */
  async function isSame({ home, segments }: ItemTarget, item: ItemTarget): Promise<boolean> {
    const [given, own] = [segments.join('/'), item.segments.join('/')];
    if (home.id !== item.home.id || normalized(given, 'NFC') !== normalized(own, 'NFC')) return false;
    return given === own || !(await isKnownAt(parts.database, home.id, segments));
  }

  async function isThere({ home, segments }: ItemTarget): Promise<boolean> {
    await parts.catalogue.ensureItemRow(home, segments);
    return isKnownAt(parts.database, home.id, segments);
  }

  return { ...paths, resolve, resolveItem: itemResolver(resolve) };
}
