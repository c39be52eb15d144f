import type { ItemTarget } from '../../../access/access.ts';
import type { Database, Transaction } from '../../../database/database.ts';
import type { Clock } from '../../../lib/clock.ts';
import { ORDERS, SORTS } from '../../../listing/arrange.ts';
import { defaultLook, type Look, VIEWS } from './look.ts';

/** A folder or list by its virtual path, and where it is on a disk; null for a list. */
interface LookedAt {
  readonly path: string;
  readonly item: Pick<ItemTarget, 'home' | 'segments' | 'top'> | null;
}

/** How each person wants to see folders and lists. */
export interface Looks {
  /** What the person chose for a folder, or for the nearest folder above it; otherwise the usual look. */
  of(accountId: number, place: LookedAt): Promise<Look>;
  /** A folder keeps it when it is renamed or moved. */
  remember(accountId: number, place: LookedAt, look: Look): Promise<void>;
}

/** Folders, and lists, remembered for each person; the one chosen longest ago is forgotten first. */
const MOST = 500;

interface LookRow {
  view: string;
  sort: string;
  direction: string;
}

/**
 * The items from the root of the home `?1` to the folder with the names `?2`, as far as they are known. Names are the keys of `?2`, so
 * that the depth is the number of names that lead there.
 */
const FOLDERS = `WITH RECURSIVE folders (id, depth) AS (
  SELECT id, 0 FROM items WHERE home_id = ?1 AND parent_id IS NULL AND name = ''
  UNION ALL
  SELECT items.id, depth + 1 FROM folders CROSS JOIN json_each(?2) AS one ON one.key = depth
    CROSS JOIN items ON items.parent_id = folders.id AND items.name = one.value
)`;

export function createLooks(database: Pick<Database, 'all' | 'write'>, clock: Clock): Looks {
  return {
    async of(accountId, { path, item }) {
      const { home, segments, top } = item ?? NOWHERE;
      const paths = withFoldersAbove(path);
      // The nearest folder has the longest path. What was chosen for an item is newer than what was chosen for its path.
      const rows = await database.all<LookRow>(
        `${FOLDERS} SELECT view, sort, direction FROM (
           SELECT depth + ?4 AS near, 1 AS is_item, view, sort, direction
             FROM folders CROSS JOIN item_looks ON account_id = ?3 AND item_id = id WHERE depth >= ?5
           UNION ALL
           SELECT one.key AS near, 0 AS is_item, view, sort, direction
             FROM json_each(?6) AS one CROSS JOIN folder_looks AS look ON account_id = ?3 AND look.path = one.value
         ) ORDER BY near DESC, is_item DESC LIMIT 1`,
        [home.id, JSON.stringify(segments), accountId, paths.length - 1 - segments.length, top, JSON.stringify(paths)],
      );
      const [row] = rows;
      const usual = defaultLook(path);
      if (row === undefined) return usual;
      // A later version may know other ones.
      return {
        view: VIEWS.find((view) => view === row.view) ?? usual.view,
        sort: SORTS.find((sort) => sort === row.sort) ?? usual.sort,
        order: ORDERS.find((order) => order === row.direction) ?? usual.order,
      };
    },

    async remember(accountId, { path, item }, { view, sort, order }) {
      const chosen = [view, sort, order, clock.now()] as const;
      await database.write(async (tx) => {
        const itemId = item === null ? null : await idOf(tx, item);
        if (itemId === null) return rememberPath(tx, accountId, path, chosen);
        await rememberItem(tx, accountId, itemId, chosen);
        // Otherwise another folder with this path would be shown like this one.
        await tx.run('DELETE FROM folder_looks WHERE account_id = ? AND path = ?', [accountId, path]);
      });
    },
  };
}

/** @returns null for a folder without a row */
async function idOf(
  tx: Pick<Transaction, 'get'>,
  { home, segments }: NonNullable<LookedAt['item']>,
): Promise<number | null> {
  const row = await tx.get<{ id: number }>(`${FOLDERS} SELECT id FROM folders WHERE depth = ?3`, [
    home.id,
    JSON.stringify(segments),
    segments.length,
  ]);
  return row?.id ?? null;
}

/** View, sorting, direction, and when they were chosen, in milliseconds since the epoch. */
type Chosen = readonly [string, string, string, number];

async function rememberItem(tx: Transaction, accountId: number, itemId: number, chosen: Chosen): Promise<void> {
  await tx.run(
    `INSERT INTO item_looks (account_id, item_id, view, sort, direction, chosen_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (account_id, item_id) DO UPDATE
     SET view = excluded.view, sort = excluded.sort, direction = excluded.direction, chosen_at = excluded.chosen_at`,
    [accountId, itemId, ...chosen],
  );
  await tx.run(
    `DELETE FROM item_looks WHERE account_id = ?1 AND item_id IN (
       SELECT item_id FROM item_looks WHERE account_id = ?1 ORDER BY chosen_at DESC, item_id LIMIT -1 OFFSET ?2)`,
    [accountId, MOST],
  );
}

async function rememberPath(tx: Transaction, accountId: number, path: string, chosen: Chosen): Promise<void> {
  await tx.run(
    `INSERT INTO folder_looks (account_id, path, view, sort, direction, chosen_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (account_id, path) DO UPDATE
     SET view = excluded.view, sort = excluded.sort, direction = excluded.direction, chosen_at = excluded.chosen_at`,
    [accountId, path, ...chosen],
  );
  await tx.run(
    `DELETE FROM folder_looks WHERE account_id = ?1 AND path IN (
       SELECT path FROM folder_looks WHERE account_id = ?1 ORDER BY chosen_at DESC, path LIMIT -1 OFFSET ?2)`,
    [accountId, MOST],
  );
}

/** In no home: a list has only its path. */
const NOWHERE = { home: { id: '' }, segments: [], top: 0 };

/** `/a/b/c`, `/a/b`, `/a`, with the shortest first. */
function withFoldersAbove(path: string): string[] {
  const segments = path.split('/').slice(1);
  return segments.map((_, index) => `/${segments.slice(0, index + 1).join('/')}`);
}
