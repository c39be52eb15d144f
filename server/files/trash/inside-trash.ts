import { join } from 'node:path';
import { notFound } from '../../access/access.ts';
import { onStorage } from '../../access/storage-failure.ts';
import { contentOfUuid, type FoundItem } from '../../catalogue/find.ts';
import type { Home } from '../../catalogue/homes.ts';
import { locationsOf } from '../../catalogue/places.ts';
import { closeFile } from '../../storage/content/send-bytes.ts';
import { type OpenedContent, openStored, storedItem } from '../../storage/content/work-area.ts';
import type { DiskEntry } from '../../storage/disk/disk.ts';
import { type FilesContext, lockKey, type RowsContext } from '../context.ts';
import { trashed } from './trash.ts';
import type { TrashedItem } from './trash-rows.ts';

/** A deleted item, or something in a deleted folder. */
export interface InTrash {
  /** The deleted item. */
  readonly item: TrashedItem;
  /** As it is on the disk, with the name it had. */
  readonly entry: DiskEntry;
  /** Its row; null for what another program has put there, and the catalogue does not know. */
  readonly row: { readonly id: number; readonly uuid: string } | null;
}

/**
 * A deleted item, or something below it.
 * @param below the names from the deleted item on @throws ApiError `not_found`
 */
export function inTrashAt(
  context: FilesContext,
  home: Home,
  trashId: string,
  below: readonly string[],
): Promise<InTrash> {
  return lookedUp(context, home, trashId, below, async (found) => found);
}

/** The same with what is in it, by name. @throws ApiError `not_found` also for a file */
export function inTrashBelow(
  context: FilesContext,
  home: Home,
  trashId: string,
  below: readonly string[],
): Promise<{ readonly folder: InTrash; readonly children: readonly InTrash[] }> {
  return lookedUp(context, home, trashId, below, async (folder, path) => {
    const listed = await context.disk.run('listStored', { homeRoot: home.homeRoot, path });
    if (listed.folder === null) throw notFound();
    const rows = folder.row === null ? [] : await rowsIn(context, folder.row.id);
    const byName = new Map(rows.map((row) => [row.name, row]));
    const entries = [...listed.folder.entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    const children = entries.map((entry) => ({ item: folder.item, entry, row: rowOf(byName.get(entry.name), entry) }));
    return { folder, children };
  });
}

/** An open file in the trash. The caller closes it. */
interface OpenedInTrash {
  readonly found: InTrash;
  readonly opened: OpenedContent;
  /** Where it was opened. */
  readonly path: string;
}

/** Opens a deleted file, or one in a deleted folder. @throws ApiError `not_found` also for a folder */
export function openInTrash(
  context: FilesContext,
  home: Home,
  trashId: string,
  below: readonly string[],
): Promise<OpenedInTrash> {
  return lookedUp(context, home, trashId, below, async (found, path) => {
    if (found.entry.isDir) throw notFound();
    return { found, opened: await openStored(path), path };
  });
}

/**
 * The same by the uuid of the item, with what the catalogue knows of its content; null where that is not what was opened. `touched` is that
 * before the item was deleted: to take it out of its folder changes that of the item itself, and of nothing in it.
 * @throws ApiError `not_found` also for what is in the files or in another home
 */
export async function openTrashedItem(
  context: FilesContext,
  home: Home,
  uuid: string,
): Promise<OpenedInTrash & { readonly known: FoundItem | null; readonly touched: number }> {
  const { database } = context;
  const found = await contentOfUuid(database, uuid);
  const location = found && (await locationsOf(database, [found.item.id])).get(found.item.id);
  if (location?.state !== 'trashed' || location.homeId !== home.id) throw notFound();
  const [trashId, ...below] = location.segments;
  if (trashId === undefined) throw notFound();
  const file = await openInTrash(context, home, trashId, below);
  if (file.found.row?.uuid === uuid) {
    const known = found?.item.identity === file.opened.identity ? found : null;
    const { touched } = (below.length === 0 ? known?.item : null) ?? file.opened;
    return { ...file, known, touched: Math.abs(touched ?? file.opened.touched) };
  }
  await closeFile(file.opened.fd);
  throw notFound();
}

/**
 * @param work with its path, while it can neither be restored nor deleted: then its names lead to nothing else. Nobody but this server
 * writes there, but links that were in the folder are not followed.
 */
function lookedUp<Result>(
  context: FilesContext,
  home: Home,
  trashId: string,
  below: readonly string[],
  work: (found: InTrash, path: string) => Promise<Result>,
): Promise<Result> {
  const { disk, pathLocks } = context;
  return onStorage(() =>
    pathLocks.run([lockKey(home, ['.trash', trashId])], () =>
      disk.whileAnswering(home.homeRoot, async () => {
        const item = await trashed(context, home, trashId);
        let path = join(home.area.trash, trashId);
        let row: InTrash['row'] = { id: item.itemId, uuid: item.uuid };
        let entry = await storedItem(path);
        for (const name of below) {
          if (entry?.isDir !== true) throw notFound();
          path = join(path, name);
          entry = await storedItem(path);
          row = row === null || entry === null ? null : rowOf(await rowNamed(context, row.id, name), entry);
        }
        if (entry === null) throw notFound();
        return work({ item, entry: below.length === 0 ? { ...entry, name: item.name } : entry, row }, path);
      }),
    ),
  );
}

interface Row {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly is_dir: number;
}

/** A row of another kind is that of another item. */
function rowOf(row: Row | undefined, { isDir }: DiskEntry): InTrash['row'] {
  return row === undefined || (row.is_dir === 1) !== isDir ? null : { id: row.id, uuid: row.uuid };
}

function rowsIn({ database }: RowsContext, parentId: number): Promise<Row[]> {
  return database.all<Row>('SELECT id, uuid, name, is_dir FROM items WHERE parent_id = ? AND missing_since IS NULL', [
    parentId,
  ]);
}

function rowNamed({ database }: RowsContext, parentId: number, name: string): Promise<Row | undefined> {
  return database.get<Row>(
    'SELECT id, uuid, name, is_dir FROM items WHERE parent_id = ? AND name = ? AND missing_since IS NULL',
    [parentId, name],
  );
}
