import { dirname, join } from 'node:path';
import type { HomeRecord, Homes } from '../../catalogue/homes.ts';
import { FILES_ROOT, rootId, TRASH_ROOT } from '../../catalogue/items.ts';
import type { Transaction } from '../../database/database.ts';
import { LockTimeout } from '../../lib/concurrency/path-locks.ts';
import { FieldProblem } from '../../lib/errors/field-problem.ts';
import type { Actor, LarderEvents } from '../../lib/events.ts';
import { t } from '../../messages/messages.ts';
import { isOnline } from '../../storage/disk/disk.ts';
import { CannotMove, isFolder, isSameDisk, moveHome } from '../../storage/homes/move-home.ts';
import { type Layout, storedPath, trashedHomes } from '../../storage/layout.ts';
import { AREA_FOLDER } from '../../storage/paths/folder-handle.ts';
import type { FilesContext } from '../context.ts';
import type { JournalEntryOf } from '../journal/journal.ts';
import { uploadsInHome } from '../upload/upload-rows.ts';
import { versionsInHome } from '../versions/version-rows.ts';
import { belowDeep } from './erase.ts';
import { eraseHomeContent, removeEmptyTrashFolders } from './home-recovery.ts';
import { trashIdsIn } from './trash-rows.ts';

/**
 * Whole homes in the trash. A home is moved there in one rename, with its marker, rows, versions and own trash, and restored in
 * the same way: it remains a normal home at another location.
 */
export interface HomeTrash {
  /**
   * @param username of its former owner
   * @throws FieldProblem `homefolder`; the home stays where it is then
   */
  put(homeId: string, username: string, by: Actor): Promise<HomeRecord>;
  /** Restores it to its location, as an orphaned home. @throws FieldProblem `id` */
  restore(homeId: string, by: Actor): Promise<HomeRecord>;
  /** Deletes it permanently. @throws FieldProblem `id` */
  erase(homeId: string, by: Actor): Promise<void>;
  /**
   * Deletes the records of an orphaned home whose folder is gone, with the versions and deleted items that Larder itself stores.
   * Whatever is at its location now stays untouched. @throws FieldProblem `id`
   */
  forget(homeId: string, by: Actor): Promise<void>;
}

interface HomeTrashParts {
  readonly files: FilesContext;
  readonly homes: Homes;
  readonly layout: Layout;
}

export function createHomeTrash({ files, homes, layout }: HomeTrashParts): HomeTrash {
  const { database, journal, clock, events, failPoints } = files;

  async function record(field: string, homeId: string, isTrashed: boolean): Promise<HomeRecord> {
    const home = await homes.recordOf(homeId);
    if (home === null || (isTrashed && home.trashed === null)) {
      throw new FieldProblem(field, isTrashed ? t('api.homes.notInTrash') : t('api.homes.notFound'));
    }
    if (!(await isOnline(files.disk, home.homeRoot))) {
      throw new FieldProblem(field, t('api.homes.offline'));
    }
    return home;
  }

  async function moveTo(field: string, home: HomeRecord, root: string, username: string): Promise<void> {
    const to = storedPath(layout.folder, root);
    const entry: JournalEntryOf<'home-trash' | 'home-restore'> =
      home.trashed === null
        ? { kind: 'home-trash', homeId: home.id, to, username, at: clock.now() }
        : { kind: 'home-restore', homeId: home.id, to };
    const journalId = await database.write(async (tx) => {
      // It may have been assigned to an account since.
      if (((await homes.recordOf(home.id, tx))?.accountId ?? null) !== null) throw inUse(field);
      return journal.begin(tx, entry);
    });
    let unflushed: unknown = null;
    try {
      unflushed = await moveHome(home.homeRoot.root, root, failPoints);
    } catch (error) {
      if (error instanceof CannotMove) await database.write((tx) => journal.end(tx, journalId));
      throw error;
    }
    await database.write(async (tx) => {
      if (entry.kind === 'home-trash') await homes.trash(tx, home.id, { root, username, at: entry.at });
      else await homes.restore(tx, home.id, root);
      await journal.end(tx, journalId);
    });
    if (unflushed !== null) throw unflushed;
  }

  async function after(homeId: string): Promise<HomeRecord> {
    const home = await homes.recordOf(homeId);
    if (home === null) throw new Error('the home that was just moved is not there');
    return home;
  }

  function tell(name: 'home.trashed' | 'home.restored' | 'home.removed', home: HomeRecord, path: string, by: Actor) {
    const payload: LarderEvents[typeof name] = { actor: by, homeId: home.id, path, username: home.username };
    events.emit(name, payload);
  }

  return {
    put: (homeId, username, by) =>
      alone(files, homeId, 'homefolder', async () => {
        const home = await record('homefolder', homeId, false);
        if (home.trashed !== null) return home;
        if (home.accountId !== null) throw inUse('homefolder');
        const places = await trashPlaces(layout, home);
        for (const [index, place] of places.entries()) {
          try {
            await moveTo('homefolder', home, place, username);
            break;
          } catch (error) {
            if (!(error instanceof CannotMove)) throw error;
            await removeEmptyTrashFolders(layout, place);
            if (error.reason !== 'elsewhere' || index === places.length - 1) throw cannotTrash(error);
          }
        }
        const trashed = await after(homeId);
        tell('home.trashed', trashed, home.homeRoot.root, by);
        return trashed;
      }),

    restore: (homeId, by) =>
      alone(files, homeId, 'id', async () => {
        const home = await record('id', homeId, true);
        const root = home.trashed?.originalRoot ?? home.homeRoot.root;
        // Its parent folder is not created: it may be the empty mount point of a disk.
        if (!(await isFolder(dirname(root))))
          throw new FieldProblem('id', t('api.homes.parentGone', { folder: dirname(root) }));
        await moveTo('id', home, root, '').catch((error) => {
          throw error instanceof CannotMove ? cannotRestore(root, error) : error;
        });
        await removeEmptyTrashFolders(layout, home.homeRoot.root);
        tell('home.restored', home, root, by);
        return after(homeId);
      }),

    erase: (homeId, by) =>
      alone(files, homeId, 'id', async () => {
        const home = await record('id', homeId, true);
        await remove(home, home.homeRoot.root, by);
      }),

    forget: (homeId, by) =>
      alone(files, homeId, 'id', async () => {
        const home = await homes.recordOf(homeId);
        if (home === null) throw new FieldProblem('id', t('api.homes.notFound'));
        if (await isOnline(files.disk, home.homeRoot)) {
          throw new FieldProblem('id', t('api.homes.stillOnline'));
        }
        await remove(home, null, by);
      }),
  };

  async function remove(home: HomeRecord, root: string | null, by: Actor): Promise<void> {
    const { entry, journalId } = await database.write(async (tx) => {
      if (((await homes.recordOf(home.id, tx))?.accountId ?? null) !== null) throw inUse('id');
      const erased = await eraseEntry(tx, layout, home, root);
      const id = await journal.begin(tx, erased);
      await forgetHome(homes, tx, home.id);
      return { entry: erased, journalId: id };
    });
    tell('home.removed', home, home.trashed?.originalRoot ?? home.homeRoot.root, by);
    await eraseHomeContent(files, layout, entry, journalId);
  }
}

