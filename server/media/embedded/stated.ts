import type { Transaction } from '../../database/database.ts';
import { systemFieldIds } from '../../fields/system-fields.ts';
import { setFields } from '../../fields/values.ts';
import type { Embedded, EmbeddedKey } from '../../workers/embedded/jobs.ts';

/**
 * What an export of another service says of a photo or film. It takes precedence over what is embedded in the file; for the date,
 * see `takenOf`.
 */
export interface StatedMetadata {
  /** When it was taken, in milliseconds since the epoch; null if unknown. */
  readonly taken: number | null;
  /** Null if there is none. */
  readonly title: string | null;
  readonly description: string | null;
  readonly keywords: readonly string[];
  readonly place: Embedded['place'];
}

/** What is stated of an item: its date, its place, and the values of its other fields. */
interface Stated {
  readonly taken: number | null;
  /** The field of its kind that has the date. */
  readonly takenKey: TakenKey;
  readonly place: Embedded['place'];
  readonly fields: ReadonlyMap<EmbeddedKey, readonly string[]>;
}

type TakenKey = 'image.taken' | 'video.taken';

/** When a photo or film was taken, as it is shown everywhere. */
export interface TakenAt {
  /** Milliseconds since the epoch; null if unknown. */
  readonly at: number | null;
  /** What the clock said there, in milliseconds as if it were UTC; null if only the moment is known. */
  readonly local: number | null;
  /** The value of its field if an export states it, as in `EmbeddedDate`; null if the field is as it was read. */
  readonly text: string | null;
}

const UNKNOWN: TakenAt = { at: null, local: null, text: null };

/** Milliseconds by which a date without a time zone can be wrong: as much as time zones differ. */
const APART = 26 * 3_600_000;

/** Of degrees in a field: about a metre. */
const PRECISION = 100_000;

interface StatedRow {
  taken: number | null;
  kind: string;
  title: string | null;
  description: string | null;
  keywords: string | null;
  latitude: number | null;
  longitude: number | null;
}

export async function statedOf(tx: Pick<Transaction, 'get'>, itemId: number): Promise<Stated> {
  const row = await tx.get<StatedRow>(
    `SELECT s.taken, s.title, s.description, s.keywords, s.latitude, s.longitude, i.kind FROM stated_metadata s JOIN items i ON i.id = s.item_id
     WHERE s.item_id = ?`,
    [itemId],
  );
  if (row === undefined) return { taken: null, takenKey: 'image.taken', place: null, fields: new Map() };
  const { taken, title, description, keywords, latitude, longitude, kind } = row;
  const takenKey = kind === 'video' ? 'video.taken' : 'image.taken';
  const fields = new Map<EmbeddedKey, readonly string[]>();
  if (title !== null) fields.set(kind === 'video' ? 'video.title' : 'image.title', [title]);
  // Films have no fields of their own for these.
  if (description !== null) fields.set('image.description', [description]);
  if (keywords !== null) fields.set('image.keywords', JSON.parse(keywords) as string[]);
  if (latitude === null || longitude === null) return { taken, takenKey, place: null, fields };
  const degrees = [latitude, longitude].map((one) => Math.round(one * PRECISION) / PRECISION);
  fields.set(kind === 'video' ? 'video.place' : 'image.place', [degrees.join(', ')]);
  return { taken, takenKey, place: { latitude, longitude }, fields };
}

/**
 * Decides between the date in a file and the one that an export states. That of the file is more precise, because it says what
 * the clock showed there. A stated one that differs by more than time zones explain was corrected in the other service: scans, and
 * cameras with a wrong clock.
 */
export function takenOf(stated: number | null, embedded: TakenAt): TakenAt {
  if (stated === null || (embedded.at !== null && Math.abs(stated - embedded.at) <= APART)) return embedded;
  return { at: stated, local: null, text: `${new Date(stated).toISOString().slice(0, -'.000Z'.length)}Z` };
}

export async function setTaken(tx: Pick<Transaction, 'run'>, itemId: number, { at, local }: TakenAt): Promise<void> {
  await tx.run(
    'UPDATE items SET taken = ?2, taken_local = ?3 WHERE id = ?1 AND (taken IS NOT ?2 OR taken_local IS NOT ?3)',
    [itemId, at, local],
  );
}

/** The date that an item has now. */
async function shownDate(tx: Pick<Transaction, 'get'>, itemId: number): Promise<TakenAt> {
  const row = await tx.get<{ at: number | null; local: number | null }>(
    'SELECT taken AS at, taken_local AS local FROM items WHERE id = ?',
    [itemId],
  );
  return row === undefined ? UNKNOWN : { ...row, text: null };
}

/**
 * Keeps what an export says of an item, and shows it at once. What another export said before stays. Does nothing for a deleted
 * item.
 */
export async function setStated(
  tx: Transaction,
  itemId: number,
  { taken, title, description, keywords, place }: StatedMetadata,
): Promise<void> {
  const words = [title, description, keywords.length === 0 ? null : JSON.stringify(keywords)];
  if ([taken, place, ...words].every((one) => one === null)) return;
  await tx.run(
    `INSERT INTO stated_metadata (item_id, taken, title, description, keywords, latitude, longitude)
     SELECT id, ?2, ?3, ?4, ?5, ?6, ?7 FROM items WHERE id = ?1
     ON CONFLICT (item_id) DO UPDATE SET taken = coalesce(taken, excluded.taken), title = coalesce(title, excluded.title),
       description = coalesce(description, excluded.description), keywords = coalesce(keywords, excluded.keywords),
       latitude = coalesce(latitude, excluded.latitude), longitude = coalesce(longitude, excluded.longitude)`,
    [itemId, taken, ...words, place?.latitude ?? null, place?.longitude ?? null],
  );
  const kept = await statedOf(tx, itemId);
  const ids = await systemFieldIds(tx);
  const values = new Map([...kept.fields].map(([key, all]) => [ids.get(key) ?? 0, all.map((value) => ({ value }))]));
  // If the file was not read yet, this is decided again when it is. A date that was stated before is shown already.
  const shown = takenOf(kept.taken, await shownDate(tx, itemId));
  if (shown.text !== null) {
    values.set(ids.get(kept.takenKey) ?? 0, [{ value: shown.text }]);
    await setTaken(tx, itemId, shown);
  }
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
