import { join } from 'node:path';
import { createHomes } from '../../catalogue/homes.ts';
import { type Database, openDatabase } from '../../database/database.ts';
import { forgetLost, type LostContent } from '../../files/trash/forget-lost.ts';
import type { Clock } from '../../lib/clock.ts';
import { forgetInstallationId } from '../../settings/installation.ts';
import type { Area, Layout } from '../../storage/layout.ts';
import { plainStat } from '../../storage/plain-files.ts';
import type { RestoredPlaces } from './restored-homes.ts';

/** What the database of a restored installation knows no more, because its content is not in the backup. */
export interface Adapted {
  readonly forgotten: { readonly versions: number; readonly trash: number; readonly homes: number };
}

const ROWS = {
  versions:
    'SELECT versions.id, item_id AS itemId, home_id AS homeId FROM versions JOIN items ON items.id = item_id WHERE home_id = ?',
  trash:
    'SELECT trash.id, item_id AS itemId, home_id AS homeId FROM trash JOIN items ON items.id = item_id WHERE home_id = ?',
} as const;

/** Rows that are forgotten in one transaction. */
const AT_ONCE = 1_000;

/** Brings the database of a restored installation in line with what was restored. */
export async function adaptDatabase({
  layout,
  final,
  places,
  clock,
  historyFollows,
}: {
  layout: Layout;
  final: Layout;
  places: RestoredPlaces;
  clock: Clock;
  historyFollows: boolean;
}): Promise<Adapted> {
  const database = await openDatabase(layout.database, layout.backups);
  try {
    await database.write(async (tx) => {
      // What was under way at the time of the backup is not under way any more, and its halves are not here.
      await tx.run('DELETE FROM journal');
      await tx.run('DELETE FROM uploads');
      // Good for a browser, or once: what was used or ended since would be good again.
      for (const table of ['sessions', 'authorization_codes', 'password_resets']) await tx.run(`DELETE FROM ${table}`);
      // No folder has been compared yet, whatever its time says.
      await tx.run('UPDATE items SET listed = NULL WHERE listed IS NOT NULL AND missing_since IS NULL');
      // Two of one id would remove each other's backups.
      await forgetInstallationId(tx);
    });
    const homes = createHomes(database, final, clock);
    for (const { homeId, goesTo } of places.moves) await database.write((tx) => homes.relocate(tx, homeId, goesTo));
    const forgotten = { versions: 0, trash: 0, homes: 0 };
    if (historyFollows) return { forgotten };
    for (const { id } of places.report.filter(({ files }) => files === 'forgotten')) {
      await database.write((tx) => homes.remove(tx, id));
      forgotten.homes += 1;
    }
    for (const [homeId, area] of areasOf(places, await createHomes(database, layout, clock).all(), layout)) {
      for (const kind of ['versions', 'trash'] as const)
        forgotten[kind] += await forgetMissingIn(database, clock, kind, homeId, area);
    }
    return { forgotten };
  } finally {
    await database.close();
  }
}

/** The work areas that were restored. Of one that stays outside nothing can be said. */
function areasOf(
  { built }: RestoredPlaces,
  homes: readonly { readonly id: string; readonly area: Area }[],
  layout: Layout,
): Map<string, Area> {
  const own = homes.filter(({ area }) => area.trash === join(layout.larder, 'trash'));
  return new Map([...own, ...built.map(({ home, area }) => ({ id: home.id, area }))].map(({ id, area }) => [id, area]));
}

async function forgetMissingIn(
  database: Database,
  clock: Clock,
  kind: keyof typeof ROWS,
  homeId: string,
  area: Area,
): Promise<number> {
  const lost: LostContent[] = [];
  for (const row of await database.all<LostContent>(ROWS[kind], [homeId])) {
    if ((await plainStat(join(area[kind], row.id))) === null) lost.push(row);
  }
  for (let start = 0; start < lost.length; start += AT_ONCE)
    await forgetLost({ database: database.files, clock }, kind, lost.slice(start, start + AT_ONCE));
  return lost.length;
}
