import type { Database, Transaction } from '../database/database.ts';
import { FieldProblem } from '../lib/errors/field-problem.ts';
import type { Actor, Events, LarderEvents } from '../lib/events.ts';
import { foldName } from '../lib/names/names.ts';
import { t } from '../messages/messages.ts';
import { checkedExtensions, checkedName, checkedOptions } from './checked-definition.ts';
import { refitValues } from './convert-values.ts';
import type { FieldKind } from './field-kinds.ts';

/** Most definitions of each kind. */
const MAX_DEFINED = 500;

interface NewType {
  readonly name: string;
  readonly extensions: readonly string[];
  readonly setIds: readonly number[];
}

interface NewField {
  readonly setId: number;
  readonly name: string;
  readonly kind: FieldKind;
  readonly options: readonly string[];
}

/** What was removed together with a definition. */
interface Removed {
  readonly id: number;
  readonly fields: number;
  readonly values: number;
}

type What = LarderEvents['metadata.defined']['what'];
type Table = 'metadata_types' | 'metadata_sets' | 'metadata_fields';
const TABLES: Readonly<Record<What, Table>> = {
  type: 'metadata_types',
  set: 'metadata_sets',
  field: 'metadata_fields',
};

/**
 * The owner's operations on file types, field sets and fields. Built-in ones cannot be changed, but built-in types accept sets of
 * the owner's. All operations throw FieldProblem with the invalid field, `id` for one that does not exist.
 */
export interface EditDefinitions {
  addType(type: NewType, by: Actor): Promise<number>;
  updateType(id: number, changes: Partial<NewType>, by: Actor): Promise<void>;
  removeType(id: number, by: Actor): Promise<void>;
  /** @param typeIds the types that get it */
  addSet(set: { readonly name: string; readonly typeIds: readonly number[] }, by: Actor): Promise<number>;
  updateSet(id: number, changes: { readonly name?: string | undefined }, by: Actor): Promise<void>;
  removeSet(id: number, by: Actor): Promise<Removed>;
  addField(field: NewField, by: Actor): Promise<number>;
  /** Another kind, or other options, only if all existing values are valid. */
  updateField(id: number, changes: Partial<Omit<NewField, 'setId'>>, by: Actor): Promise<void>;
  removeField(id: number, by: Actor): Promise<Removed>;
}

