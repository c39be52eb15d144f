import type { FilesDatabase, Transaction } from '../../database/database.ts';

type Reads = Pick<FilesDatabase, 'all'>;

export interface VersionRow {
  readonly id: string;
  readonly version: number;
  readonly size: number;
  readonly mtime: number;
  readonly sha256: Buffer | null;
}

/** An earlier content, as a list shows it. */
interface ListedVersion extends Pick<VersionRow, 'version' | 'size' | 'mtime'> {
  readonly storedAt: number;
  readonly changedBy: number | null;
}

/** The versions of an item, newest first. @param since milliseconds since the epoch: those stored before are left out */
export function versionsOf(database: Reads, itemId: number, since: number): Promise<ListedVersion[]> {
  return database.all<ListedVersion>(
    `SELECT version, size, mtime, stored_at AS storedAt, changed_by AS changedBy FROM versions
     WHERE item_id = ? AND stored_at >= ? ORDER BY version DESC`,
    [itemId, since],
  );
}

/** One of these. */
export function versionOf(
  database: Pick<FilesDatabase, 'get'>,
  itemId: number,
  version: number,
  since: number,
): Promise<VersionRow | undefined> {
  return database.get<VersionRow>(
    'SELECT id, version, size, mtime, sha256 FROM versions WHERE item_id = ? AND version = ? AND stored_at >= ?',
    [itemId, version, since],
  );
}

const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

/** The versions of an item and of everything that the catalogue has below it. */
export async function versionsBelow(tx: Reads, itemId: number): Promise<string[]> {
  const rows = await tx.all<{ id: string }>(
    `WITH RECURSIVE below (id) AS (SELECT ? UNION ALL SELECT items.id FROM items JOIN below ON items.parent_id = below.id)
     SELECT versions.id FROM versions JOIN below ON versions.item_id = below.id`,
    [itemId],
  );
  return idsOf(rows);
}

/** The versions of an item and of everything the catalogue has below it: their bytes and ids. */
export async function oldContents(database: Reads, itemId: number): Promise<{ ids: string[]; bytes: number }> {
  const rows = await database.all<{ id: string; size: number }>(
    `WITH RECURSIVE below (id) AS (
       SELECT ? UNION ALL SELECT items.id FROM below CROSS JOIN items ON items.parent_id = below.id
     ) SELECT versions.id, versions.size FROM below CROSS JOIN versions ON versions.item_id = below.id`,
    [itemId],
  );
  return { ids: idsOf(rows), bytes: rows.reduce((sum, { size }) => sum + size, 0) };
}

/** The versions of items. */
export async function versionsOfItems(tx: Reads, itemIds: readonly number[]): Promise<string[]> {
  return idsOf(
    await tx.all<{ id: string }>('SELECT id FROM versions WHERE item_id IN (SELECT value FROM json_each(?))', [
      JSON.stringify(itemIds),
    ]),
  );
}

export async function versionsInHome(tx: Reads, homeId: string): Promise<string[]> {
  return idsOf(
    await tx.all<{ id: string }>('SELECT v.id FROM versions v JOIN items i ON i.id = v.item_id WHERE i.home_id = ?', [
      homeId,
    ]),
  );
}

/** Those of the versions that have a row. */
export async function recordedVersions(database: Reads, versionIds: readonly string[]): Promise<Set<string>> {
  return new Set(
    idsOf(
      await database.all<{ id: string }>('SELECT id FROM versions WHERE id IN (SELECT value FROM json_each(?))', [
        JSON.stringify(versionIds),
      ]),
    ),
  );
}

/** The homes of those of the versions that have a row, by the ids of the versions. */
export async function homesOfVersions(database: Reads, versionIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await database.all<{ id: string; homeId: string }>(
    `SELECT versions.id, home_id AS homeId FROM versions CROSS JOIN items ON items.id = item_id
     WHERE versions.id IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(versionIds)],
  );
  return new Map(rows.map(({ id, homeId }) => [id, homeId]));
}

/** The versions of an item beyond the newest. @param kept how many are the newest, those of `except` not counted */
export async function versionsBeyond(
  tx: Reads,
  itemId: number,
  kept: number,
  except: readonly string[],
): Promise<string[]> {
  const rows = await tx.all<{ id: string }>(
    `SELECT id FROM versions WHERE item_id = ?1 AND id NOT IN (SELECT value FROM json_each(?2))
     ORDER BY version DESC LIMIT -1 OFFSET ?3`,
    [itemId, JSON.stringify(except), kept],
  );
  return idsOf(rows);
}

/** Limits of the versions of a file; 0 for none. */
interface VersionLimits {
  readonly versionDays: number;
  readonly versionsKept: number;
}

/**
 * The versions of a home beyond limits of number and age.
 * @param storedBefore milliseconds since the epoch: those of before are too old, if there is a limit of age
 * @param most how many at once
 */
export async function versionsOverLimits(
  tx: Reads,
  homeId: string,
  { versionDays, versionsKept }: VersionLimits,
  storedBefore: number,
  most: number,
): Promise<string[]> {
  const rows = await tx.all<{ id: string }>(
    `SELECT id FROM (
       SELECT versions.id, stored_at, row_number() OVER (PARTITION BY item_id ORDER BY versions.version DESC) AS place
       FROM versions JOIN items ON items.id = item_id WHERE home_id = ?1
     ) WHERE (?2 > 0 AND stored_at < ?3) OR (?4 > 0 AND place > ?4) LIMIT ?5`,
    [homeId, versionDays, storedBefore, versionsKept, most],
  );
  return idsOf(rows);
}

export async function deleteVersionRows(tx: Transaction, versionIds: readonly string[]): Promise<void> {
  await tx.run('DELETE FROM versions WHERE id IN (SELECT value FROM json_each(?))', [JSON.stringify(versionIds)]);
}
