import { SHARE_FLAGS } from '../shares/share-record.ts';
import type { ItemTarget } from './item-target.ts';

/**
 * For whom the tag of a folder is (`catalogue/folder-tags.ts`): a caller, with what the share allows through which the folder is
 * reached. So a sync program that asks for tags alone reads the folders of a share again once its owner allows more, or less.
 * @param share null in the caller's own home
 */
export function tagReader(
  { id }: { readonly id: number },
  share: Pick<NonNullable<ItemTarget['share']>, 'flags'> | null,
): string {
  if (share === null) return String(id);
  return `${id} ${SHARE_FLAGS.filter((flag) => share.flags[flag]).join(',')}`;
}
