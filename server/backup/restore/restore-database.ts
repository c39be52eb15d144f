import { join } from 'node:path';
import { createHomes } from '../../catalogue/homes.ts';
import { type Database, openDatabase } from '../../database/database.ts';
import { forgetLost, type LostContent } from '../../files/trash/forget-lost.ts';
import type { Clock } from '../../lib/clock.ts';
import { forgetInstallationId } from '../../settings/installation.ts';
import type { Area, Layout } from '../../storage/layout.ts';
import { plainStat } from '../../storage/plain-files.ts';
import type { RestoredPlaces } from './restored-homes.ts';

/** What was removed from the database of a restored installation, because its content is not in the backup. */
export interface Adapted {
  readonly forgotten: { readonly versions: number; readonly trash: number; readonly homes: number };
}

const ROWS = {
  versions:
    'SELECT versions.id, item_id AS itemId, home_id AS homeId FROM versions JOIN items ON items.id = item_id WHERE home_id = ?',
  trash:
    'SELECT trash.id, item_id AS itemId, home_id AS homeId FROM trash JOIN items ON items.id = item_id WHERE home_id = ?',
} as const;

/** Rows deleted per transaction. */
const BATCH_SIZE = 1_000;

/** Matches the database of a restored installation to the restored files. */
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
      // Changes in progress at the time of the backup have ended, and their temporary files are not here.
      await tx.run('DELETE FROM journal');
      await tx.run('DELETE FROM uploads');
      await tx.run('DELETE FROM tus_uploads');
      // Sessions and single-use secrets: those used or ended since the backup would be valid again.
      for (const table of ['sessions', 'panel_sessions', 'authorization_codes', 'password_resets'])
        await tx.run(`DELETE FROM ${table}`);
      // No folder has been compared yet, whatever its time says.
      await tx.run('UPDATE items SET listed = NULL WHERE listed IS NOT NULL AND missing_since IS NULL');
      // Two installations with one id would remove each other's backups.
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

/** The restored work areas. Nothing is known of those outside. */
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
  for (let start = 0; start < lost.length; start += BATCH_SIZE)
    await forgetLost({ database: database.files, clock }, kind, lost.slice(start, start + BATCH_SIZE));
  return lost.length;
}