/** Runs with none of our other operations in the home, whose id begins the keys of all its paths. */
async function alone<T>(files: FilesContext, homeId: string, field: string, work: () => Promise<T>): Promise<T> {
  try {
    return await files.pathLocks.run([homeId], work);
  } catch (error) {
    if (!(error instanceof LockTimeout)) throw error;
    throw new FieldProblem(field, t('api.homes.busy'));
  }
}

/** The possible trash locations of a home, the better one first: with all deleted items, or beside the home on its own disk. */
async function trashPlaces(layout: Layout, { id, isOutside, homeRoot: { root } }: HomeRecord): Promise<string[]> {
  const beside = join(dirname(root), AREA_FOLDER, 'trash', 'homes', id);
  const central = join(trashedHomes(layout), id);
  if (!isOutside) return [central];
  return (await isSameDisk(root, layout.larder)) ? [central, beside] : [beside];
}

/** What is erased of a home: its folder, and its contents in the shared work area. */
async function eraseEntry(
  tx: Transaction,
  layout: Layout,
  home: HomeRecord,
  root: string | null,
): Promise<JournalEntryOf<'home-erase'>> {
  const shares = !home.isOutside;
  return {
    kind: 'home-erase',
    homeId: home.id,
    root: root === null ? null : storedPath(layout.folder, root),
    versionIds: shares ? await versionsInHome(tx, home.id) : [],
    trashIds: shares ? await trashIdsIn(tx, home.id) : [],
    uploadIds: shares ? await uploadsInHome(tx, home.id) : [],
  };
}

/** Deletes the rows of a home, those of deep trees first, because SQLite cascades through 1,000 levels only. */
async function forgetHome(homes: Homes, tx: Transaction, homeId: string): Promise<void> {
  for (const root of [FILES_ROOT, TRASH_ROOT] as const) {
    const id = await rootId(tx, homeId, root);
    for (const deep of await belowDeep(tx, id)) await tx.run('DELETE FROM items WHERE id = ?', [deep.id]);
    await tx.run('DELETE FROM items WHERE id = ?', [id]);
  }
  await homes.remove(tx, homeId);
}

function inUse(field: string): FieldProblem {
  return new FieldProblem(field, t('api.homes.inUse'));
}

function cannotTrash({ reason }: CannotMove): FieldProblem {
  const isDenied = reason === 'denied';
  return new FieldProblem('homefolder', isDenied ? t('api.homes.trashDenied') : t('api.homes.trashInUse'));
}

function cannotRestore(root: string, { reason }: CannotMove): FieldProblem {
  return new FieldProblem(
    'id',
    reason === 'taken' ? t('api.homes.pathTaken', { path: root }) : t('api.homes.cannotRestore'),
  );
}
