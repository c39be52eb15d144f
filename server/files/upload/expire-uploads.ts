import { join } from 'node:path';
import type { Home } from '../../catalogue/homes.ts';
import { DAY } from '../../lib/clock.ts';
import { failPoint } from '../../lib/process/fail-points.ts';
import { eraseStored, unpublishedBytes } from '../../storage/content/work-area.ts';
import type { UploadContext, UploadRowsContext } from './context.ts';
import { arePartsThere } from './parts/clean-up-parts.ts';
import { deleteExpired, expiredUploads, forgetUpload } from './upload-rows.ts';

/** Days after which an upload without new chunks expires. */
export const KEPT_DAYS = 7;
/** The same for an upload that only its own client could continue, since nothing identifies its content. */
const UNCONFIRMED_KEPT_DAYS = 1;

/** Removes expired uploads. */
export async function expireUploads(context: UploadContext, home: Home): Promise<void> {
  const { uploadRows, clock, failPoints } = context;
  const now = clock.now();
  const expiry = {
    homeId: home.id,
    unidentifiedBefore: now - UNCONFIRMED_KEPT_DAYS * DAY,
    before: now - KEPT_DAYS * DAY,
  };
  for (const id of await expiredUploads(uploadRows, expiry)) {
    // Unless a chunk is being received at this moment.
    const isExpired = await deleteExpired(uploadRows, expiry, id);
    failPoint(failPoints, 'files.upload.expired');
    if (isExpired) await eraseStored(join(home.area.incoming, id));
  }
}

/**
 * The uploads that may be continued. Those without content in an available home are deleted; those on an unavailable disk are
 * kept. Used at a start.
 */
export async function continuedUploads(
  { uploadRows }: UploadRowsContext,
  online: readonly Home[],
): Promise<Set<string>> {
  const rows = await uploadRows.all<{ id: string; home_id: string; received: number; has_parts: 0 | 1 }>(
    `SELECT id, home_id, received, EXISTS (SELECT 1 FROM upload_parts WHERE upload_id = id) AS has_parts FROM uploads`,
  );
  const homes = new Map(online.map((home) => [home.id, home]));
  const continued = new Set<string>();
  for (const { id, home_id, received, has_parts } of rows) {
    const home = homes.get(home_id);
    const path = home && join(home.area.incoming, id);
    const bytes = path === undefined || has_parts === 1 ? received : await unpublishedBytes(path).catch(() => received);
    const isWhole = path === undefined || has_parts === 0 || (await arePartsThere(uploadRows, id, path));
    // One that was created has no content before its first chunk.
    if ((bytes ?? 0) >= received && isWhole) continued.add(id);
    else await forgetUpload(uploadRows, id);
  }
  return continued;
}
