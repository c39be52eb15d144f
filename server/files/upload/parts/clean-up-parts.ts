import { join } from 'node:path';
import type { Home } from '../../../catalogue/homes.ts';
import type { ActivityDatabase } from '../../../database/database.ts';
import type { Log } from '../../../lib/log/log.ts';
import { eraseBut } from '../../../storage/content/stored-tree.ts';
import { unpublishedBytes } from '../../../storage/content/work-area.ts';
import { partsOf } from './part-rows.ts';

/** Whether every part of an upload is in its folder. A part that cannot be read now may still be right. */
export async function arePartsThere(
  database: Pick<ActivityDatabase, 'all'>,
  uploadId: string,
  folder: string,
): Promise<boolean> {
  for (const { file, size } of await partsOf(database, uploadId)) {
    const bytes = await unpublishedBytes(join(folder, file)).catch(() => size);
    if (bytes !== size) return false;
  }
  return true;
}

/** Removes what arrived of parts before the server ended, and counts for nothing. Used at a start. */
export async function cleanUpParts(
  { database, log }: { readonly database: Pick<ActivityDatabase, 'all'>; readonly log: Log },
  online: readonly Home[],
): Promise<void> {
  const homes = new Map(online.map((home) => [home.id, home]));
  const uploads = await database.all<{ id: string; homeId: string }>(
    'SELECT DISTINCT uploads.id, home_id AS homeId FROM uploads JOIN upload_parts ON upload_id = uploads.id',
  );
  for (const { id, homeId } of uploads) {
    const home = homes.get(homeId);
    if (home === undefined) continue;
    const kept = new Set((await partsOf(database, id)).map(({ file }) => file));
    await eraseBut(join(home.area.incoming, id), kept).catch((error) => {
      log.warn({ err: error, homeId }, 'failed to remove leftovers of upload parts in a home');
    });
  }
}
