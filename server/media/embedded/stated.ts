import type { Transaction } from '../../database/database.ts';
import { systemFieldIds } from '../../fields/system-fields.ts';
import { setFields } from '../../fields/values.ts';
import type { Embedded, EmbeddedKey } from '../../workers/embedded/jobs.ts';

/** What an export of another service says of a photo or film. It takes precedence over what is embedded in the file. */
export interface StatedMetadata {
  /** Null if there is none. */
  readonly description: string | null;
  readonly place: Embedded['place'];
}

/** What is stated of an item: its place, and the values of its fields. */
interface Stated {
  readonly place: Embedded['place'];
  readonly fields: ReadonlyMap<EmbeddedKey, string>;
}

/** Of degrees in a field: about a metre. */
const PRECISION = 100_000;

interface StatedRow {
  kind: string;
  description: string | null;
  latitude: number | null;
  longitude: number | null;
}

export async function statedOf(tx: Pick<Transaction, 'get'>, itemId: number): Promise<Stated> {
  const row = await tx.get<StatedRow>(
    `SELECT s.description, s.latitude, s.longitude, i.kind FROM stated_metadata s JOIN items i ON i.id = s.item_id
     WHERE s.item_id = ?`,
    [itemId],
  );
  if (row === undefined) return { place: null, fields: new Map() };
  const { description, latitude, longitude, kind } = row;
  const fields = new Map<EmbeddedKey, string>();
  // Films have no field of their own for it.
  if (description !== null) fields.set('image.description', description);
  if (latitude === null || longitude === null) return { place: null, fields };
  const degrees = [latitude, longitude].map((one) => Math.round(one * PRECISION) / PRECISION);
  fields.set(kind === 'video' ? 'video.place' : 'image.place', degrees.join(', '));
  return { place: { latitude, longitude }, fields };
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
  const ids = await systemFieldIds(tx);
  const values = new Map([...kept.fields].map(([key, value]) => [ids.get(key) ?? 0, [{ value }]]));
  await setFields(tx, { id: itemId }, values);
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
