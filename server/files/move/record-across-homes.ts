import { homePathOf } from '../../access/access.ts';
import type { Home } from '../../catalogue/homes.ts';
import { FILES_ROOT, insertItem, rootId } from '../../catalogue/items.ts';
import { rememberMany } from '../../catalogue/remember.ts';
import type { Transaction } from '../../database/database.ts';
import { isHiddenName } from '../../lib/names/hidden-names.ts';
import { failPoint } from '../../lib/process/fail-points.ts';
import type { DiskEntry } from '../../storage/disk/disk.ts';
import { listingEntry } from '../../storage/disk/disk-entry.ts';
import { nullIfGone, StorageError } from '../../storage/errors.ts';
import type { RecoveryContext } from '../journal/context.ts';
import type { JournalEntryOf } from '../journal/journal.ts';
import { recordTrashedRow } from '../publish/previous-content.ts';
import { recordTree } from '../publish/record-tree.ts';
import { type ForgottenVersions, surplusVersions } from '../versions/version-limits.ts';
import type { HomePair } from './move-versions.ts';
import { recordMoved } from './record-moved.ts';

type RecordContext = RecoveryContext;

/** The state of the disk after a move. */
export interface MovedAcrossHomes {
  readonly parents: readonly DiskEntry[];
  readonly entry: DiskEntry;
  readonly replaced: DiskEntry | null;
  /** What is at `trash/<takenId>` of the source home and must not be erased, under its former name; null for nothing. */
  readonly left: DiskEntry | null;
  /** Whether what was copied has the contents that the rows knew at its former place, with their tags. */
  readonly keepsTags?: boolean;
}

interface RecordedAcrossHomes {
  /** What is still to be erased, or null. */
  readonly movedOut: { readonly entry: JournalEntryOf<'moved-out'>; readonly journalId: number } | null;
  readonly surplus: ForgottenVersions | null;
}

/** Rows per transaction, so that other writers do not wait long. */
const BATCH_SIZE = 2_000;

/**
 * Moves the rows to the other home; they keep their ids and everything that refers to them. Rows below the item go first, in
 * batches; the item itself and what it replaced go last, together with the journal entry. Can be repeated after a crash. Used
 * after a move, and at a start after a crash during one.
 */
export async function recordMovedAcrossHomes(
  context: RecordContext,
  { source, target }: HomePair,
  entry: JournalEntryOf<'move-between'>,
  moved: MovedAcrossHomes,
  journalId: number,
): Promise<RecordedAcrossHomes> {
  const { database, journal } = context;
  const { itemId, to, kept, takenId, versionIds } = entry;
  const isCopy = takenId !== null;
  await leaveVanished(context, source, target, entry);
  await changeHome(context, itemId, target);
  if (isCopy) await rememberBelow(context, target, itemId, to, { areCopies: true, keepTags: moved.keepsTags === true });
  const recorded = await database.write(async (tx) => {
    const before = await tx.get<ItemBefore>(
      'SELECT parent_id AS parentId, home_id AS homeId, size, mtime, changed_by AS changedBy FROM items WHERE id = ?',
      [itemId],
    );
    if (moved.left !== null && takenId !== null)
      await trashLeft(tx, source, entry, takenId, moved.left, before ?? null);
    let surplus: ForgottenVersions | null = null;
    if (before === undefined) await journal.end(tx, journalId);
    else {
      await tx.run('UPDATE items SET home_id = ? WHERE id = ?', [target.id, itemId]);
      await recordMoved(
        context,
        tx,
        { homeId: target.id, itemId, kept, keepsReplaced: entry.keepsReplaced },
        moved,
        journalId,
      );
      // A copy has the same content, so it keeps the account that changed it.
      const isSame = before.size === moved.entry.size && before.mtime === moved.entry.mtime;
      if (isCopy && (isSame || moved.entry.isDir)) {
        await tx.run('UPDATE items SET changed_by = ? WHERE id = ?', [before.changedBy, itemId]);
      }
      // What systems store for themselves is not kept.
      const passing = isHiddenName(to.at(-1) ?? '') && kept.as === 'version' ? [kept.id] : [];
      if (moved.replaced !== null) surplus = await surplusVersions(context, tx, target.id, itemId, passing);
    }
    const out: JournalEntryOf<'moved-out'> = {
      kind: 'moved-out',
      homeId: source.id,
      toHomeId: target.id,
      takenId: moved.left === null ? takenId : null,
      versionIds,
    };
    const isAll = out.takenId === null && versionIds.length === 0;
    return { movedOut: isAll ? null : { entry: out, journalId: await journal.begin(tx, out) }, surplus };
  });
  if (isCopy && moved.entry.isDir) await rememberRest(context, target, to);
  return recorded;
}

interface ItemBefore {
  parentId: number | null;
  homeId: string;
  size: number;
  mtime: number;
  changedBy: number | null;
}

const BELOW = `WITH RECURSIVE below (id, depth) AS (
    SELECT ?1, 0 UNION ALL SELECT items.id, depth + 1 FROM below CROSS JOIN items ON items.parent_id = below.id
  )`;

/** Moves the rows below an item in batches, and repeats that for a tree that grows meanwhile. */
export async function changeHome(
  { database, failPoints }: Pick<RecordContext, 'database' | 'failPoints'>,
  itemId: number,
  { id }: Home,
): Promise<void> {
  for (;;) {
    // One text instead of a row for each, because there may be very many.
    const found = await database.get<{ ids: string }>(
      `${BELOW} SELECT json_group_array(below.id) AS ids FROM below CROSS JOIN items ON items.id = below.id
       WHERE depth > 0 AND home_id <> ?2`,
      [itemId, id],
    );
    const ids = JSON.parse(found?.ids ?? '[]') as number[];
    if (ids.length === 0) return;
    for (let start = 0; start < ids.length; start += BATCH_SIZE) {
      await database.write((tx) =>
        tx.run('UPDATE items SET home_id = ? WHERE id IN (SELECT value FROM json_each(?))', [
          id,
          JSON.stringify(ids.slice(start, start + BATCH_SIZE)),
        ]),
      );
      failPoint(failPoints, 'files.between.rows');
    }
  }
}

