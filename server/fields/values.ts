import type { Database, Transaction } from '../database/database.ts';
import { searchFold } from '../lib/names/names.ts';
import { type FieldKind, isSearchedByParts } from './field-kinds.ts';

/** A value of an item in a field. */
export interface FieldValue {
  readonly value: string;
  /** For tags and labels, `#rgb` or `#rrggbb`. */
  readonly color?: string | null;
}

/** Characters of a value, and of a long text. Longer ones are truncated. */
export const MAX_VALUE = 500;
export const MAX_LONG_VALUE = 10_000;
/** Values of one item in one field. */
const MAX_VALUES = 200;

/** Replaces the values of an item in a field; with no values they are removed. Does nothing for a deleted item. */
export async function setValues(
  tx: Transaction,
  item: { readonly id: number },
  fieldId: number,
  values: readonly FieldValue[],
): Promise<void> {
  await setFields(tx, item, new Map([[fieldId, values]]));
}

/** The same for several fields at once, with as few statements as for one. Unknown fields are left out. */
export async function setFields(
  tx: Transaction,
  { id: itemId }: { readonly id: number },
  fields: ReadonlyMap<number, readonly FieldValue[]>,
): Promise<void> {
  const kinds = await kindsOf(tx, [...fields.keys()]);
  const rows = [...kinds].flatMap(([fieldId, kind]) =>
    kept(kind, fields.get(fieldId) ?? []).map(({ value, color = null }, position) => [
      ...[fieldId, position, value, isSearchedByParts(kind) ? searchFold(value) : '', color],
    ]),
  );
  const requested = JSON.stringify(rows);
  const fieldIds = JSON.stringify([...kinds.keys()]);
  const before = await tx.all<{ id: number }>(
    `SELECT term_id AS id FROM metadata_values WHERE item_id = ? AND field_id IN (SELECT value FROM json_each(?))`,
    [itemId, fieldIds],
  );
  await tx.run(
    `INSERT INTO metadata_terms (field_id, value, fold)
     SELECT value->>0, value->>2, value->>3 FROM json_each(?1) WHERE EXISTS (SELECT 1 FROM items WHERE id = ?2)
     ON CONFLICT (field_id, value) DO NOTHING`,
    [requested, itemId],
  );
  // Before the old values are removed: a value that stays keeps its index entry.
  await tx.run(
    `INSERT INTO metadata_values (item_id, field_id, position, term_id, home_id, color)
     SELECT i.id, v.value->>0, v.value->>1, t.id, i.home_id, v.value->>4
     FROM items i CROSS JOIN json_each(?1) v
     CROSS JOIN metadata_terms t ON t.field_id = v.value->>0 AND t.value = v.value->>2
     WHERE i.id = ?2
     ON CONFLICT (item_id, field_id, position) DO UPDATE SET term_id = excluded.term_id, color = excluded.color`,
    [requested, itemId],
  );
  await tx.run(
    `DELETE FROM metadata_values WHERE item_id = ?1 AND field_id IN (SELECT value FROM json_each(?2))
       AND position >= (SELECT count(*) FROM json_each(?3) v WHERE v.value->>0 = metadata_values.field_id)`,
    [itemId, fieldIds, requested],
  );
  // Only now, because until here it may have had another position in the same field.
  await tx.run(
    `DELETE FROM metadata_terms WHERE id IN (SELECT value FROM json_each(?))
       AND NOT EXISTS (SELECT 1 FROM metadata_values WHERE term_id = metadata_terms.id)`,
    [JSON.stringify(before.map(({ id }) => id))],
  );
}

/** The values of an item, by field id; fields without values are left out. */
export async function valuesOf(
  database: Pick<Database, 'all'>,
  itemId: number,
): Promise<Map<number, Required<FieldValue>[]>> {
  const rows = await database.all<{ field_id: number; value: string; color: string | null }>(
    `SELECT v.field_id, t.value, v.color FROM metadata_values v CROSS JOIN metadata_terms t ON t.id = v.term_id
     WHERE v.item_id = ? ORDER BY v.field_id, v.position`,
    [itemId],
  );
  const values = new Map<number, Required<FieldValue>[]>();
  for (const { field_id: fieldId, value, color } of rows) {
    values.set(fieldId, [...(values.get(fieldId) ?? []), { value, color }]);
  }
  return values;
}

async function kindsOf(tx: Pick<Transaction, 'all'>, ids: readonly number[]): Promise<Map<number, FieldKind>> {
  const rows = await tx.all<{ id: number; kind: FieldKind }>(
    'SELECT id, kind FROM metadata_fields WHERE id IN (SELECT value FROM json_each(?))',
    [JSON.stringify(ids)],
  );
  return new Map(rows.map(({ id, kind }) => [id, kind]));
}

/** Without duplicates and non-texts, truncated; empty ones are left out. */
function kept(kind: FieldKind, values: readonly FieldValue[]): FieldValue[] {
  const byValue = new Map<string, FieldValue>();
  for (const { value, color = null } of values) {
    const isLong = kind === 'longtext';
    const lines = value.toWellFormed().replace(/\r\n?/g, '\n');
    const text = lines.replace(isLong ? /[^\P{Cc}\n]+/gu : /\p{Cc}+/gu, ' ');
    const cut = cutTo(text.trim(), isLong ? MAX_LONG_VALUE : MAX_VALUE);
    if (cut !== '' && !byValue.has(cut) && byValue.size < MAX_VALUES) byValue.set(cut, { value: cut, color });
  }
  return [...byValue.values()];
}

/** The first characters, as Unicode counts them. */
function cutTo(text: string, most: number): string {
  return text.length <= most ? text : [...text.slice(0, most * 2)].slice(0, most).join('');
}
