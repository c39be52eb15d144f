import type { Database } from '../../../database/database.ts';
import type { Clock } from '../../../lib/clock.ts';
import { ORDERS, SORTS } from '../../../listing/arrange.ts';
import { defaultLook, type Look, VIEWS } from './look.ts';

/** How each person wants to see folders and lists. */
export interface Looks {
  /** What the person chose for a folder, or for the nearest folder above it; otherwise the usual look. */
  of(accountId: number, path: string): Promise<Look>;
  remember(accountId: number, path: string, look: Look): Promise<void>;
}

/** Folders remembered for each person; the one chosen longest ago is forgotten first. */
const MOST = 500;

interface LookRow {
  path: string;
  view: string;
  sort: string;
  direction: string;
}

export function createLooks(database: Pick<Database, 'all' | 'write'>, clock: Clock): Looks {
  return {
    async of(accountId, path) {
      const rows = await database.all<LookRow>(
        `SELECT path, view, sort, direction FROM folder_looks
         WHERE account_id = ? AND path IN (SELECT value FROM json_each(?)) ORDER BY length(path) DESC LIMIT 1`,
        [accountId, JSON.stringify(withFoldersAbove(path))],
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

    async remember(accountId, path, { view, sort, order }) {
      await database.write(async (tx) => {
        await tx.run(
          `INSERT INTO folder_looks (account_id, path, view, sort, direction, chosen_at) VALUES (?, ?, ?, ?, ?, ?)
           ON CONFLICT (account_id, path) DO UPDATE
           SET view = excluded.view, sort = excluded.sort, direction = excluded.direction, chosen_at = excluded.chosen_at`,
          [accountId, path, view, sort, order, clock.now()],
        );
        await tx.run(
          `DELETE FROM folder_looks WHERE account_id = ?1 AND path IN (
             SELECT path FROM folder_looks WHERE account_id = ?1 ORDER BY chosen_at DESC, path LIMIT -1 OFFSET ?2)`,
          [accountId, MOST],
        );
      });
    },
  };
}

/** `/a/b/c`, `/a/b`, `/a`. */
function withFoldersAbove(path: string): string[] {
  const segments = path.split('/').slice(1);
  return segments.map((_, index) => `/${segments.slice(0, index + 1).join('/')}`);
}
