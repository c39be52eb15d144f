import { restoreItem } from '../../files/trash/trash.ts';
import { preconditionsOf } from '../../http/request/preconditions.ts';
import { tokensSubmitted } from '../../webdav/check-if.ts';
import { requireDepth } from '../../webdav/depth.ts';
import { requireRestore } from '../restore-destination.ts';
import type { TrashCall } from './call.ts';

/**
 * MOVE of an item to `restore/<any name>`: brings it back to where it was, or to the home if its folder is gone. It replaces nothing:
 * if its name is taken, it gets another one.
 * @throws ApiError
 */
export async function restore(call: TrashCall): Promise<void> {
  const { context, caller, id, request, response } = call;
  requireDepth(request, ['infinity']);
  requireRestore(request, context, 'trashbin', caller);
  const lockTokens = tokensSubmitted(call);
  await restoreItem(context.files, { ...caller, lockTokens }, ['TRASH', id], preconditionsOf(request.headers));
  response.statusCode = 201;
  response.end();
}
