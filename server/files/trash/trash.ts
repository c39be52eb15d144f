import { join } from 'node:path';
import { HOME_BASE, homePathOf, notFound } from '../../access/access.ts';
import { type AccountCaller, rightsOf } from '../../access/caller.ts';
import { type ItemName, namedItem } from '../../access/item-name.ts';
import { mayKnowContent } from '../../access/known-content.ts';
import { areTypesLimited, checkType } from '../../access/limits.ts';
import { permit } from '../../access/rights.ts';
import { onStorage } from '../../access/storage-failure.ts';
import type { Home } from '../../catalogue/homes.ts';
import { FILES_ROOT } from '../../catalogue/items.ts';
import { relocate } from '../../catalogue/remember.ts';
import type { Transaction } from '../../database/database.ts';
import { ApiError, invalidParameter, missingParameter } from '../../http/errors.ts';
import { checkPreconditions, type Preconditions } from '../../http/request/preconditions.ts';
import { SECOND } from '../../lib/clock.ts';
import { freeNumber } from '../../lib/names/free-number.ts';
import { companionName } from '../../lib/names/hidden-names.ts';
import { suffixedName } from '../../lib/names/numbered-name.ts';
import { t } from '../../messages/messages.ts';
import { closeFile } from '../../storage/content/send-bytes.ts';
import { openStored, storedContent, storedFiles } from '../../storage/content/work-area.ts';
import type { Published } from '../../storage/disk/disk.ts';
import { StorageError } from '../../storage/errors.ts';
import { flushAndClose, flushFolder } from '../../storage/flush.ts';
import { hashOf, MAX_READ, quoted } from '../content-tag.ts';
import { type FilesContext, lockKey } from '../context.ts';
import { emitItemEvent } from '../emit.ts';
import type { EntriesContext } from '../journal/context.ts';
import type { JournalEntryOf } from '../journal/journal.ts';
import { checkRestorable } from '../locks/locks.ts';
import { isOccupied } from '../publish/occupied.ts';
import { versionsBelow } from '../versions/version-rows.ts';
import { eraseContent, eraseRows, movedAway } from './erase.ts';
import { deleteTrashRow, isTrashed, type TrashedItem, trashedById, trashedByUuid, trashedFrom } from './trash-rows.ts';

/**
 * Restores an item to its folder or, if that is gone, to the home. A name that is taken gets " (restored)".
 * @param conditions checked once it is locked
 * @returns its path
 * @throws ApiError `not_found`, `invalid_path`, `type_not_allowed`, `precondition_failed`
 */
export async function restoreItem(
  context: FilesContext,
  caller: AccountCaller,
  named: ItemName,
  conditions: Preconditions | null = null,
): Promise<string> {
  permit(rightsOf(caller), 'files/trash/restore');
  const { home, trashId } = await inOwnTrash(context, caller, named);
  return restoreLocked(context, caller, { home, trashId }, async (item) => {
    await checkTypes(caller, home, item);
    if (conditions === null) return;
    const file = join(home.area.trash, trashId);
    const stored = await storedContent(file);
    // Nobody but this server writes there.
    const isThis = !item.isDir && stored?.identity === item.identity;
    const etag = isThis && (item.isProven || (await hasHash(file, item))) ? quoted(item.tag) : null;
    const current = stored && { etag, mtime: stored.mtime, isTagVisible: mayKnowContent(caller, null) };
    checkPreconditions(conditions, current);
  });
}

/** Whether a file that was touched before it was deleted has the content of its row. One that is large is not read for this. */
async function hasHash(file: string, { size, sha256 }: Pick<TrashedItem, 'size' | 'sha256'>): Promise<boolean> {
  if (sha256 === null || size > MAX_READ) return false;
  const opened = await openStored(file);
  try {
    return (await hashOf(opened.fd, size)).equals(sha256);
  } finally {
    await closeFile(opened.fd);
  }
}

/**
 * Restores what was put into the trash to make place for something that then failed. Whatever the caller may do with the trash, also
 * where it is that of another person.
 */
export async function restoreTrashed(
  context: FilesContext,
  caller: AccountCaller,
  trashed: { readonly home: Home; readonly trashId: string },
): Promise<void> {
  await restoreLocked(context, caller, trashed, async () => undefined);
}

