import { isAbsolute, join } from 'node:path';
import type { FilesDatabase, Transaction } from '../database/database.ts';
import type { Clock } from '../lib/clock.ts';
import { type Area, areaIn, type Layout, realPath, storedPath } from '../storage/layout.ts';
import { AREA_FOLDER, type HomeRoot } from '../storage/paths/folder-handle.ts';
import { insertRoots } from './items.ts';

/** The location of a person's files, and of the work area on the same disk. */
export interface Home {
  readonly id: string;
  readonly homeRoot: HomeRoot;
  readonly area: Area;
}

/** A home as the owner sees it. Times are milliseconds since the epoch. */
export interface HomeRecord extends Home {
  /** Whether it is outside of the data folder, so that its work area is inside of it. */
  readonly isOutside: boolean;
  readonly createdAt: number;
  /** Files, versions and deleted items, in bytes. */
  readonly usedBytes: number;
  /** The account whose home it is; null for an orphaned one. */
  readonly accountId: number | null;
  /** Of that account, or of its last owner. */
  readonly username: string;
  /** For a home in the trash: its former location, and when it was deleted. */
  readonly trashed: { readonly originalRoot: string; readonly at: number } | null;
}

export interface Homes {
  byId(id: string): Promise<Home | null>;
  all(): Promise<Home[]>;
  recordOf(id: string, within?: Pick<Transaction, 'get'>): Promise<HomeRecord | null>;
  /** In order of creation. */
  records(within?: Pick<Transaction, 'all'>): Promise<HomeRecord[]>;
  /** Adds a home that was just created on the disk. */
  add(tx: Transaction, id: string, root: string): Promise<void>;
  /** Changes the location of a home. */
  relocate(tx: Transaction, id: string, root: string): Promise<void>;
  /** Records that a home is in the trash at `root`. */
  trash(tx: Transaction, id: string, trashed: { root: string; username: string; at: number }): Promise<void>;
  /** Records that a home was restored to `root`. */
  restore(tx: Transaction, id: string, root: string): Promise<void>;
  /** Records the last owner. */
  setFormerUser(tx: Transaction, id: string, username: string): Promise<void>;
  /** Deletes the row of a home whose items are deleted already. */
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
    // In the trash, too, a home from outside has its work area inside of it.
    const area = areaIn(isAbsolute(original ?? path) ? join(root, AREA_FOLDER) : layout.larder);
    return { id, homeRoot: { root, homeId: id }, area };
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

  /** Cached records of the home are outdated, including those being read right now. */
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
