import type { AccountCaller } from '../access/caller.ts';
import type { ItemName } from '../access/item-name.ts';
import { checkedValues, isWritable, ValueProblem } from '../fields/checked-value.ts';
import { type Definitions, type FieldDefinition, readDefinitions, setsOf } from '../fields/definitions.ts';
import { InvalidValue } from '../fields/invalid-value.ts';
import { missingParameter } from '../http/errors.ts';
import type { Preconditions } from '../http/request/preconditions.ts';
import { changeValues, describedTarget, isSame, type MetadataContext } from './context.ts';

/**
 * Sets the values of the owner's fields; an empty list removes them. Fields that do not apply to the file can only be emptied, or
 * sent unchanged.
 * @param fields lists of texts by field id
 * @throws ApiError `permission_denied`, `not_found`, `invalid_path`, `missing_parameter`, `precondition_failed`; `invalid_parameter` naming the field
 */
export async function setMetadata(
  context: MetadataContext,
  caller: AccountCaller,
  item: ItemName,
  fields: ReadonlyMap<string, readonly string[]>,
  conditions: Preconditions | null = null,
): Promise<void> {
  const target = await describedTarget(context, caller, item, 'files/metadata/set');
  if (fields.size === 0) throw missingParameter('fields');
  givenFor(await context.definitions(), fields);
  await changeValues(context, caller, target, {
    what: 'fields',
    conditions,
    change: async (has, item, tx) => {
      // Read inside of the transaction, since the owner may be changing the definitions.
      const definitions = await readDefinitions(tx);
      const given = givenFor(definitions, fields);
      const known = new Set(
        setsOf(definitions, item.name, item.isDir).flatMap((set) => set.fields.map(({ id }) => id)),
      );
      for (const { field, values } of given) {
        if (values.length > 0 && !known.has(field.id) && !isSame(has.get(field.id) ?? [], values)) {
          throw new InvalidValue(named(String(field.id)), { kind: 'otherKind' });
        }
      }
      return new Map(given.map(({ field, values }) => [field.id, values]));
    },
  });
}

/** @throws ApiError `invalid_parameter` */
function givenFor(definitions: Definitions, fields: ReadonlyMap<string, readonly string[]>) {
  return [...fields].map(([key, texts]) => {
    const field = /^[1-9]\d{0,14}$/.test(key) ? definitions.fields.get(Number(key)) : undefined;
    if (field === undefined) throw new InvalidValue(named(key), { kind: 'unknownField' });
    if (!isWritable(field)) throw new InvalidValue(named(key), { kind: 'readOnlyField' });
    return { field, values: checked(field, texts).map((value) => ({ value, color: null })) };
  });
}

function checked(field: FieldDefinition, texts: readonly string[]): string[] {
  try {
    return checkedValues(field, texts);
  } catch (error) {
    if (!(error instanceof ValueProblem)) throw error;
    throw new InvalidValue(named(String(field.id)), error.fault);
  }
}

/** As it was sent. */
function named(key: string): string {
  return `fields[${key.slice(0, 60)}]`;
}
