import { emptyOwnTrash } from '../../files/trash/empty-trash.ts';
import { deleteFromTrash } from '../../files/trash/trash.ts';
import { requireDepth } from '../../webdav/depth.ts';
import type { TrashCall } from './call.ts';

/** DELETE of the trash: deletes everything in it permanently. @throws ApiError */
export async function empty({ context, caller, request, response }: TrashCall): Promise<void> {
  requireDepth(request, ['infinity']);
  await emptyOwnTrash(context.files, caller);
  response.statusCode = 204;
  response.end();
}

/** DELETE of an item: deletes it permanently. @throws ApiError */
export async function erase({ context, caller, id, request, response }: TrashCall): Promise<void> {
  requireDepth(request, ['infinity']);
  await deleteFromTrash(context.files, caller, ['TRASH', id]);
  response.statusCode = 204;
  response.end();
}
