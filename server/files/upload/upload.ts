import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type ItemTarget, virtualPathOf } from '../../access/access.ts';
import { type Caller, responsibleId, rightsOf } from '../../access/caller.ts';
import { checkType, checkUploadSize, limitsIn, maxUploadBytes } from '../../access/limits.ts';
import { permit, permitInShare } from '../../access/rights.ts';
import { onStorage } from '../../access/storage-failure.ts';
import { ApiError } from '../../http/errors.ts';
import type { Preconditions } from '../../http/request/preconditions.ts';
import { uploadTooLarge } from '../../http/request/read-bytes.ts';
import { failPoint } from '../../lib/process/fail-points.ts';
import { copyStored } from '../../storage/content/copy.ts';
import { receive } from '../../storage/content/receive.ts';
import { eraseStored, setModified } from '../../storage/content/work-area.ts';
import { StorageError } from '../../storage/errors.ts';
import type { FilesContext } from '../context.ts';
import { createMissingFolders } from '../create-folder.ts';
import { checkUnlocked } from '../locks/locks.ts';
import { checkConditions } from '../publish/conditions.ts';
import { isFileThere, publishContent } from '../publish/publish-content.ts';
import {
  abandonUpload,
  addChunk,
  checkChunkQuota,
  endedKey,
  endUpload,
  receiveChunk,
  type UploadOffset,
  uploadOffset,
} from './chunks.ts';
import { identifiesContent, type UploadChunk } from './claim.ts';
import { checkDigest } from './content-digest.ts';
import type { Received, ReceivedFile } from './received.ts';
import { forgetUpload, type UploadIdentity } from './upload-rows.ts';

export interface UploadTarget {
  /** §4.2: the folder must exist. Decides when both are given. */
  readonly path?: readonly string[] | undefined;
  /** §4.2: missing folders are made. */
  readonly filePath?: readonly string[] | undefined;
}

export interface UploadedFile {
  path: string;
  filename: string;
  fileSize: number;
  uuid: string;
  version: number;
  /** Whether there was no file of this name before. */
  created: boolean;
}

/** Below this a content is there before anything about it has been looked up. Bytes. */
const SMALL = 64 * 1024;

/** What is known of an upload before its content. */
export interface Announcement {
  /** Null while it is not known: a form may say it behind the content. */
  readonly where: UploadTarget | null;
  /** Bytes of the content; null when nobody says. */
  readonly bytes: number | null;
  /** The chunked upload that it belongs to. */
  readonly chunk: UploadIdentity | null;
  readonly conditions?: Preconditions | null;
}

/** Refuses what could not be taken or published anyway, before its content is sent. @throws ApiError */
export async function checkUpload(
  context: FilesContext,
  caller: Caller,
  { where, bytes: carried, chunk, conditions = null }: Announcement,
): Promise<void> {
  const rights = rightsOf(caller);
  const bytes = chunk?.totalSize ?? carried;
  permit(rights, 'files/upload');
  checkUploadSize([rights], bytes ?? 0);
  if (where === null) return;
  const target = await targetOf(context, caller, where);
  checkUploadSize(limitsIn(rightsOf(caller), target), bytes ?? 0);
  if (conditions !== null) await checkConditions(context, target, conditions);
  if (bytes === null || bytes > SMALL) {
    const isOver = await explained(context, target, where, () =>
      onStorage(() => isFileThere(context, target, mayMakeFolders(where))),
    );
    if (isOver) permitInShare(target.share, 'files/upload over');
    await checkUnlocked(context, caller, target);
  }
  if (chunk !== null) await checkChunkQuota(context, caller, target, chunk);
  else await context.quotas.check({ caller, home: target.home, bytes: bytes ?? 0 });
}

/** Where a chunked upload continues. */
export async function offsetOf(
  context: FilesContext,
  caller: Caller,
  where: UploadTarget,
  identity: Omit<UploadIdentity, 'totalSize'> & { readonly totalSize: number | undefined },
): Promise<UploadOffset> {
  return uploadOffset(context, caller, await targetOf(context, caller, where), identity);
}

/** Gives a chunked upload up. */
export async function abandonUploadTo(
  context: FilesContext,
  caller: Caller,
  where: UploadTarget,
  uploadId: string | undefined,
): Promise<void> {
  await abandonUpload(context, caller, await targetOf(context, caller, where), uploadId);
}

