import { HOME_BASE } from '../../access/access.ts';
import { type AccountCaller, rightsOf } from '../../access/caller.ts';
import { permit } from '../../access/rights.ts';
import { hiddenFilesOf } from '../../catalogue/hidden-files.ts';
import { ApiError, type ErrorCode } from '../../http/errors.ts';
import type { FilesContext } from '../context.ts';
import { forEachInParallel } from '../parallel.ts';
import { deleteItem } from './delete.ts';

/** Files in one step: few enough that the reply comes soon. */
const STEP = 500;

/** What keeps one file in its place, and not the others: a lock, or another program that has moved it meanwhile. */
const KEPT: ReadonlySet<ErrorCode> = new Set(['locked', 'not_found', 'invalid_parameter']);

/**
 * Moves the files that operating systems store for themselves to the trash, all over the caller's home: one step of at most 500.
 * @param after where the step before ended; 0 for the first
 * @returns the number of files that were moved, and where to continue; null at the end
 * @throws ApiError as `deleteItem`, where that concerns every file
 */
export async function deleteHiddenFiles(
  context: FilesContext,
  caller: AccountCaller,
  after: number,
): Promise<{ deleted: number; next: number | null }> {
  permit(rightsOf(caller), 'files/delete');
  const home = await context.access.homeOf(caller);
  const { files, next } = await hiddenFilesOf(context.database, home.id, after, STEP);
  const top = HOME_BASE.slice(1).split('/');
  let deleted = 0;
  await forEachInParallel(files, async ({ uuid, segments }) => {
    try {
      // The uuid and the path: a file that was renamed meanwhile stays.
      await deleteItem(context, caller, { path: [...top, ...segments], uuid });
      deleted += 1;
    } catch (error) {
      if (!(error instanceof ApiError && KEPT.has(error.code))) throw error;
    }
  });
  return { deleted, next };
}
