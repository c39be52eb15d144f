// Moving items by dragging them, and undoing moves and renames.

import { t } from 'virtual:messages/files';
import { groupedBy } from '../../lib/grouped-by.ts';
import { asRequestError } from '../../lib/requests.ts';
import { showFailure } from '../failure.ts';
import { clearSelection } from '../list/selection.ts';
import { showProblem, showToast, type ToastAction } from '../overlays/toast.ts';
import { type ActionItem, type DoneItem, doneText, failedText, inBatches, withParts } from './batches.ts';
import { afterChange, afterRemoval } from './changes.ts';

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/'));
const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** @param folder the path of the destination */
export async function moveItems(dragged: readonly ActionItem[], folder: string): Promise<void> {
  const items = withParts('move', dragged);
  try {
    const { done, failed, reason } = await inBatches('move', items, [['to', folder]]);
    if (failed.length > 0) showProblem(failedText(failed.length, items.length, reason));
    if (done.length === 0) return;
    showToast(doneText('move', done.length), undoOf('move', done));
    clearSelection();
    await afterRemoval();
  } catch (error) {
    showFailure(asRequestError(error));
  }
}

/** What a message offers after a move or rename; null for other actions. */
export function undoOf(action: string, done: readonly DoneItem[]): ToastAction | null {
  if (action !== 'move' && action !== 'rename') return null;
  const items = done.filter(({ to, uuid }) => to !== undefined && uuid !== undefined);
  // One that replaced another item has its history now, which moving it back would not return.
  if (items.length < done.length || items.length === 0) return null;
  const run = () => void (action === 'move' ? moveBack(items) : renameBack(items));
  return { text: t('files.toast.undo'), isUndo: true, run };
}

/** Each item to the folder that it was in. An item that has been moved on meanwhile stays where it is. */
async function moveBack(items: readonly DoneItem[]): Promise<void> {
  const folders = groupedBy(items, ({ from }) => folderOf(from));
  await undo(
    [...folders].map(
      ([folder, moved]) =>
        () =>
          inBatches('move', moved.map(movedItem), [['to', folder]]),
    ),
    items.length,
  );
}

async function renameBack(items: readonly DoneItem[]): Promise<void> {
  await undo(
    items.map((item) => () => inBatches('rename', [movedItem(item)], [['name', nameOf(item.from)]])),
    items.length,
  );
}

const movedItem = ({ to = '', uuid }: DoneItem): ActionItem => ({ path: to, uuid });

async function undo(steps: readonly (() => ReturnType<typeof inBatches>)[], count: number): Promise<void> {
  try {
    const problems: string[] = [];
    let failed = 0;
    for (const step of steps) {
      const result = await step();
      failed += result.failed.length;
      if (result.failed.length > 0) problems.push(result.reason);
    }
    if (failed > 0) showProblem(failedText(failed, count, problems[0] ?? ''));
    else showToast(t('files.toast.undone'));
    await afterChange();
  } catch (error) {
    showFailure(asRequestError(error));
  }
}
