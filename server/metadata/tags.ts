import type { AccountCaller } from '../access/caller.ts';
import type { ItemName } from '../access/item-name.ts';
import { InvalidValue } from '../fields/invalid-value.ts';
import type { FieldValue } from '../fields/values.ts';
import { invalidParameter } from '../http/errors.ts';
import type { Preconditions } from '../http/request/preconditions.ts';
import { foldName } from '../lib/names/names.ts';
import { t } from '../messages/messages.ts';
import { changeValues, describedTarget, type MetadataContext } from './context.ts';
import { checkedMark, MAX_TAGS } from './marks.ts';

type Tag = Required<FieldValue>;

/**
 * Appends tags. An existing one, in any case, gets the given color.
 * @throws ApiError `permission_denied`, `not_found`, `invalid_path`, `invalid_parameter`, `precondition_failed`
 */
export async function addTags(
  context: MetadataContext,
  caller: AccountCaller,
  named: ItemName,
  written: readonly string[],
  conditions: Preconditions | null = null,
): Promise<void> {
  const target = await describedTarget(context, caller, named, 'files/tags/add');
  const added = checkedTags(written);
  const { marks } = await context.definitions();
  await changeValues(context, caller, target, {
    what: 'tags',
    conditions,
    change: (has) => {
      const tags = new Map((has.get(marks.tag) ?? []).map((tag) => [foldName(tag.value), tag]));
      for (const [key, tag] of added) {
        const before = tags.get(key);
        tags.set(key, before === undefined ? tag : { value: before.value, color: tag.color ?? before.color });
      }
      if (tags.size > MAX_TAGS) throw new InvalidValue('tags', { kind: 'tooMany', max: MAX_TAGS });
      return new Map([[marks.tag, [...tags.values()]]]);
    },
  });
}

/**
 * Removes tags, in any case; missing ones are ignored.
 * @throws ApiError `permission_denied`, `not_found`, `invalid_path`, `invalid_parameter`, `precondition_failed`
 */
export async function removeTags(
  context: MetadataContext,
  caller: AccountCaller,
  named: ItemName,
  written: readonly string[],
  conditions: Preconditions | null = null,
): Promise<void> {
  const target = await describedTarget(context, caller, named, 'files/tags/remove');
  const removed = checkedTags(written);
  const { marks } = await context.definitions();
  await changeValues(context, caller, target, {
    what: 'tags',
    conditions,
    change: (has) =>
      new Map([[marks.tag, (has.get(marks.tag) ?? []).filter(({ value }) => !removed.has(foldName(value)))]]),
  });
}

/** By their comparison key. */
function checkedTags(written: readonly string[]): Map<string, Tag> {
  if (written.length === 0) throw invalidParameter('tags', t('api.parameters.empty', { parameter: 'tags' }));
  if (written.length > MAX_TAGS)
    throw invalidParameter('tags', t('api.parameters.tooManyEntries', { parameter: 'tags', max: MAX_TAGS }));
  return new Map(
    written.map((one) => {
      const tag = checkedMark('tags', one);
      return [foldName(tag.value), tag];
    }),
  );
}