/** Takes one chunk of the content for this path. @throws ApiError; what came before stays */
export async function receiveChunkFor(
  context: FilesContext,
  caller: Caller,
  where: UploadTarget,
  chunk: UploadChunk,
  content: Readable,
  announced: number | null,
): Promise<Received> {
  const { totalSize, startByte, uploadId, lastModified } = chunk;
  if (uploadId === undefined && !identifiesContent(chunk) && startByte === 0 && announced === totalSize) {
    // The whole content, which nobody could continue.
    return receiveUpload(context, caller, where, content, announced, lastModified);
  }
  const target = await targetOf(context, caller, where);
  checkUploadSize(limitsIn(rightsOf(caller), target), totalSize);
  return receiveChunk(context, caller, target, chunk, content, announced);
}

/** The same for one that came in a form. */
export async function addChunkFor(
  context: FilesContext,
  caller: Caller,
  where: UploadTarget,
  chunk: UploadChunk,
  file: ReceivedFile,
): Promise<Received> {
  const target = await targetOf(context, caller, where);
  checkUploadSize(limitsIn(rightsOf(caller), target), chunk.totalSize);
  return addChunk(context, caller, target, chunk, file);
}

/**
 * Takes content into the work area of the home it is meant for; of one's own, or of all, as long as nobody says which.
 * @param lastModified seconds since the epoch
 * @throws ApiError; nothing is left then
 */
export async function receiveUpload(
  context: FilesContext,
  caller: Caller,
  where: UploadTarget | null,
  content: Readable,
  announced: number | null,
  lastModified: number | undefined,
): Promise<ReceivedFile> {
  permit(rightsOf(caller), 'files/upload');
  const begunAt = context.clock.now();
  const target = where === null ? null : await targetOf(context, caller, where);
  const limits = target === null ? [rightsOf(caller)] : limitsIn(rightsOf(caller), target);
  checkUploadSize(limits, announced ?? 0);
  const home =
    target?.home ??
    (caller.account === undefined || caller.account.homeId === null
      ? null
      : await context.access.homeOf(caller.account));
  const area = home?.area ?? context.area;
  const reservation = home && (await context.quotas.reserve({ caller, home, bytes: announced ?? 0 }));
  const path = join(area.incoming, randomUUID());
  const limit = maxUploadBytes(limits);
  const { failPoints } = context;
  const admit = reservation?.grow;
  try {
    const take = () =>
      receive(content, { path, announced, lastModified, limit, admit, failPoints }).catch((error) => {
        if (error instanceof StorageError && error.reason === 'too-large') throw uploadTooLarge(limit);
        throw error;
      });
    const size = await onStorage(async () => {
      await context.reserve.requireRoom();
      return home === null ? take() : context.disk.whileAnswering(home.place, take);
    });
    return { home, area, path, size, lastModified, reservation, begunAt };
  } catch (error) {
    reservation?.release();
    throw error;
  }
}

/** Of an upload in chunks what came stays, to be continued. */
export async function dropUpload(received: Received): Promise<void> {
  if ('uploadId' in received) return received.end();
  received.reservation?.release();
  await eraseStored(received.path);
}

export interface PublishWishes {
  /** Seconds since the epoch. */
  readonly lastModified?: number | undefined;
  /** Of the content, each as `<algorithm>=<hex>`. */
  readonly digests?: readonly (string | undefined)[];
  readonly conditions?: Preconditions | null;
}

/**
 * Gives received content its name. What stood there is kept.
 * @returns the file, and the validator of its content
 * @throws ApiError `not_found` (no such folder), `already_exists` (a folder, or a twin of the name), `conflict`,
 * `precondition_failed`, `digest_mismatch`
 */
