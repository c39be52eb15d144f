import { awaitFailPoint, failPoint } from '../../lib/process/fail-points.ts';
import { StorageError } from '../../storage/errors.ts';
import { flushAndClose, flushEach } from '../../storage/flush.ts';
import type { FilesContext } from '../context.ts';
import { previousContentPath } from '../publish/previous-content.ts';
import {
  alone,
  begin,
  cancelMove,
  completeMove,
  findAgain,
  type MoveAcrossHomes,
  moveOldContents,
} from './across-homes-steps.ts';
import type { Moved } from './transfer-options.ts';

/**
 * One rename, however large the tree, including links and other special files.
 * @returns null when source and destination are on different disks, and nothing has changed
 */
export function renameAcrossHomes(context: FilesContext, move: MoveAcrossHomes): Promise<Moved | null> {
  const { source, target, between, mayReplace } = move;
  return alone(context, move, async () => {
    const found = await findAgain(context, move);
    const begun = await begin(context, move, found, { identity: found.entry.identity, takenId: null });
    const { kept } = begun.entry;
    try {
      await moveOldContents(context, move, begun, null);
      await awaitFailPoint(context.failPoints, 'files.between.brought');
    } catch (error) {
      await cancelMove(context, between, begun);
      throw error;
    }
    const moved = await context.disk
      .run('move', {
        homeRoot: source.home.homeRoot,
        toHomeRoot: target.home.homeRoot,
        from: source.segments,
        parent: target.segments.slice(0, -1),
        name: target.segments.at(-1) ?? '',
        retainAs: mayReplace ? previousContentPath(target.home, kept) : null,
      })
      .catch(async (error) => {
        // The disk refused before anything was renamed. Later failures are finished by `journal/repair.ts`.
        if (error instanceof StorageError) await cancelMove(context, between, begun);
        if (error instanceof StorageError && error.reason === 'other-disk') return null;
        throw error;
      });
    if (moved === null) return null;
    const unflushed = await flushEach([flushAndClose(moved.folderFd), flushAndClose(moved.fromFolderFd)]);
    failPoint(context.failPoints, 'files.between.published');
    return completeMove(context, move, begun, { ...moved, left: null }, unflushed);
  });
}
