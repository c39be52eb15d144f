import type { Transaction } from '../../database/database.ts';
import { systemFieldIds } from '../../fields/system-fields.ts';
import { setValues } from '../../fields/values.ts';
import type { Embedded } from '../../workers/embedded/jobs.ts';

/** What an export of another service says of a photo or film. It takes precedence over what is embedded in the file. */
export interface StatedMetadata {
  /** Null if there is none. */
  readonly description: string | null;
  readonly place: Embedded['place'];
}

/** The field of a description, also of a film: films have none of their own. */
export const DESCRIPTION = 'image.description';

interface StatedRow {
  description: string | null;
  latitude: number | null;
  longitude: number | null;
}

export async function statedOf(tx: Pick<Transaction, 'get'>, itemId: number): Promise<StatedMetadata> {
  const row = await tx.get<StatedRow>(
    'SELECT description, latitude, longitude FROM stated_metadata WHERE item_id = ?',
    [itemId],
  );
  const { description = null, latitude = null, longitude = null } = row ?? {};
  return { description, place: latitude === null || longitude === null ? null : { latitude, longitude } };
}

/**
 * Keeps what an export says of an item, and shows it at once. What another export said before stays. Does nothing for a deleted
 * item.
 */
export async function setStated(
  tx: Transaction,
  itemId: number,
  { description, place }: StatedMetadata,
): Promise<void> {
  if (description === null && place === null) return;
  await tx.run(
    `INSERT INTO stated_metadata (item_id, description, latitude, longitude)
     SELECT id, ?2, ?3, ?4 FROM items WHERE id = ?1
     ON CONFLICT (item_id) DO UPDATE SET description = coalesce(description, excluded.description),
       latitude = coalesce(latitude, excluded.latitude), longitude = coalesce(longitude, excluded.longitude)`,
    [itemId, description, place?.latitude ?? null, place?.longitude ?? null],
  );
  const kept = await statedOf(tx, itemId);
  const fieldId = (await systemFieldIds(tx)).get(DESCRIPTION);
  if (kept.description !== null && fieldId !== undefined) {
    await setValues(tx, { id: itemId }, fieldId, [{ value: kept.description }]);
  }
  if (kept.place !== null) await setPlace(tx, itemId, kept.place);
}

export async function setPlace(
  tx: Transaction,
  itemId: number,
  { latitude, longitude }: NonNullable<Embedded['place']>,
): Promise<void> {
  await tx.run(
    `INSERT INTO embedded_places (item_id, latitude, longitude) VALUES (?, ?, ?)
     ON CONFLICT (item_id) DO UPDATE SET latitude = excluded.latitude, longitude = excluded.longitude`,
    [itemId, latitude, longitude],
  );
}
