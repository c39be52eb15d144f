import { checkStillShared, virtualPathOf } from '../../access/access.ts';
import type { Caller } from '../../access/caller.ts';
import { onStorage } from '../../access/storage-failure.ts';
import { chunksOf, closeFile } from '../../storage/content/send-bytes.ts';
import type { FilesContext } from '../context.ts';
import { emitItemEvent } from '../emit.ts';

/**
 * The beginning of a file's content, for previews. It counts as a download.
 * @param limit bytes
 * @returns the bytes read, and the size of the whole file
 * @throws ApiError `permission_denied`, `not_found`, `invalid_path` for a folder
 */
export async function readStart(
  context: FilesContext,
  caller: Caller,
  path: readonly string[],
  limit: number,
): Promise<{ content: Buffer; size: number }> {
  const target = await context.access.resolveItem(caller, path, 'files/download');
  const { home, segments } = target;
  return onStorage(async () => {
    const { fd, entry } = await context.disk.run('open', { homeRoot: home.homeRoot, segments });
    try {
      await checkStillShared(target);
      const chunks: Buffer[] = [];
      for await (const chunk of chunksOf(fd, Math.min(entry.size, limit))) chunks.push(chunk);
      const what = { path: virtualPathOf(target), isFolder: false, version: null };
      emitItemEvent(context, 'item.downloaded', caller, target, what);
      return { content: Buffer.concat(chunks), size: entry.size };
    } finally {
      await closeFile(fd);
    }
  });
}
