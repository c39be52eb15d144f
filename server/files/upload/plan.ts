import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { ItemTarget } from '../../access/access.ts';
import { type Caller, rightsOf } from '../../access/caller.ts';
import { checkUploadSize, limitsIn, maxUploadBytes } from '../../access/limits.ts';
import { permit, permitInShare } from '../../access/rights.ts';
import { onStorage } from '../../access/storage-failure.ts';
import type { ContentPlan } from '../../http/operation.ts';
import type { Preconditions } from '../../http/request/preconditions.ts';
import { uploadTooLarge } from '../../http/request/read-bytes.ts';
import { type CreateFile, receive } from '../../storage/content/receive.ts';
import { eraseStored } from '../../storage/content/work-area.ts';
import { StorageError } from '../../storage/errors.ts';
import { checkConditions } from '../item-conditions.ts';
import { checkUnlocked } from '../locks/locks.ts';
import { isFileThere } from '../publish/publish-content.ts';
import { checkChunkQuota, receiveChunk } from './chunks.ts';
import { isWholeContent, type UploadChunk } from './claim.ts';
import type { RequestDigests } from './content-digest.ts';
import type { UploadContext } from './context.ts';
import type { Received, ReceivedFile } from './received.ts';
import { explainMissingFolder, mayMakeFolders, type UploadLocation, uploadTarget } from './target.ts';
import { identifiesContent } from './upload-sender.ts';

/** Bytes: smaller content has arrived before anything about it could be looked up. */
const SMALL = 64 * 1024;

/** What a client states of its file. */
export interface Statement {
  /** Null while unknown: a form may state it after the content. */
  readonly location: UploadLocation | null;
  /** The modification time of the file, in seconds since the epoch. */
  readonly lastModified?: number | undefined;
  readonly digests?: RequestDigests;
}

/** What is known of an upload before its content. */
export interface Announcement extends Statement {
  /** Bytes of this request's content; null if not stated. */
  readonly bytes: number | null;
  /** The chunk of a chunked upload that the content is; null for a whole file, or while a form has not stated it yet. */
  readonly chunk: UploadChunk | null;
  /** The upload whose parts the content consists of: they are part of these bytes, and end with its publication. */
  readonly joinedFrom?: string | undefined;
  /** Whether the content is the body of a request: a chunk in a form is known only once the form has arrived. */
  readonly isWholeBody?: boolean;
  readonly conditions?: Preconditions | null;
}

/**
 * An upload from its announcement to its publication. What is read and decided before the content, such as its digests and where
 * it goes, is carried along.
 */
export interface UploadPlan extends ContentPlan {
  /** Null while the location is not known. */
  readonly target: ItemTarget | null;
  readonly announced: Announcement;
  /** What has been received; null before that. */
  readonly received: Received | null;
}

/**
 * Decides where an upload goes, and refuses what could not be received or published anyway, so that a client with `Expect:
 * 100-continue` never sends it.
 * @throws ApiError
 */
export async function prepareUpload(
  context: UploadContext,
  caller: Caller,
  announcement: Announcement,
): Promise<UploadPlan> {
  const { location, bytes, chunk, isWholeBody = true } = announcement;
  const rights = rightsOf(caller);
  permit(rights, 'files/upload');
  const size = chunk?.totalSize ?? bytes ?? 0;
  checkUploadSize([rights], size);
  const target = location === null ? null : await uploadTarget(context, caller, location);
  if (target !== null && location !== null) await checkTarget(context, caller, target, location, announcement);
  // What identifies its content can be continued by a later request.
  const isPart = chunk !== null && (identifiesContent(chunk) || !isWholeContent(chunk, chunk.startByte, bytes));
  let received: Received | null = null;
  return {
    target,
    announced: announcement,
    get received() {
      return received;
    },
    async receive(content) {
      received =
        isWholeBody && target !== null && isPart
          ? await receiveChunk(context, caller, target, chunk, content, bytes)
          : await receiveWhole(context, caller, target, content, announcement);
    },
    async drop() {
      const dropped = received;
      received = null;
      if (dropped !== null) await dropReceived(dropped);
    },
  };
}

async function checkTarget(
  context: UploadContext,
  caller: Caller,
  target: ItemTarget,
  location: UploadLocation,
  { bytes: carried, chunk, joinedFrom: uploadId, conditions = null }: Announcement,
): Promise<void> {
  const bytes = chunk?.totalSize ?? carried;
  checkUploadSize(limitsIn(rightsOf(caller), target), bytes ?? 0);
  await checkConditions(context, caller, target, conditions);
  if (bytes === null || bytes > SMALL || chunk?.isCreated === true) {
    const isOver = await explainMissingFolder(context, target, location, () =>
      onStorage(() => isFileThere(context, target, mayMakeFolders(location))),
    );
    if (isOver) permitInShare(target.share, 'files/upload:replace');
    await checkUnlocked(context, caller, target);
  }
  if (chunk !== null) await checkChunkQuota(context, caller, target, chunk);
  else await context.quotas.check({ caller, home: target.home, bytes: bytes ?? 0, uploadId });
}

/**
 * Receives content into the work area of its home; while that is unknown, into the caller's own or the shared one.
 * @throws ApiError; nothing is left then
 */
async function receiveWhole(
  context: UploadContext,
  caller: Caller,
  target: ItemTarget | null,
  content: Readable,
  { bytes: announced, lastModified, joinedFrom }: Announcement,
): Promise<ReceivedFile> {
  const begunAt = context.clock.now();
  const limits = target === null ? [rightsOf(caller)] : limitsIn(rightsOf(caller), target);
  const home = target?.home ?? (await ownHome(context, caller));
  const area = home?.area ?? context.area;
  const reservation =
    home && (await context.quotas.reserve({ caller, home, bytes: announced ?? 0, uploadId: joinedFrom }));
  const path = join(area.incoming, randomUUID());
  const limit = maxUploadBytes(limits);
  const { failPoints } = context;
  const admit = reservation?.grow;
  try {
    const take = (create?: CreateFile) =>
      receive(content, { path, announced, lastModified, limit, admit, failPoints }, create).catch((error) => {
        if (error instanceof StorageError && error.reason === 'too-large') throw uploadTooLarge(limit);
        throw error;
      });
    const stored = await onStorage(async () => {
      await context.reserve.requireRoom();
      if (home === null) return take();
      const { disk } = context;
      const { homeRoot } = home;
      return disk.unlessStalled(
        homeRoot,
        () => take(async (file) => (await disk.run('createIncoming', { homeRoot, path: file })).fd),
        () => eraseStored(path),
      );
    });
    return { kind: 'file', home, area, path, ...stored, lastModified, reservation, begunAt, joinedFrom };
  } catch (error) {
    reservation?.release();
    throw error;
  }
}

async function ownHome({ access }: UploadContext, { account }: Caller) {
  return account === undefined || account.homeId === null ? null : access.homeOf({ account });
}

/** Removes what was received and not published. Received chunks stay, so that the upload can continue. */
export async function dropReceived(received: Received): Promise<void> {
  if (received.kind === 'chunk') return received.end();
  received.reservation?.release();
  await eraseStored(received.path);
}