export async function publishUpload(
  context: FilesContext,
  caller: Caller,
  where: UploadTarget & PublishWishes,
  received: Received,
): Promise<{ file: UploadedFile; etag: string }> {
  const target = await targetOf(context, caller, where);
  if (target.home.id !== received.home?.id) {
    if ('uploadId' in received) throw new ApiError('conflict', 'The path changed its home while the file was sent.');
    const brought = await bringHome(context, caller, target, received);
    try {
      return await publishUpload(context, caller, where, brought);
    } finally {
      await Promise.all([dropUpload(brought), dropUpload(received)]);
    }
  }
  // A form may have said something else in front of its content than behind it.
  checkUploadSize(limitsIn(rightsOf(caller), target), sizeOf(received));
  if (mayMakeFolders(where)) {
    await createMissingFolders(context, caller, { ...target, segments: target.segments.slice(0, -1) });
  }
  // Of a form, the time may stand behind the content.
  if (where.lastModified !== undefined && 'lastModified' in received && received.lastModified !== where.lastModified) {
    await setModified(received.path, where.lastModified);
  }
  if ('uploadId' in received) failPoint(context.failPoints, 'files.upload.complete');
  await checkWholeDigest(context, where.digests ?? [], received);
  const { conditions = null } = where;
  const check = conditions === null ? {} : { check: () => checkConditions(context, target, conditions) };
  const settle = received.reservation?.settle ?? ((work) => work());
  const { path, name, size, item, isNew, etag } = await settle(async () => {
    const published = await explained(context, target, where, () =>
      publishContent(context, caller, target, received.path, { overAs: 'files/upload over', ...check }),
    );
    if ('uploadId' in received) await endUpload(context, received.uploadId);
    return published;
  });
  if ('uploadId' in received) {
    context.chunkOrder.end(responsibleId(caller), endedKey(received.key, target), size);
    received.end();
  }
  const { uuid, version } = item;
  return { file: { path, filename: name, fileSize: size, uuid, version, created: isNew }, etag };
}

/** Says which folder is missing where that is why a content has no place. */
async function explained<T>(
  { disk }: FilesContext,
  target: ItemTarget,
  where: UploadTarget,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'not_found' || mayMakeFolders(where)) throw error;
    const { home, segments } = target;
    for (let depth = Math.max(1, target.top); depth < segments.length; depth += 1) {
      const above = segments.slice(0, depth);
      const found = await disk.run('stat', { place: home.place, segments: above }).catch(() => null);
      if (found?.entry.isDir) continue;
      const folder = virtualPathOf(target, above);
      throw new ApiError(
        'not_found',
        `The folder "${folder}" does not exist. Make it first, or send "filePath" instead of "path": then missing folders are made.`,
        { details: { folder }, cause: error },
      );
    }
    throw error;
  }
}

/** Of a chunked upload nothing stays that is not what its client meant to send. @throws ApiError `digest_mismatch` */
async function checkWholeDigest(
  { database }: FilesContext,
  said: readonly (string | undefined)[],
  received: Received,
): Promise<void> {
  const digests = [...said, 'uploadId' in received ? received.digest : undefined].filter((one) => one !== undefined);
  try {
    for (const digest of new Set(digests)) await checkDigest(received.path, 0, digest, 0);
  } catch (error) {
    if ('uploadId' in received) {
      await forgetUpload(database, received.uploadId);
      await eraseStored(received.path);
    }
    throw error;
  }
}

function sizeOf(received: Received): number {
  return 'uploadId' in received ? received.offset : received.size;
}

/** Of a form that names its path behind the content: that lies ready for another home than the one it is meant for. */
async function bringHome(
  { quotas, failPoints }: FilesContext,
  caller: Caller,
  target: ItemTarget,
  { size, lastModified, begunAt, ...received }: ReceivedFile,
): Promise<ReceivedFile> {
  const { home } = target;
  checkUploadSize(limitsIn(rightsOf(caller), target), size);
  const reservation = await quotas.reserve({ caller, home, bytes: size });
  const path = join(home.area.incoming, randomUUID());
  try {
    await onStorage(() => copyStored(received.path, path, failPoints, lastModified));
  } catch (error) {
    reservation.release();
    throw error;
  }
  return { home, area: home.area, path, size, lastModified, reservation, begunAt };
}

function mayMakeFolders({ path }: UploadTarget): boolean {
  return path === undefined;
}

async function targetOf(
  { access }: FilesContext,
  caller: Caller,
  { path, filePath }: UploadTarget,
): Promise<ItemTarget> {
  const asked = path ?? filePath;
  if (asked === undefined)
    throw new ApiError('missing_parameter', 'Send "path" or "filePath".', { details: { parameter: 'path' } });
  const target = await access.resolveItem(caller, asked, 'files/upload');
  // What is shared may be a file, which is overwritten under the name that it has.
  if (target.segments.length === 0) {
    throw new ApiError('invalid_path', 'The path of an upload ends with the name of a file.');
  }
  checkType(limitsIn(rightsOf(caller), target), target.segments.at(-1) ?? '');
  return target;
}

export function missingContent(): ApiError {
  return new ApiError('missing_parameter', 'The content is missing: send it in a part named "file".', {
    details: { parameter: 'file' },
  });
}