function restoreLocked(
  context: FilesContext,
  caller: AccountCaller,
  { home, trashId }: { readonly home: Home; readonly trashId: string },
  check: (item: TrashedItem) => Promise<void>,
): Promise<string> {
  return onStorage(() =>
    context.pathLocks.run([`${home.id}/`, lockKey(home, ['.trash', trashId])], () =>
      context.catalogue.changing(home, async () => {
        const item = await trashed(context, home, trashId);
        await check(item);
        const path = await restore(context, caller, home, item);
        const companion = await companionOf(context, home, item);
        if (companion !== null) await restore(context, caller, home, companion);
        const { itemId, isDir: isFolder, originalPath: from } = item;
        emitItemEvent(context, 'item.restored', caller, { home, share: null }, { itemId, path, isFolder, from });
        return path;
      }),
    ),
  );
}

/** Deletes an item of the trash permanently. @throws ApiError `not_found`, `invalid_path` */
export async function deleteFromTrash(context: FilesContext, caller: AccountCaller, named: ItemName): Promise<void> {
  permit(rightsOf(caller), 'files/trash/delete');
  const { home, trashId } = await inOwnTrash(context, caller, named);
  const item = await trashed(context, home, trashId);
  await eraseTrashed(context, home, item);
  const { itemId, originalPath, isDir: isFolder } = item;
  emitItemEvent(
    context,
    'item.removed',
    caller,
    { home, share: null },
    { itemId, path: originalPath, isFolder, wasInTrash: true },
  );
}

/**
 * The id in the trash of an item that was deleted itself, not only with its folder.
 * @param named its path there, its uuid, or both
 * @throws ApiError `missing_parameter`, `invalid_path`, `invalid_parameter` (two items), `not_found`
 */
async function inOwnTrash(
  { access, database }: FilesContext,
  caller: AccountCaller,
  named: ItemName,
): Promise<{ home: Home; trashId: string }> {
  const { path, uuid } = namedItem(named);
  if (path === undefined && uuid === undefined) throw missingParameter('path');
  const given = path === undefined ? undefined : trashIdOf(path);
  const home = await access.homeOf(caller);
  if (uuid === undefined) return { home, trashId: given ?? '' };
  const trashId = (await trashedByUuid(database, home.id, uuid))?.id;
  if (trashId === undefined) throw notFound();
  if (given !== undefined && given !== trashId) throw invalidParameter('uuid', t('api.parameters.otherItem'));
  return { home, trashId };
}

/** @param path virtual @throws ApiError `invalid_path` */
function trashIdOf(path: readonly string[]): string {
  const [tree, trashId, ...rest] = path[0] === 'ROOT' ? path.slice(1) : path;
  if (tree !== 'TRASH' || trashId === undefined || rest.length > 0) {
    throw new ApiError('invalid_path', t('api.trash.path'));
  }
  return trashId;
}

/** A deleted item by its id. @throws ApiError `not_found` */
export async function trashed({ database }: FilesContext, home: Home, trashId: string): Promise<TrashedItem> {
  const item = await trashedById(database, home.id, trashId);
  if (item === null) throw notFound();
  return item;
}

/** Milliseconds between the deletion of an item and that of its companion. */
const TOGETHER = 10 * SECOND;

/** What was deleted together with an item because it has its attributes; null if there is nothing, or it is no longer there. */
async function companionOf(
  { database, disk }: FilesContext,
  home: Home,
  { originalPath, deletedAt, name }: TrashedItem,
): Promise<TrashedItem | null> {
  const path = `${originalPath.slice(0, originalPath.length - name.length)}${companionName(name)}`;
  const item = await trashedFrom(database, home.id, path, deletedAt, deletedAt + TOGETHER);
  if (item === null) return null;
  const stored = await disk.whileAnswering(home.homeRoot, () => storedContent(join(home.area.trash, item.id)));
  return stored === null ? null : item;
}

/** For a folder, checks every file on the disk: other programs may have added some. */
async function checkTypes(
  { account }: AccountCaller,
  home: Home,
  { id, name, isDir, originalPath }: TrashedItem,
): Promise<void> {
  if (!areTypesLimited([account])) return;
  if (!isDir) return checkType([account], name);
  for await (const segments of storedFiles(join(home.area.trash, id)))
    checkType([account], segments.at(-1) ?? '', [originalPath, ...segments].join('/'));
}

/** Others may take each free name before it is used. */
const MAX_TRIES = 100;

