import type { ItemTarget } from '../access/access.ts';
import { virtualPathOf } from '../access/access.ts';
import type { Caller } from '../access/caller.ts';
import type { ItemName } from '../access/item-name.ts';
import type { FileAction } from '../access/rights.ts';
import type { Item } from '../catalogue/items.ts';
import type { Transaction } from '../database/database.ts';
import type { Definitions } from '../fields/definitions.ts';
import { type FieldValue, setFields, valuesOf } from '../fields/values.ts';
import type { ChangesContext } from '../files/context.ts';
import { emitItemEvent } from '../files/emit.ts';
import { checkFileConditions } from '../files/item-conditions.ts';
import { withItem } from '../files/with-file.ts';
import { ApiError } from '../http/errors.ts';
import type { Preconditions } from '../http/request/preconditions.ts';
import type { LarderEvents } from '../lib/events.ts';
import { t } from '../messages/messages.ts';

/** Where a picture or film was taken, in degrees. */
export interface GeoPlace {
  readonly latitude: number;
  readonly longitude: number;
}

/** The parts that metadata operations use. */
export interface MetadataContext extends ChangesContext {
  readonly definitions: () => Promise<Definitions>;
  /** Reads the embedded metadata of a file, if that was not done yet. An unreadable file counts as one without metadata. */
  readonly embedded?: (target: ItemTarget) => Promise<void>;
  readonly placeOf?: (itemId: number) => Promise<GeoPlace | null>;
}

/**
 * A file or folder with fields and marks. @throws ApiError `not_found`, `permission_denied`; `invalid_path` for a home, and for
 * lists
 */
export async function describedTarget(
  { access }: Pick<MetadataContext, 'access'>,
  caller: Caller,
  named: ItemName,
  action: FileAction,
): Promise<ItemTarget> {
  const target = await access.resolveItem(caller, named, action);
  if (target.segments.length === 0) throw new ApiError('invalid_path', t('api.metadata.home'));
  return target;
}

export type Values = Map<number, readonly Required<FieldValue>[]>;

interface ValueChange {
  readonly what: Changed;
  /** Returns the new values of the fields to change, from the present ones; throws to refuse. */
  readonly change: (has: Values, item: Item, tx: Transaction) => Values | Promise<Values>;
  /** About the item, whose tag changes with its content only. */
  readonly conditions?: Preconditions | null;
}

/**
 * Changes values of an item, and emits the event if anything differs.
 * @throws ApiError `not_found`, `precondition_failed`
 */
export async function changeValues(
  context: MetadataContext,
  caller: Caller,
  target: ItemTarget,
  { what, change, conditions = null }: ValueChange,
): Promise<void> {
  await withItem(context, target, async (there) => {
    const { item } = there;
    await checkFileConditions(context, caller, target, there, conditions);
    const changed = await context.database.write(async (tx) => changeIn(tx, item, change));
    if (changed.length === 0) return;
    const { fields } = await context.definitions();
    const names = changed.map((id) => fields.get(id)?.name ?? '');
    emitItemEvent(context, 'metadata.changed', caller, target, {
      itemId: item.id,
      path: virtualPathOf(target),
      what,
      names,
    });
  });
}

type Changed = LarderEvents['metadata.changed']['what'];

/** @returns the ids of the fields that changed */
async function changeIn(tx: Transaction, item: Item, change: ValueChange['change']): Promise<number[]> {
  const has = await valuesOf(tx, item.id);
  const requested = [...(await change(has, item, tx))].filter(([id, values]) => !isSame(has.get(id) ?? [], values));
  if (requested.length > 0) await setFields(tx, item, new Map(requested));
  return requested.map(([id]) => id);
}

export function isSame(one: readonly Required<FieldValue>[], other: readonly Required<FieldValue>[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ value, color }, index) => value === other[index]?.value && color === other[index]?.color)
  );
}
