import type { AccountCaller } from '../access/caller.ts';
import type { ItemName } from '../access/item-name.ts';
import type { Preconditions } from '../http/request/preconditions.ts';
import { changeValues, describedTarget, type MetadataContext } from './context.ts';
import { checkedMark } from './marks.ts';

/**
 * @param label `text` or `text|color`; empty removes it
 * @throws ApiError `permission_denied`, `not_found`, `invalid_path`, `invalid_parameter`, `precondition_failed`
 */
export async function setLabel(
  context: MetadataContext,
  caller: AccountCaller,
  named: ItemName,
  label: string,
  conditions: Preconditions | null = null,
): Promise<void> {
  const target = await describedTarget(context, caller, named, 'files/label');
  const values = label.trim() === '' ? [] : [checkedMark('label', label)];
  const { marks } = await context.definitions();
  await changeValues(context, caller, target, {
    what: 'label',
    change: () => new Map([[marks.label, values]]),
    conditions,
  });
}
