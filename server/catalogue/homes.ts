import { join, relative } from 'node:path';
import type { Database, Transaction } from '../database/database.ts';
import type { Clock } from '../lib/clock.ts';
import { AREA_FOLDER, type Place } from '../storage/folder-handle.ts';
import { type Area, areaIn, type Layout, realPath, storedPath } from '../storage/layout.ts';
import { insertRoots } from './items.ts';

/** A person's files: where they lie, and the work area on the same disk. */
export interface Home {
  readonly id: string;
  readonly place: Place;
  readonly area: Area;
}

export interface Homes {
  byId(id: string): Promise<Home | null>;
  all(): Promise<Home[]>;
  /** Writes a home that was just made on the disk into the catalogue. */
  add(tx: Transaction, id: string, root: string): Promise<void>;
}

export function createHomes(database: Database, layout: Layout, clock: Clock): Homes {
  const known = new Map<string, Home>();

  function homeOf(row: { id: string; path: string }): Home {
    const root = realPath(layout.folder, row.path);
    const isInside = !relative(layout.folder, root).startsWith('..');
    const area = areaIn(isInside ? layout.larder : join(root, AREA_FOLDER));
    return { id: row.id, place: { root, homeId: row.id }, area };
  }

  return {
    async byId(id) {
      let home = known.get(id);
      if (home === undefined) {
        const row = await database.get<{ id: string; path: string }>('SELECT id, path FROM homes WHERE id = ?', [id]);
        if (row === undefined) return null;
        home = homeOf(row);
        known.set(id, home);
      }
      return home;
    },

    all: async () =>
      (await database.all<{ id: string; path: string }>('SELECT id, path FROM homes ORDER BY created_at')).map(homeOf),

    async add(tx, id, root) {
      await tx.run('INSERT INTO homes (id, path, created_at) VALUES (?, ?, ?)', [
        id,
        storedPath(layout.folder, root),
        clock.now(),
      ]);
      await insertRoots(tx, id);
    },
  };
}
