import type { IncomingMessage, ServerResponse } from 'node:http';
import mime from 'mime';
import type { ItemTarget } from '../access/access.ts';
import { onStorage } from '../access/storage-failure.ts';
import type { AccountRecord } from '../accounts/accounts.ts';
import { ApiError, invalidParameter } from '../http/errors.ts';
import { sendFile, sendMade } from '../http/send-file.ts';
import { closeFile, sendBytes } from '../storage/send-bytes.ts';
import type { FilesContext } from './context.ts';
import { openVersion } from './versions.ts';
import { zipFolder } from './zip-folder.ts';

/** Types that a browser shows without running anything of theirs. SVG and HTML are not among them. */
const SAFE_INLINE =
  /^(?:image\/(?:png|jpeg|gif|webp|avif|bmp)|audio\/[\w.+-]+|video\/[\w.+-]+|text\/plain|application\/pdf)$/;

export interface DownloadOptions {
  readonly openInBrowser: boolean;
  /** An old content of the file. */
  readonly version?: number | undefined;
}

interface OpenContent {
  readonly name: string;
  readonly fd: number;
  readonly size: number;
  readonly mtime: number;
  readonly etag: string;
}

/**
 * Sends a file's content, or a folder as a ZIP archive. It holds the file open from the first byte to the last: what
 * happens to its name meanwhile changes nothing.
 * @throws ApiError before the first byte
 */
export async function download(
  context: FilesContext,
  account: AccountRecord,
  path: readonly string[],
  options: DownloadOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const target = await context.access.resolveItem(account, path);
  const { disk, log } = context;
  try {
    const opened = await openContent(context, target, options);
    if (opened !== null) return await downloadFile(opened, options, request, response);
    const { home, segments } = target;
    const { entry } = await onStorage(() => disk.run('stat', { place: home.place, segments }));
    if (!entry.isDir) return await download(context, account, path, options, request, response);
    const name = entry.name === '' ? 'My Files' : entry.name;
    await sendMade(request, response, {
      filename: `${name}.zip`,
      mimeType: 'application/zip',
      send: (sink) => zipFolder(disk, target, name, sink),
    });
  } catch (error) {
    if (!response.headersSent) throw error;
    // Too late for an answer: a connection that breaks is the only way to say that the content is not whole.
    log.debug({ err: error }, 'a download ended early');
    response.destroy();
  }
}

/** @returns null for a folder. What it is is seen by opening it: between two looks it may become the other. */
async function openContent(
  context: FilesContext,
  target: ItemTarget,
  { version }: DownloadOptions,
): Promise<OpenContent | null> {
  const { home, segments } = target;
  const opening =
    version === undefined
      ? onStorage(() => context.disk.run('open', { place: home.place, segments })).then(({ entry, fd, etag }) => {
          return { name: entry.name, fd, size: entry.size, mtime: entry.mtime, etag };
        })
      : openVersion(context, target, version);
  return opening.catch((error) => {
    if (!(error instanceof ApiError) || error.code !== 'invalid_path') throw error;
    if (version !== undefined) throw invalidParameter('version', 'is for files; a folder has none');
    return null;
  });
}

async function downloadFile(
  { name, fd, size, mtime, etag }: OpenContent,
  { openInBrowser }: DownloadOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const type = mime.getType(name) ?? 'application/octet-stream';
  const inline = openInBrowser && SAFE_INLINE.test(type);
  try {
    await sendFile(request, response, {
      filename: name,
      mimeType: type.startsWith('text/') ? `${type}; charset=utf-8` : type,
      size,
      mtime,
      etag,
      inline,
      send: (start, end, sink) => sendBytes(fd, start, end, sink),
    });
  } finally {
    await closeFile(fd);
  }
}