export function createEditDefinitions(database: Database, events: Events): EditDefinitions {
  /** In one transaction; the event is emitted after the commit. */
  const change = <T>(
    what: What,
    by: Actor,
    work: (tx: Transaction) => Promise<{ result: T; event: Omit<LarderEvents['metadata.defined'], 'actor' | 'what'> }>,
  ): Promise<T> =>
    database.write(async (tx) => {
      const { result, event } = await work(tx);
      tx.afterCommit(() => events.emit('metadata.defined', { actor: by, what, ...event }));
      return result;
    });

  return {
    addType: ({ name, extensions, setIds }, by) =>
      change('type', by, async (tx) => {
        const called = await newName(tx, 'type', name);
        const { lastId } = await tx.run(
          `INSERT INTO metadata_types (name, extensions, position)
           SELECT ?, ?, coalesce(max(position) + 1, 0) FROM metadata_types`,
          [called, checkedExtensions(extensions)],
        );
        await setSetsOf(tx, lastId, setIds);
        return { result: lastId, event: { name: called, change: 'added' } };
      }),

    updateType: (id, { name, extensions, setIds }, by) =>
      change('type', by, async (tx) => {
        const before = await rowOf(tx, 'type', id);
        if (before.system !== null && (name !== undefined || extensions !== undefined)) throw fromTheStart();
        const called = name === undefined ? before.name : await newName(tx, 'type', name, id);
        await tx.run('UPDATE metadata_types SET name = ? WHERE id = ?', [called, id]);
        if (extensions !== undefined) {
          await tx.run('UPDATE metadata_types SET extensions = ? WHERE id = ?', [checkedExtensions(extensions), id]);
        }
        if (setIds !== undefined) await setSetsOf(tx, id, setIds);
        return { result: undefined, event: { name: called, change: 'changed' } };
      }),

    removeType: (id, by) =>
      change('type', by, async (tx) => {
        const { name, system } = await rowOf(tx, 'type', id);
        if (system !== null) throw fromTheStart();
        await tx.run('DELETE FROM metadata_types WHERE id = ?', [id]);
        return { result: undefined, event: { name, change: 'removed' } };
      }),

    addSet: ({ name, typeIds }, by) =>
      change('set', by, async (tx) => {
        const called = await newName(tx, 'set', name);
        const { lastId } = await tx.run(
          'INSERT INTO metadata_sets (name, position) SELECT ?, coalesce(max(position) + 1, 0) FROM metadata_sets',
          [called],
        );
        for (const typeId of new Set(typeIds)) {
          if ((await tx.get('SELECT 1 FROM metadata_types WHERE id = ?', [typeId])) === undefined) {
            throw new FieldProblem('typeIds', t('api.fields.unknownType', { id: typeId }));
          }
          await tx.run('INSERT INTO metadata_type_sets VALUES (?, ?)', [typeId, lastId]);
        }
        return { result: lastId, event: { name: called, change: 'added' } };
      }),

    updateSet: (id, { name }, by) =>
      change('set', by, async (tx) => {
        const before = await rowOf(tx, 'set', id);
        if (before.system !== null) throw fromTheStart();
        const called = name === undefined ? before.name : await newName(tx, 'set', name, id);
        await tx.run('UPDATE metadata_sets SET name = ? WHERE id = ?', [called, id]);
        return { result: undefined, event: { name: called, change: 'changed' } };
      }),

    removeSet: (id, by) =>
      change('set', by, async (tx) => {
        const { name, system } = await rowOf(tx, 'set', id);
        if (system !== null) throw fromTheStart();
        const fields = await tx.all<{ id: number }>('SELECT id FROM metadata_fields WHERE set_id = ?', [id]);
        let values = 0;
        for (const field of fields) values += await valueCount(tx, field.id);
        await tx.run('DELETE FROM metadata_sets WHERE id = ?', [id]);
        const gone = { fields: fields.length, values };
        return { result: { id, ...gone }, event: { name, change: 'removed', ...gone } };
      }),

    addField: ({ setId, name, kind, options }, by) =>
      change('field', by, async (tx) => {
        const set = await tx.get<{ system: string | null }>('SELECT system FROM metadata_sets WHERE id = ?', [setId]);
        if (set === undefined) throw new FieldProblem('setId', t('api.fields.unknownSet', { id: setId }));
        if (set.system !== null) throw new FieldProblem('setId', t('api.fields.builtInSet'));
        const called = await newName(tx, 'field', name, 0, setId);
        const { lastId } = await tx.run(
          `INSERT INTO metadata_fields (set_id, name, kind, options, position)
           SELECT ?1, ?2, ?3, ?4, coalesce(max(position) + 1, 0) FROM metadata_fields WHERE set_id = ?1`,
          [setId, called, kind, JSON.stringify(checkedOptions(kind, options))],
        );
        return { result: lastId, event: { name: called, change: 'added' } };
      }),

    updateField: (id, { name, kind, options }, by) =>
      change('field', by, async (tx) => {
        const before = await rowOf(tx, 'field', id);
        if (before.system !== null) throw fromTheStart();
        const own = await fieldRow(tx, id);
        const called = name === undefined ? before.name : await newName(tx, 'field', name, id, own.setId);
        const requested = kind ?? own.kind;
        const choice = checkedOptions(
          requested,
          options ?? (requested === own.kind || isChoice(requested) ? own.options : []),
        );
        if (kind !== undefined || options !== undefined)
          await refitValues(tx, id, { kind: requested, options: choice });
        await tx.run('UPDATE metadata_fields SET name = ?, kind = ?, options = ? WHERE id = ?', [
          ...[called, requested, JSON.stringify(choice), id],
        ]);
        return { result: undefined, event: { name: called, change: 'changed' } };
      }),

    removeField: (id, by) =>
      change('field', by, async (tx) => {
        const { name, system } = await rowOf(tx, 'field', id);
        if (system !== null) throw fromTheStart();
        const values = await valueCount(tx, id);
        await tx.run('DELETE FROM metadata_fields WHERE id = ?', [id]);
        return { result: { id, fields: 1, values }, event: { name, change: 'removed', values } };
      }),
  };
}

