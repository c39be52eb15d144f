import type { IncomingMessage, ServerResponse } from 'node:http';
import { checkStillShared, type ItemTarget, virtualPathOf } from '../../access/access.ts';
import type { Caller } from '../../access/caller.ts';
import { onStorage } from '../../access/storage-failure.ts';
import { sendMade } from '../../http/response/send-file.ts';
import { emitItemEvent } from '../emit.ts';
import { planZip } from '../zip/plan.ts';
import { writeZip } from '../zip/write-zip.ts';
import { type FoundRoot, zipRoots } from '../zip/zip-roots.ts';
import type { DownloadContext } from './context.ts';
import type { DownloadOptions } from './download.ts';
import { Counted } from './download-counter.ts';
import { whileShared } from './share-watch.ts';

/**
 * Checks whether several files and folders can be sent as one archive.
 * @throws ApiError `permission_denied`, `not_found` when one of them does not exist
 */
export async function checkSeveral(
  context: DownloadContext,
  caller: Caller,
  paths: readonly (readonly string[])[],
): Promise<FoundRoot[]> {
  const targets: ItemTarget[] = [];
  for (const path of paths) targets.push(await context.access.resolveItem(caller, path, 'files/download'));
  const roots = await onStorage(() => zipRoots(context, caller, targets, 'files/download:folder'));
  await checkStillShared(...targets);
  return roots;
}

/**
 * Sends several files and folders as one ZIP archive, generated while it is sent.
 * @param name of the archive, without `.zip`
 * @throws ApiError like `checkSeveral`, before the first byte
 */
export async function downloadSeveral(
  context: DownloadContext,
  caller: Caller,
  paths: readonly (readonly string[])[],
  name: string,
  request: IncomingMessage,
  response: ServerResponse,
  { counter, withLength = false }: Pick<DownloadOptions, 'counter' | 'withLength'> = {},
): Promise<void> {
  const roots = await checkSeveral(context, caller, paths);
  const counted = new Counted(counter, response);
  const targets = roots.map(({ target }) => target);
  const stopLooking = whileShared(context, targets, () => checkStillShared(...targets), response);
  try {
    const plan = withLength ? await onStorage(() => planZip(context.disk, roots)) : null;
    await sendMade(request, response, {
      filename: `${name}.zip`,
      mimeType: 'application/zip',
      length: plan?.length ?? null,
      admit: () => counted.beginMade(plan?.length ?? null),
      send: (sink) => {
        for (const { target, isDir: isFolder } of roots) {
          const what = { path: virtualPathOf(target), isFolder, version: null };
          emitItemEvent(context, 'item.downloaded', caller, target, what);
        }
        return writeZip(context.disk, roots, sink, { plan, onBytes: counted.onBytes });
      },
    });
  } catch (error) {
    if (!response.headersSent) throw error;
    // The headers are sent already: closing the connection is the only way to show that the content is incomplete.
    context.log.debug({ err: error }, 'a download ended early');
    response.destroy();
  } finally {
    stopLooking();
    await counted.end();
  }
}
