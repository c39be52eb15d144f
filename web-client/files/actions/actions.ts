// Actions on files and folders: immediate ones, and those with a dialog.

import { t } from 'virtual:messages/files';
import { asRequestError } from '../../lib/requests.ts';
import { download } from '../download.ts';
import { showFailure } from '../failure.ts';
import { clearSelection } from '../list/selection.ts';
import { showProblem, showToast, type ToastAction } from '../overlays/toast.ts';
import { openActionForm } from './action-form.ts';
import { type ActionItem, deletedText, doneText, failedText, inBatches, withParts } from './batches.ts';
import { afterChange, afterRemoval } from './changes.ts';

/** Actions without confirmation, because they can be undone or lose nothing. */
const DIRECT: ReadonlySet<string> = new Set(['star', 'unstar', 'delete', 'restore']);

export async function perform(action: string, chosen: readonly ActionItem[]): Promise<void> {
  const items = withParts(action, chosen);
  const [first] = items;
  try {
    if (action === 'download') await download(items);
    else if (action === 'share' && first !== undefined) {
      const { openShare } = await import('../share.ts');
      // Each item has its own recipients; a new one is for all of them.
      await (items.length === 1 ? openShare(first) : openActionForm('share-with', items));
    } else if (action === 'link' && first !== undefined) {
      const { openWeblink, openWeblinkTo } = await import('../weblink.ts');
      await (items.length === 1 ? openWeblink(first) : openWeblinkTo(items));
    } else if (action.startsWith('album')) await (await import('../albums.ts')).performInAlbum(action, items);
    else if (DIRECT.has(action)) await performDirectly(action, items);
    else await openActionForm(action, items);
  } catch (error) {
    showFailure(asRequestError(error));
  }
}

/** @param address of the page of a link to several items */
export async function openLinkToSeveral(address: string): Promise<void> {
  try {
    await (await import('../weblink.ts')).openWeblinkAt(address);
  } catch (error) {
    showFailure(asRequestError(error));
  }
}

async function performDirectly(action: string, items: readonly ActionItem[]): Promise<void> {
  const { done, failed, reason } = await inBatches(action, items, []);
  if (failed.length > 0) showProblem(failedText(failed.length, items.length, reason));
  if (done.length === 0) return;
  const trashed = done.flatMap(({ to }) => (to === undefined || to === '' ? [] : [{ path: to }]));
  const canUndo = action === 'delete' && trashed.length > 0;
  const isWhole = items.some(({ parts }) => parts?.length);
  const text = action === 'delete' ? deletedText(done.length, isWhole) : doneText(action, done.length);
  // What was done although something else failed can be undone as well.
  if (failed.length === 0 || canUndo) showToast(text, canUndo ? undo(trashed) : null);
  clearSelection();
  const isGone = action === 'delete' || action === 'restore';
  await (isGone ? afterRemoval() : afterChange());
}

const undo = (trashed: readonly ActionItem[]): ToastAction => ({
  text: t('files.toast.undo'),
  isUndo: true,
  run: () => void perform('restore', trashed),
});
