// Actions on many items: a few per request, to show progress.

import { t } from 'virtual:messages/files';
import { asRequestError } from '../../lib/requests.ts';
import { type Part, partPath } from '../list/item.ts';
import { showToast, withdrawUndo } from '../overlays/toast.ts';
import { type Field, type ItemResult, postItems } from '../requests.ts';

/** Items per request. */
export const BATCH_SIZE = 25;

export interface ActionItem {
  readonly path: string;
  readonly isDir?: boolean;
  /** The action concerns this item only, even if another one is at the path by now. */
  readonly uuid?: string | undefined;
  /** What a photo stands for beside itself. */
  readonly parts?: readonly Part[];
}

/** Actions for all of what a photo stands for. Others, such as renaming, are for the photo itself. */
const WHOLE: ReadonlySet<string> = new Set([
  ...['delete', 'share', 'link', 'download', 'album', 'albumRemove', 'move', 'copy'],
]);

/** Actions after which what was done before can no longer be undone. */
const CHANGING: ReadonlySet<string> = new Set(['rename', 'move', 'copy', 'delete', 'restore', 'erase']);

/** How many were chosen, of items with what belongs to them: a photo with its film is one. */
export const countWholes = (items: readonly ActionItem[]): number =>
  items.length - items.reduce((sum, { parts = [] }) => sum + parts.length, 0);

/** The items of an action: photos with their films, and with the other photos of their bursts. */
export const withParts = (action: string, items: readonly ActionItem[]): readonly ActionItem[] =>
  WHOLE.has(action) ? items.flatMap((item) => [item, ...partItems(item)]) : items;

const partItems = ({ path, parts = [] }: ActionItem): ActionItem[] =>
  parts.map(([name]) => ({ path: partPath(path, name) }));

/** What the form of an action is told of its items. */
export const aboutItems = (items: readonly ActionItem[]) => ({
  path: items[0]?.path,
  count: items.length > 1 ? items.length : undefined,
  whole: items.some(({ parts }) => parts?.length) ? 1 : undefined,
});

/** The result for an item, and what its path was. */
export interface DoneItem extends ItemResult {
  readonly from: string;
}

export interface BatchResult {
  readonly done: readonly DoneItem[];
  readonly failed: readonly ActionItem[];
  /** Why the first of them failed. */
  readonly reason: string;
}

/**
 * A request without a reply ends it: what the requests before it have done counts, and all further items have failed.
 * @param onProgress called with the number of finished items, for a progress message
 * @throws RequestError of the first request
 */
export async function inBatches(
  action: string,
  items: readonly ActionItem[],
  fields: readonly Field[],
  onProgress?: (count: number) => void,
): Promise<BatchResult> {
  const done: DoneItem[] = [];
  const failed: ActionItem[] = [];
  let reason = '';
  const hasToast = items.length > BATCH_SIZE && onProgress === undefined;
  const progress = (count: number) => t('files.batch.progress', { count, total: items.length });
  const toast = hasToast ? showToast(progress(0)) : null;
  for (let start = 0; start < items.length; start += BATCH_SIZE) {
    const batch = items.slice(start, start + BATCH_SIZE);
    let results: readonly ItemResult[];
    try {
      results = await postItems(action, [...fields, ...pathFields(batch)]);
    } catch (error) {
      toast?.close();
      if (start === 0) throw error;
      reason ||= asRequestError(error).message;
      failed.push(...items.slice(start));
      break;
    }
    for (const [index, result] of results.entries()) {
      const item = batch[index];
      if (result.error === undefined) done.push({ ...result, from: item?.path ?? '' });
      else {
        reason ||= result.error;
        if (item !== undefined) failed.push(item);
      }
    }
    onProgress?.(start + batch.length);
    toast?.update(progress(start + batch.length));
  }
  toast?.close();
  if (done.length > 0 && CHANGING.has(action)) withdrawUndo();
  return { done, failed, reason };
}

export const pathFields = (items: readonly ActionItem[]): Field[] =>
  items.flatMap(({ path, uuid }): Field[] => [
    ['path[]', path],
    ...(uuid === undefined ? [] : [['uuid[]', uuid] as const]),
  ]);

const DONE = {
  'create-folder': 'files.toast.created',
  rename: 'files.toast.renamed',
  move: 'files.toast.moved',
  copy: 'files.toast.copied',
  delete: 'files.toast.deleted',
  restore: 'files.toast.restored',
  erase: 'files.toast.erased',
  'empty-trash': 'files.toast.emptied',
  tag: 'files.toast.tagged',
  'share-with': 'files.toast.shared',
  star: 'files.toast.starred',
  unstar: 'files.toast.unstarred',
} as const;

/** @param isWhole whether photos were deleted together with what belongs to them */
export const deletedText = (count: number, isWhole: boolean): string =>
  isWhole ? t('photos.toast.deleted', { count }) : doneText('delete', count);

export const doneText = (action: string, count: number): string =>
  action in DONE ? t(DONE[action as keyof typeof DONE], { count }) : '';

export const failedText = (failed: number, all: number, reason: string): string =>
  all === 1 ? reason : t('files.errors.someFailed', { failed, total: all, reason });