interface DefinedRow {
  readonly name: string;
  readonly system: string | null;
}

async function rowOf(tx: Transaction, what: What, id: number): Promise<DefinedRow> {
  const row = await tx.get<DefinedRow>(`SELECT name, system FROM ${TABLES[what]} WHERE id = ?`, [id]);
  if (row === undefined) throw new FieldProblem('id', t('api.fields.unknown', { what, id }));
  return row;
}

function fromTheStart(): FieldProblem {
  return new FieldProblem('id', t('api.fields.builtIn'));
}

/** A unique name; for fields, unique in their set. */
async function newName(tx: Transaction, what: What, given: string, exceptId = 0, setId = 0): Promise<string> {
  const name = checkedName(given);
  const within = what === 'field' ? ' AND set_id = ?2' : ' AND ?2 = 0';
  const rows = await tx.all<{ name: string }>(`SELECT name FROM ${TABLES[what]} WHERE id <> ?1${within}`, [
    exceptId,
    setId,
  ]);
  if (rows.length >= MAX_DEFINED) throw new FieldProblem('name', t('api.fields.tooMany', { what, max: MAX_DEFINED }));
  if (rows.some((row) => foldName(row.name) === foldName(name))) {
    throw new FieldProblem('name', t('api.fields.nameInUse', { what }));
  }
  return name;
}

/** The owner's sets of a type. A type's built-in set always stays. */
async function setSetsOf(tx: Transaction, typeId: number, setIds: readonly number[]): Promise<void> {
  const own = await tx.all<{ id: number }>(
    'SELECT id FROM metadata_sets WHERE system IS NOT NULL AND id IN (SELECT set_id FROM metadata_type_sets WHERE type_id = ?)',
    [typeId],
  );
  const requested = [...new Set(setIds)].filter((id) => !own.some((set) => set.id === id));
  for (const id of requested) {
    const set = await tx.get<{ system: string | null }>('SELECT system FROM metadata_sets WHERE id = ?', [id]);
    if (set === undefined) throw new FieldProblem('setIds', t('api.fields.unknownSet', { id }));
    if (set.system !== null) throw new FieldProblem('setIds', t('api.fields.otherSet', { id }));
  }
  await tx.run(
    'DELETE FROM metadata_type_sets WHERE type_id = ? AND set_id IN (SELECT id FROM metadata_sets WHERE system IS NULL)',
    [typeId],
  );
  for (const id of requested) await tx.run('INSERT INTO metadata_type_sets VALUES (?, ?)', [typeId, id]);
}

async function fieldRow(tx: Transaction, id: number) {
  const row = await tx.get<{ set_id: number; kind: FieldKind; options: string }>(
    'SELECT set_id, kind, options FROM metadata_fields WHERE id = ?',
    [id],
  );
  if (row === undefined) throw new FieldProblem('id', t('api.fields.unknown', { what: 'field', id }));
  return { setId: row.set_id, kind: row.kind, options: JSON.parse(row.options) as string[] };
}

async function valueCount(tx: Transaction, fieldId: number): Promise<number> {
  const row = await tx.get<{ count: number }>(
    `SELECT count(*) AS count FROM metadata_terms t CROSS JOIN metadata_values v ON v.term_id = t.id WHERE t.field_id = ?`,
    [fieldId],
  );
  return row?.count ?? 0;
}

function isChoice(kind: FieldKind): boolean {
  return kind === 'choice' || kind === 'choices';
}
