import { rightsOf } from '../../access/caller.ts';
import { permit } from '../../access/rights.ts';
import { quoted } from '../../files/content-tag.ts';
import { emitItemEvent } from '../../files/emit.ts';
import { mimeType } from '../../files/mime-type.ts';
import { openInTrash } from '../../files/trash/inside-trash.ts';
import { sendFile } from '../../http/response/send-file.ts';
import { closeFile, sendBytes } from '../../storage/content/send-bytes.ts';
import type { TrashCall } from './call.ts';

/** GET and HEAD of a deleted file, or of one in a deleted folder. @throws ApiError `not_found` also for a folder */
export async function get({ context, caller, id, below, request, response }: TrashCall): Promise<void> {
  // Before any lookup, so that the answer does not depend on what exists.
  permit(rightsOf(caller), 'files/download');
  const home = await context.files.access.homeOf(caller);
  const { found, opened } = await openInTrash(context.files, home, id, below);
  const { fd, size, mtime } = opened;
  const { item, entry } = found;
  // As listings have it.
  const etag = below.length === 0 && item.isProven ? quoted(item.tag) : opened.etag;
  const type = mimeType(entry.name);
  try {
    await sendFile(request, response, {
      filename: entry.name,
      mimeType: type.startsWith('text/') ? `${type}; charset=utf-8` : type,
      ...{ size, mtime, etag, inline: false },
      send(start, end, sink) {
        if (start === 0) {
          const what = { path: [item.originalPath, ...below].join('/'), isFolder: false, version: null };
          emitItemEvent(context.files, 'item.downloaded', caller, { home, share: null }, what);
        }
        return sendBytes(fd, start, end, sink);
      },
    });
  } catch (error) {
    if (!response.headersSent) throw error;
    // The headers are sent already: closing the connection is the only way to show that the content is incomplete.
    response.destroy();
    context.files.log.debug({ err: error }, 'a download from the trash ended early');
  } finally {
    await closeFile(fd);
  }
}
