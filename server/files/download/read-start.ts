import { checkStillShared, type ItemTarget, virtualPathOf } from '../../access/access.ts';
import type { Caller } from '../../access/caller.ts';
import { onStorage } from '../../access/storage-failure.ts';
import { chunksOf, closeFile } from '../../storage/content/send-bytes.ts';
import type { FilesContext } from '../context.ts';
import { emitItemEvent } from '../emit.ts';
import { openVersion } from '../versions/versions.ts';

/**
 * The beginning of a file's content, for previews. It counts as a download.
 * @param limit bytes
 * @param version of an earlier content; undefined for the present one
 * @returns the bytes read, and the size of the whole file
 * @throws ApiError `permission_denied`, `not_found`, `invalid_path` for a folder
 */
export async function readStart(
  context: FilesContext,
  caller: Caller,
  path: readonly string[],
  limit: number,
  version?: number,
): Promise<{ content: Buffer; size: number }> {
  const action = version === undefined ? 'files/download' : 'files/download:version';
  const target = await context.access.resolveItem(caller, path, action);
  return onStorage(async () => {
    const { fd, size } = await opened(context, target, version);
    try {
      await checkStillShared(target);
      const chunks: Buffer[] = [];
      for await (const chunk of chunksOf(fd, Math.min(size, limit))) chunks.push(chunk);
      const what = { path: virtualPathOf(target), isFolder: false, version: version ?? null };
      emitItemEvent(context, 'item.downloaded', caller, target, what);
      return { content: Buffer.concat(chunks), size };
    } finally {
      await closeFile(fd);
    }
  });
}

async function opened(
  context: FilesContext,
  target: ItemTarget,
  version: number | undefined,
): Promise<{ fd: number; size: number }> {
  if (version !== undefined) return openVersion(context, target, version);
  const { home, segments } = target;
  const { fd, entry } = await context.disk.run('open', { homeRoot: home.homeRoot, segments });
  return { fd, size: entry.size };
}