/**
 * Items that the catalogue still has below the item, though another program took them away: they stay with the source home as
 * missing, and are recognized where they reappear. Only those with something to lose are looked for.
 */
async function leaveVanished(
  { database, disk, clock }: RecordContext,
  source: Home,
  target: Home,
  { itemId, to }: JournalEntryOf<'move-between'>,
): Promise<void> {
  const rows = await database.all<{ id: number; path: string }>(
    `WITH RECURSIVE below (id, path) AS (
       SELECT ?, '' UNION ALL
       SELECT items.id, below.path || '/' || items.name FROM below CROSS JOIN items ON items.parent_id = below.id
         WHERE items.missing_since IS NULL
     ) SELECT id, path FROM below WHERE path <> '' AND (EXISTS (SELECT 1 FROM versions WHERE item_id = below.id)
         OR EXISTS (SELECT 1 FROM stars WHERE item_id = below.id) OR EXISTS (SELECT 1 FROM locks WHERE item_id = below.id)
         OR EXISTS (SELECT 1 FROM album_items WHERE item_id = below.id)
         OR EXISTS (SELECT 1 FROM comments WHERE item_id = below.id)
         OR EXISTS (SELECT 1 FROM metadata_values v CROSS JOIN metadata_fields f ON f.id = v.field_id
           WHERE v.item_id = below.id AND (f.system IS NULL OR f.system IN ('tag', 'rating', 'label'))))`,
    [itemId],
  );
  for (let start = 0; start < rows.length; start += BATCH_SIZE) {
    const some = rows.slice(start, start + BATCH_SIZE);
    const paths = some.map(({ path }) => [...to, ...path.split('/').slice(1)]);
    const { identities } = await disk.run('identities', { homeRoot: target.homeRoot, paths });
    const gone = some.filter((_, index) => identities[index] === null).map(({ id }) => id);
    if (gone.length === 0) continue;
    await database.write(async (tx) => {
      const root = await rootId(tx, source.id, FILES_ROOT);
      // No name on a disk has a slash.
      await tx.run(
        `UPDATE items SET parent_id = ?, name = name || '/' || uuid, missing_since = coalesce(missing_since, ?)
         WHERE id IN (SELECT value FROM json_each(?)) AND home_id = ?`,
        [root, clock.now(), JSON.stringify(gone), source.id],
      );
    });
  }
}

/** Updates the rows below a folder from the disk, by the ids of their folders: of copies, which have new inodes, or in their places. */
export async function rememberBelow(
  { database, disk }: Pick<RecordContext, 'database' | 'disk'>,
  { homeRoot }: Home,
  itemId: number,
  at: readonly string[],
  { areCopies, keepTags }: { readonly areCopies: boolean; readonly keepTags: boolean },
): Promise<void> {
  const waiting = [{ id: itemId, segments: at }];
  let folders: { id: number; entries: DiskEntry[] }[] = [];
  let count = 0;
  const write = async () => {
    const some = folders;
    [folders, count] = [[], 0];
    await database.write(async (tx) => {
      for (const { id, entries } of some) await rememberMany(tx, id, entries, areCopies, keepTags);
    });
  };
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const { id, segments } = folder;
    const listing = await disk.run('list', { homeRoot, segments }).catch(nullIfGone);
    // A file, or an item that another program removed.
    if (listing === null) continue;
    const children = await database.all<{ id: number; name: string }>(
      'SELECT id, name FROM items WHERE parent_id = ? AND is_dir = 1',
      [id],
    );
    const ids = new Map(children.map((child) => [child.name, child.id]));
    for (const name of listing.names.slice(0, listing.folderCount)) {
      const child = ids.get(name);
      if (child !== undefined) waiting.push({ id: child, segments: [...segments, name] });
    }
    const entries = listing.names.map((_, index) => listingEntry(listing, index));
    for (let start = 0; start < entries.length; start += BATCH_SIZE) {
      folders.push({ id, entries: entries.slice(start, start + BATCH_SIZE) });
      count += Math.min(BATCH_SIZE, entries.length - start);
      if (count >= BATCH_SIZE) await write();
    }
  }
  if (folders.length > 0) await write();
}

/**
 * Records items without a row yet, and removes those the copy does not have. The next listing of the folder would do the same.
 */
async function rememberRest(context: RecordContext, target: Home, to: readonly string[]): Promise<void> {
  await recordTree(context, target, to).catch((error) => {
    if (!(error instanceof StorageError)) throw error;
  });
}

/** Puts what could not be moved into the trash of its home, as if it had been deleted there. */
export async function trashLeft(
  tx: Transaction,
  source: Home,
  { from, by, at }: JournalEntryOf<'move-between'>,
  takenId: string,
  left: DiskEntry,
  before: ItemBefore | null,
): Promise<void> {
  const isStillThere = before?.homeId === source.id ? before.parentId : null;
  const parentId = isStillThere ?? (await rootId(tx, source.id, FILES_ROOT));
  const { id } = await insertItem(tx, source.id, parentId, { ...left, name: `/${takenId}` });
  await recordTrashedRow(tx, source.id, id, { id: takenId, path: homePathOf(from), by, at });
}
