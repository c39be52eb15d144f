import { deleteItem } from '../../files/trash/delete.ts';
import { checkIf } from '../conditions.ts';
import type { DavCall } from '../context.ts';
import { requireDepth } from '../depth.ts';
import { locateItem } from '../locate.ts';
import { programOf } from '../program.ts';

/** RFC 4918 §9.6: moves a file or folder to the trash. */
export async function remove(call: DavCall): Promise<void> {
  const { context, address, request, response } = call;
  requireDepth(request, ['infinity']);
  const { caller, conditions, checkAgain } = await checkIf(call);
  const path = await locateItem(context, caller, address.segments);
  await deleteItem(context.files, caller, path, { conditions, check: checkAgain, program: programOf(caller) });
  response.statusCode = 204;
  response.end();
}
