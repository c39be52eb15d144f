import type { IncomingMessage, ServerResponse } from 'node:http';
import { checkStillShared, type ItemTarget, shownName, virtualPathOf } from '../../access/access.ts';
import { type Caller, rightsOf } from '../../access/caller.ts';
import type { ItemName } from '../../access/item-name.ts';
import { permit, permitInShare } from '../../access/rights.ts';
import { onStorage } from '../../access/storage-failure.ts';
import { ApiError, invalidParameter } from '../../http/errors.ts';
import { sendFile, sendMade } from '../../http/response/send-file.ts';
import { t } from '../../messages/messages.ts';
import { closeFile, sendBytes } from '../../storage/content/send-bytes.ts';
import type { Found } from '../../storage/disk/disk.ts';
import { contentTagForReader } from '../content-tag.ts';
import { emitItemEvent } from '../emit.ts';
import { mimeType } from '../mime-type.ts';
import { openVersion } from '../versions/versions.ts';
import { planZip } from '../zip/plan.ts';
import { writeZip } from '../zip/write-zip.ts';
import type { DownloadContext } from './context.ts';
import { Counted, type DownloadCounter } from './download-counter.ts';
import { whileShared } from './share-watch.ts';

/** Types that a browser displays without running code. SVG and HTML are not among them. */
const SAFE_INLINE =
  /^(?:image\/(?:png|jpeg|gif|webp|avif|bmp)|audio\/[\w.+-]+|video\/[\w.+-]+|text\/plain|application\/pdf)$/;

export interface DownloadOptions {
  readonly openInBrowser: boolean;
  /** Number of an earlier version. */
  readonly version?: number | undefined;
  /** Content shown as part of a page, such as previews and images: not a deliberate download, so no event is emitted. */
  readonly isPreview?: boolean;
  /** Called with the open file, before anything of it is sent: for headers that depend on its content. */
  readonly onOpened?: (found: Found) => Promise<void>;
  /** Counts the bytes sent, where downloads are limited. */
  readonly counter?: DownloadCounter;
  /**
   * For a folder: whether the length of the archive is announced. If so, a change of the tree aborts the download; otherwise
   * items that disappear are left out.
   */
  readonly withLength?: boolean;
  /**
   * Finds a part of the file, which alone is sent, as a file of its own. Called with the open file, its bytes, and its name.
   * @throws ApiError if it does not have the part
   */
  readonly part?: (fd: number, size: number, name: string) => Promise<ContentPart>;
}

/** A part of a file: bytes from its beginning, and the name and media type that it is sent with. */
export interface ContentPart {
  readonly start: number;
  readonly length: number;
  readonly name: string;
  readonly type: string;
}

interface OpenContent {
  readonly name: string;
  readonly fd: number;
  readonly size: number;
  readonly mtime: number;
  readonly etag: string;
  /** See `ContentTag`. */
  readonly isProven: boolean;
  readonly part?: ContentPart | undefined;
}

/**
 * Sends a file's content, or a folder as a ZIP archive. The file stays open from the first byte to the last, so renaming or
 * replacing it meanwhile has no effect.
 * @throws ApiError before the first byte
 */
