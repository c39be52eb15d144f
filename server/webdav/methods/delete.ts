import { deleteItem } from '../../files/trash/delete.ts';
import { checkIf } from '../check-if.ts';
import type { DavCall } from '../context.ts';
import { depthOfWhole, refuseFolderAlone } from '../depth.ts';
import { checkIsAddressed, locateItem } from '../locate.ts';
import { programOf } from '../program.ts';

/** RFC 4918 §9.6: moves a file or folder to the trash. */
export async function remove(call: DavCall): Promise<void> {
  const { context, address, request, response } = call;
  const { files } = context;
  const depth = depthOfWhole(request);
  const { caller, conditions, checkAgain } = await checkIf(call);
  const path = await locateItem(context, caller, address.segments);
  const check = async () => {
    await checkAgain();
    const target = await files.access.resolveItem(caller, path, 'files/delete');
    await checkIsAddressed(context, address, target);
    if (depth === 'infinity') return;
    const { home, segments } = target;
    const { entry } = await files.disk.run('stat', { homeRoot: home.homeRoot, segments });
    refuseFolderAlone(depth, entry.isDir);
  };
  await deleteItem(files, caller, path, { conditions, check, program: programOf(caller) });
  response.statusCode = 204;
  response.end();
}
