import type { IncomingMessage, ServerResponse } from 'node:http';
import mime from 'mime';
import { onStorage } from '../access/storage-failure.ts';
import type { AccountRecord } from '../accounts/accounts.ts';
import { sendFile } from '../http/send-file.ts';
import { closeFile, sendBytes } from '../storage/send-bytes.ts';
import type { FilesContext } from './context.ts';

/** Types that a browser shows without running anything of theirs. SVG and HTML are not among them. */
const SAFE_INLINE =
  /^(?:image\/(?:png|jpeg|gif|webp|avif|bmp)|audio\/[\w.+-]+|video\/[\w.+-]+|text\/plain|application\/pdf)$/;

/**
 * Sends a file's content. It holds the file open from the first byte to the last: what happens to its name meanwhile
 * changes nothing.
 * @throws ApiError before the first byte
 */
export async function downloadFile(
  { access, disk, log }: FilesContext,
  account: AccountRecord,
  path: readonly string[],
  { openInBrowser }: { openInBrowser: boolean },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { home, segments } = await access.resolveItem(account, path);
  const { entry, fd, etag } = await onStorage(() => disk.run('open', { place: home.place, segments }));
  const type = mime.getType(entry.name) ?? 'application/octet-stream';
  const inline = openInBrowser && SAFE_INLINE.test(type);
  try {
    await sendFile(request, response, {
      filename: entry.name,
      mimeType: type.startsWith('text/') ? `${type}; charset=utf-8` : type,
      size: entry.size,
      mtime: entry.mtime,
      etag,
      inline,
      send: (start, end, sink) => sendBytes(fd, start, end, sink),
    });
  } catch (error) {
    if (!response.headersSent) throw error;
    // Too late for an answer: a connection that breaks is the only way to say that the content is not whole.
    log.debug({ err: error }, 'a download ended early');
    response.destroy();
  } finally {
    await closeFile(fd);
  }
}
