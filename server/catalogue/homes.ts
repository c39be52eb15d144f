import { isAbsolute, join } from 'node:path';
import type { FilesDatabase, Transaction } from '../database/database.ts';
import type { Clock } from '../lib/clock.ts';
import { type Area, areaIn, type Layout, realPath, storedPath } from '../storage/layout.ts';
import { AREA_FOLDER, type Place } from '../storage/paths/folder-handle.ts';
import { insertRoots } from './items.ts';

/** A person's files: where they lie, and the work area on the same disk. */
export interface Home {
  readonly id: string;
  readonly place: Place;
  readonly area: Area;
}

/** A home with what the owner may know of it. Times are milliseconds since the epoch. */
export interface HomeRecord extends Home {
  /** Whether it lies outside the appliance's folder, so that its work area is within it. */
  readonly isOutside: boolean;
  readonly createdAt: number;
  /** Files, earlier versions and deleted items, in bytes. */
  readonly usedBytes: number;
  /** The account whose home it is; null for an orphaned one. */
  readonly accountId: number | null;
  /** Of that account, or of the one that had it last. */
  readonly username: string;
  /** For a home in the trash: where it was, and since when it is there. */
  readonly trashed: { readonly originalRoot: string; readonly at: number } | null;
}

export interface Homes {
  byId(id: string): Promise<Home | null>;
  all(): Promise<Home[]>;
  recordOf(id: string, within?: Pick<Transaction, 'get'>): Promise<HomeRecord | null>;
  /** In the order in which they were made. */
  records(within?: Pick<Transaction, 'all'>): Promise<HomeRecord[]>;
  /** Writes a home that was just made on the disk into the catalogue. */
  add(tx: Transaction, id: string, root: string): Promise<void>;
  /** A home lies elsewhere now. */
  relocate(tx: Transaction, id: string, root: string): Promise<void>;
  /** A home is kept in the trash at `root` from now on. */
  trash(tx: Transaction, id: string, trashed: { root: string; username: string; at: number }): Promise<void>;
  /** A home is back from the trash, at `root`. */
  restore(tx: Transaction, id: string, root: string): Promise<void>;
  /** Notes whose home it was. */
  setFormerUser(tx: Transaction, id: string, username: string): Promise<void>;
  /** Forgets a home whose items are forgotten already. */
  remove(tx: Transaction, id: string): Promise<void>;
}

interface HomeRow {
  id: string;
  path: string;
  original_path: string | null;
}

interface RecordRow extends HomeRow {
  created_at: number;
  used: number;
  former_username: string;
  trashed_at: number | null;
  account_id: number | null;
  username: string | null;
}

const HOMES = 'SELECT id, path, original_path FROM homes';
const RECORDS = `SELECT h.*, a.id AS account_id, a.username FROM homes h
  LEFT JOIN accounts a ON a.id = (SELECT min(id) FROM accounts WHERE home_id = h.id)`;

export function createHomes(database: Pick<FilesDatabase, 'all' | 'get'>, layout: Layout, clock: Clock): Homes {
  const known = new Map<string, Home>();
  let changes = 0;

  function homeOf({ id, path, original_path: original }: HomeRow): Home {
    const root = realPath(layout.folder, path);
    // Also in the trash a home from outside has its work area within it.
    const area = areaIn(isAbsolute(original ?? path) ? join(root, AREA_FOLDER) : layout.larder);
    return { id, place: { root, homeId: id }, area };
  }

  function recordFrom(row: RecordRow): HomeRecord {
    const { original_path: original, trashed_at: at } = row;
    return {
      ...homeOf(row),
      isOutside: isAbsolute(original ?? row.path),
      createdAt: row.created_at,
      usedBytes: row.used,
      accountId: row.account_id,
      username: row.username ?? row.former_username,
      trashed: original === null || at === null ? null : { originalRoot: realPath(layout.folder, original), at },
    };
  }

  /** What is kept in memory of a home is of before: also what is being read right now. */
  function forget(tx: Transaction, id: string): void {
    tx.afterCommit(() => {
      changes += 1;
      known.delete(id);
    });
  }

  return {
    async byId(id) {
      let home = known.get(id);
      if (home === undefined) {
        const before = changes;
        const row = await database.get<HomeRow>(`${HOMES} WHERE id = ?`, [id]);
        if (row === undefined) return null;
        home = homeOf(row);
        if (changes === before) known.set(id, home);
      }
      return home;
    },

    all: async () => (await database.all<HomeRow>(`${HOMES} ORDER BY created_at`)).map(homeOf),

    async recordOf(id, within = database) {
      const row = await within.get<RecordRow>(`${RECORDS} WHERE h.id = ?`, [id]);
      return row === undefined ? null : recordFrom(row);
    },

    records: async (within = database) =>
      (await within.all<RecordRow>(`${RECORDS} ORDER BY h.created_at, h.id`)).map(recordFrom),

    async add(tx, id, root) {
      await tx.run('INSERT INTO homes (id, path, created_at) VALUES (?, ?, ?)', [
        id,
        storedPath(layout.folder, root),
        clock.now(),
      ]);
      await insertRoots(tx, id);
    },

    async relocate(tx, id, root) {
      await tx.run('UPDATE homes SET path = ? WHERE id = ?', [storedPath(layout.folder, root), id]);
      forget(tx, id);
    },

    async trash(tx, id, { root, username, at }) {
      await tx.run(
        `UPDATE homes SET original_path = coalesce(original_path, path), path = ?1, trashed_at = ?2,
           former_username = CASE WHEN ?3 = '' THEN former_username ELSE ?3 END WHERE id = ?4`,
        [storedPath(layout.folder, root), at, username, id],
      );
      forget(tx, id);
    },

    async restore(tx, id, root) {
      await tx.run('UPDATE homes SET path = ?, original_path = NULL, trashed_at = NULL WHERE id = ?', [
        storedPath(layout.folder, root),
        id,
      ]);
      forget(tx, id);
    },

    async setFormerUser(tx, id, username) {
      await tx.run('UPDATE homes SET former_username = ? WHERE id = ?', [username, id]);
    },

    async remove(tx, id) {
      await tx.run('DELETE FROM homes WHERE id = ?', [id]);
      forget(tx, id);
    },
  };
}