export async function download(
  context: DownloadContext,
  caller: Caller,
  named: ItemName,
  options: DownloadOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const action = options.version === undefined ? 'files/download' : 'files/download:version';
  const target = await context.access.resolveItem(caller, named, action);
  const { disk, log } = context;
  const look = () => context.access.resolveItem(caller, named, action);
  const looking = [whileShared(context, [target], look, response)];
  const counted = new Counted(options.counter, response);
  let failure: unknown = null;
  try {
    const { home, segments } = target;
    const begun = (isFolder: boolean) => {
      if (options.isPreview === true) return;
      const what = { path: virtualPathOf(target), isFolder, version: options.version ?? null };
      emitItemEvent(context, 'item.downloaded', caller, target, what);
    };
    const send = (opened: OpenContent) => downloadFile(opened, options, request, response, counted, () => begun(false));
    const opened = await openContent(context, target, options);
    if (opened !== null) return await send(opened);
    if (options.part !== undefined) throw new ApiError('invalid_path', t('api.access.isFolder'));
    const { entry } = await onStorage(() => disk.run('stat', { homeRoot: home.homeRoot, segments }));
    // A file may have taken the place of the folder since.
    const replaced = entry.isDir ? null : await openContent(context, target, options);
    if (replaced !== null) return await send(replaced);
    permit(rightsOf(caller), 'files/download:folder');
    permitInShare(target.share, 'files/download:folder');
    await checkStillShared(target);
    // Its items are found by path throughout: another folder must not take its place.
    looking.push(whileShared(context, [target], () => checkStillShared(target), response));
    const name = shownName(target, entry.name);
    const roots = [{ target, name }];
    const plan = options.withLength === true ? await onStorage(() => planZip(disk, roots)) : null;
    await sendMade(request, response, {
      filename: `${name}.zip`,
      mimeType: 'application/zip',
      length: plan?.length ?? null,
      admit: () => counted.beginMade(plan?.length ?? null),
      send: (sink) => {
        begun(true);
        return writeZip(disk, roots, sink, { plan, onBytes: counted.onBytes });
      },
    });
  } catch (error) {
    if (!response.headersSent) throw error;
    // The headers are sent already: closing the connection is the only way to show that the content is incomplete.
    failure = error;
    response.destroy();
  } finally {
    for (const stop of looking) stop();
    await counted.end();
    if (failure !== null) log.debug({ err: failure }, 'a download ended early');
  }
}

/** @returns null for a folder. Only opening it shows which it is, since it may change between two checks. */
async function openContent(
  context: DownloadContext,
  target: ItemTarget,
  { version, onOpened, part }: DownloadOptions,
): Promise<OpenContent | null> {
  const opening =
    version === undefined ? openPresent(context, target, onOpened, part) : openVersion(context, target, version);
  return opening.catch((error) => {
    if (!(error instanceof ApiError) || error.code !== 'invalid_path') throw error;
    if (version !== undefined) throw invalidParameter('version', t('api.versions.filesOnly'));
    return null;
  });
}

async function openPresent(
  context: DownloadContext,
  target: ItemTarget,
  onOpened: DownloadOptions['onOpened'],
  part: DownloadOptions['part'],
): Promise<OpenContent> {
  const { home, segments } = target;
  const found = await onStorage(() => context.disk.run('open', { homeRoot: home.homeRoot, segments }));
  const { entry, fd } = found;
  try {
    await checkStillShared(target);
    const tag = await onStorage(() => contentTagForReader(context, home, found));
    await onOpened?.(found);
    const { name, size, mtime } = entry;
    return { name, fd, size, mtime, ...tag, part: await part?.(fd, size, name) };
  } catch (error) {
    await closeFile(fd);
    throw error;
  }
}

/** @param begun called before the first byte of the content, not for ranges that begin later */
async function downloadFile(
  { fd, mtime, isProven, part, ...whole }: OpenContent,
  { openInBrowser }: DownloadOptions,
  request: IncomingMessage,
  response: ServerResponse,
  counted: Counted,
  begun: () => void,
): Promise<void> {
  const name = part?.name ?? whole.name;
  const size = part?.length ?? whole.size;
  const offset = part?.start ?? 0;
  // The tag of the whole file must not be that of a part.
  const etag = part === undefined ? whole.etag : whole.etag.replace(/"$/, `-${offset}"`);
  const type = part?.type ?? mimeType(name);
  const inline = openInBrowser && SAFE_INLINE.test(type);
  try {
    await sendFile(request, response, {
      filename: name,
      mimeType: type.startsWith('text/') ? `${type}; charset=utf-8` : type,
      size,
      mtime,
      etag,
      isProven,
      inline,
      admit: (spans) => counted.begin({ etag, size }, spans),
      send: (start, end, sink) => {
        if (start === 0) begun();
        return sendBytes(fd, offset + start, offset + end, sink, counted.onBytes);
      },
    });
    // An empty file has nothing left to send.
    if (size === 0 && request.method !== 'HEAD' && response.statusCode === 200) begun();
    // The counter knows as soon as everything was sent, not only after the file was closed.
    void counted.end();
  } finally {
    await closeFile(fd);
  }
}