async function restore(context: FilesContext, caller: AccountCaller, home: Home, item: TrashedItem): Promise<string> {
  const { database, disk, journal } = context;
  let parent = await originalFolder(context, home, item);
  const source = join(home.area.trash, item.id);
  const nameOf = (number: number) => (number === 0 ? item.name : restoredName(item.name, number));
  let number = 0;
  for (let attempt = 0; ; attempt += 1) {
    const name = nameOf(number);
    const target = { home, segments: [...parent, name], base: HOME_BASE, top: 0, share: null };
    await checkRestorable(context, caller, target);
    const entry: JournalEntryOf<'restore'> = {
      kind: 'restore',
      homeId: home.id,
      itemId: item.itemId,
      trashId: item.id,
      to: [...parent, name],
    };
    const journalId = await database.write((tx) => journal.begin(tx, entry));
    try {
      const back = await disk.run('moveIn', { homeRoot: home.homeRoot, parent, name, source });
      await flushAndClose(back.folderFd);
      await flushFolder(home.area.trash);
      await database.write((tx) => recordRestored(context, tx, entry, back, journalId));
      return homePathOf(entry.to);
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      await database.write((tx) => journal.end(tx, journalId));
      if (error.reason === 'not-found' && parent.length > 0) {
        // The folder has a row, but another program has removed it since.
        parent = [];
        number = 0;
      } else if (error.reason === 'taken' && attempt < MAX_TRIES) {
        const folder = parent;
        number = await freeNumber(async (one) => isOccupied(context, home, [...folder, nameOf(one)]), number + 1);
      } else {
        throw error;
      }
    }
  }
}

/** Writes the rows of a restored item. Used after a restore, and at a start after a crash during one. */
export async function recordRestored(
  { journal }: EntriesContext,
  tx: Transaction,
  { homeId, itemId, trashId }: JournalEntryOf<'restore'>,
  { parents, entry }: Pick<Published, 'parents' | 'entry'>,
  journalId: number,
): Promise<void> {
  await deleteTrashRow(tx, trashId);
  await relocate(tx, homeId, itemId, parents, entry);
  await journal.end(tx, journalId);
}

/** "a.txt" → "a (restored).txt", "a (restored 2).txt", … */
function restoredName(name: string, attempt: number): string {
  return suffixedName(name, attempt === 1 ? ' (restored)' : ` (restored ${attempt})`);
}

interface FolderAbove {
  name: string;
  parent_id: number | null;
  home_id: string;
  missing_since: number | null;
}

/** The segments of its former folder; of the home if that folder is gone, missing, in the trash, or in another home. */
async function originalFolder(
  { database }: FilesContext,
  home: Home,
  { originalParentId }: TrashedItem,
): Promise<string[]> {
  const rows = await database.all<FolderAbove>(
    `WITH RECURSIVE up (id, parent_id, name, home_id, missing_since, depth) AS (
       SELECT id, parent_id, name, home_id, missing_since, 0 FROM items WHERE id = ?
       UNION ALL
       SELECT items.id, items.parent_id, items.name, items.home_id, items.missing_since, depth + 1
       FROM items JOIN up ON items.id = up.parent_id
     ) SELECT name, parent_id, home_id, missing_since FROM up ORDER BY depth DESC`,
    [originalParentId],
  );
  const [root, ...folders] = rows;
  const isReachable =
    root?.name === FILES_ROOT &&
    root.parent_id === null &&
    root.home_id === home.id &&
    folders.every((row) => row.missing_since === null);
  return isReachable ? folders.map(({ name }) => name) : [];
}

/** Erases an item of the trash, and its versions. @throws ApiError `not_found` */
export async function eraseTrashed(context: FilesContext, home: Home, item: TrashedItem): Promise<void> {
  const { database, disk, journal, pathLocks } = context;
  await onStorage(() =>
    pathLocks.run([lockKey(home, ['.trash', item.id])], async () => {
      // With the disk unavailable, everything below the item would count as moved elsewhere.
      await disk.run('stat', { homeRoot: home.homeRoot, segments: [] });
      const away = await movedAway(context, home, item.itemId, item.id);
      const { entry, journalId } = await database.write(async (tx) => {
        if (!(await isTrashed(tx, item.id))) throw notFound();
        const versionIds = await versionsBelow(tx, item.itemId);
        const entry: JournalEntryOf<'erase'> = {
          kind: 'erase',
          homeId: home.id,
          itemId: item.itemId,
          identity: item.identity,
          trashId: item.id,
          versionIds,
        };
        const journalId = await journal.begin(tx, entry);
        await eraseRows(context, tx, home.id, item.itemId, away);
        return { entry, journalId };
      });
      await eraseContent(context, home, entry, journalId);
    }),
  );
}
