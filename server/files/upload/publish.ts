import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { ItemTarget } from '../../access/access.ts';
import { type Caller, responsibleId, rightsOf } from '../../access/caller.ts';
import { mayKnowContent } from '../../access/known-content.ts';
import { checkUploadSize, limitsIn } from '../../access/limits.ts';
import { permit } from '../../access/rights.ts';
import { onStorage } from '../../access/storage-failure.ts';
import type { Transaction } from '../../database/database.ts';
import { ApiError } from '../../http/errors.ts';
import type { Preconditions } from '../../http/request/preconditions.ts';
import { awaitFailPoint } from '../../lib/process/fail-points.ts';
import { t } from '../../messages/messages.ts';
import { copyStored } from '../../storage/content/copy.ts';
import { digestOf } from '../../storage/content/same-bytes.ts';
import { eraseStored, setModified } from '../../storage/content/work-area.ts';
import { nullIfGone } from '../../storage/errors.ts';
import { createMissingFolders } from '../create-folder.ts';
import { checkConditions } from '../item-conditions.ts';
import { type PublishedContent, publishContent } from '../publish/publish-content.ts';
import { addChunk, endedKey, endUpload } from './chunks.ts';
import type { UploadChunk } from './claim.ts';
import { checkDigest, type RequestDigests, sha256In } from './content-digest.ts';
import type { UploadContext } from './context.ts';
import { dropReceived, type Statement, type UploadPlan } from './plan.ts';
import type { Received, ReceivedChunk, ReceivedFile } from './received.ts';
import { explainMissingFolder, mayMakeFolders, type UploadLocation, uploadTarget } from './target.ts';
import { forgetUpload } from './upload-rows.ts';

interface UploadedFile {
  path: string;
  filename: string;
  fileSize: number;
  uuid: string;
  version: number;
  /** Whether there was no file of this name before. */
  created: boolean;
  /** The file had this content already, so it stays as it was. */
  unchanged?: true;
}

/** What is known of a form once all of it has arrived. */
export interface FormStatement extends Statement {
  readonly location: UploadLocation;
  /** The chunk that its content is. */
  readonly chunk?: UploadChunk | null;
}

/** What is known of an upload once all of its request has arrived. */
interface Publication {
  /** What a form has stated, perhaps after its content: it replaces what was announced. */
  readonly stated?: FormStatement;
  /** Another condition, checked with the path locked. @throws ApiError when the content must not get its name */
  readonly check?: () => Promise<void>;
  /** The program (account, credential and device) that sends it: see `PublishOptions`. */
  readonly program?: string | undefined;
  /** Called after a chunk has waited for others. @throws ApiError when its sender may no longer send it */
  readonly confirm?: () => Promise<void>;
  /** Called in the transaction that removes the row of a chunked upload, after its content has become a file. */
  readonly onEnd?: (tx: Transaction<'activity'>, published: PublishedContent) => Promise<unknown>;
}

/**
 * Gives the received content its name. The content it replaces becomes a version, or goes to the trash.
 * @returns the file and the validator of its content, or how far a chunked upload is
 * @throws ApiError `not_found` (no such folder), `already_exists` (a folder, or a name that differs in Unicode form or case
 * only), `conflict`, `precondition_failed`, `digest_mismatch`; nothing of a whole content is left then
 */
export async function publishUpload(
  context: UploadContext,
  caller: Caller,
  plan: UploadPlan,
  { stated, check, program, confirm = async () => undefined, onEnd }: Publication = {},
): Promise<{ file: UploadedFile; etag: string } | ReceivedChunk> {
  const { location, lastModified, digests } = stated ?? plan.announced;
  const { conditions = null } = plan.announced;
  const chunk = stated?.chunk ?? null;
  if (location === null) throw new Error('an upload is published once its location is known');
  const intended = { location, lastModified, digests, conditions, check, program, onEnd };
  // The caller's permissions may have changed while the content arrived.
  permit(rightsOf(caller), 'files/upload');
  const target = await targetFor(context, caller, plan, location);
  const { received } = plan;
  if (received === null) throw new Error('an upload is published after it was received');
  let content: Received = received;
  try {
    if (chunk !== null && received.kind !== 'chunk') {
      checkUploadSize(limitsIn(rightsOf(caller), target), chunk.totalSize);
      // For the other requests it was checked before the content.
      await checkConditions(context, caller, target, conditions);
      content = await addChunk(context, caller, target, chunk, received, confirm);
    }
    if (content.kind === 'chunk' && !content.isComplete) return content;
    if (content.home?.id !== target.home.id) content = await moveToHome(context, caller, target, content);
    return await publishReceived(context, caller, target, intended, content);
  } catch (error) {
    // The plan has the received one.
    if (content !== received) await dropReceived(content);
    throw error;
  }
}

/** The target that was resolved before the content, unless a form named another one after it. */
async function targetFor(
  context: UploadContext,
  caller: Caller,
  { target, announced: { location: announced } }: UploadPlan,
  location: UploadLocation,
): Promise<ItemTarget> {
  const isSame =
    announced?.uuid === location.uuid &&
    (['path', 'filePath'] as const).every((name) => announced?.[name]?.join('/') === location[name]?.join('/'));
  return target !== null && isSame ? target : uploadTarget(context, caller, location);
}

/** How a received content becomes a file. */
interface Intended {
  readonly location: UploadLocation;
  readonly lastModified: number | undefined;
  readonly digests: RequestDigests | undefined;
  readonly conditions: Preconditions | null;
  readonly check: Publication['check'] | undefined;
  readonly program: string | undefined;
  readonly onEnd: Publication['onEnd'] | undefined;
}

async function publishReceived(
  context: UploadContext,
  caller: Caller,
  target: ItemTarget,
  intended: Intended,
  received: Received,
): Promise<{ file: UploadedFile; etag: string }> {
  const { location, lastModified, digests, conditions, check, program, onEnd } = intended;
  // A form may state different values before and after its content.
  checkUploadSize(limitsIn(rightsOf(caller), target), sizeOf(received));
  // In a form, the time may follow the content.
  if (lastModified !== undefined && 'lastModified' in received && received.lastModified !== lastModified) {
    await setModified(received.path, lastModified);
  }
  const ending = received.kind === 'chunk' ? received.rowId : received.joinedFrom;
  if (ending !== undefined) await awaitFailPoint(context.failPoints, 'files.upload.complete');
  const stated = await checkWholeDigest(context, digests, received);
  const sha256 =
    stated ?? (received.kind === 'chunk' ? await hashToCompare(context, caller, target, received) : undefined);
  if (mayMakeFolders(location)) {
    // A content that is not stored leaves no folders.
    await checkConditions(context, caller, target, conditions);
    await createMissingFolders(context, caller, { ...target, segments: target.segments.slice(0, -1) });
  }
  const settle = received.reservation?.settle ?? ((work) => work());
  const { path, name, size, item, isNew, isUnchanged, etag } = await settle(async () => {
    const published = await explainMissingFolder(context, target, location, () =>
      publishContent(context, caller, target, received.path, {
        replaceAction: 'files/upload:replace',
        sha256,
        mayStay: true,
        time: lastModified === undefined ? undefined : lastModified * 1_000,
        program,
        check: async () => {
          await checkConditions(context, caller, target, conditions);
          await check?.();
        },
      }),
    );
    if (ending !== undefined) await endUpload(context, ending, async (tx) => onEnd?.(tx, published));
    return published;
  });
  if (received.kind === 'chunk') {
    context.chunkOrder.end(responsibleId(caller), endedKey(received.uploadId, target), size);
    received.end();
  }
  if (isUnchanged) await eraseStored(received.path);
  const { uuid, version } = item;
  const file = { path, filename: name, fileSize: size, uuid, version, created: isNew };
  return { file: isUnchanged ? { ...file, unchanged: true } : file, etag };
}

/**
 * A chunked upload with a wrong digest is discarded.
 * @returns the SHA-256 of the content, if it is known now
 * @throws ApiError `digest_mismatch`
 */
async function checkWholeDigest(
  { uploadRows }: UploadContext,
  stated: RequestDigests | undefined,
  received: Received,
): Promise<Buffer | undefined> {
  // For a whole content both digests are of the same bytes; that of a chunk was checked when the chunk arrived.
  const digests = [stated?.digest, received.kind === 'chunk' ? received.digest : stated?.contentDigest].filter(
    (one) => one !== undefined,
  );
  try {
    const { path } = received;
    const sha256 = sha256Of(received);
    for (const digest of new Set(digests)) await checkDigest({ path, from: 0, sha256 }, digest, 0);
    return sha256 ?? sha256In(digests);
  } catch (error) {
    // After a failure to read, the content may still be right, and the client can send the last chunk again.
    if (received.kind === 'chunk' && error instanceof ApiError && error.code === 'digest_mismatch') {
      await forgetUpload(uploadRows, received.rowId);
      await eraseStored(received.path);
    }
    throw error;
  }
}

/**
 * The SHA-256 of a chunked upload, if the file that it is for may have its content already: a file of the same size, whose content the
 * caller may know. Chunks arrive in any order, so the content is read. The path is not locked: publishing compares again.
 */
async function hashToCompare(
  { disk }: UploadContext,
  caller: Caller,
  { home, segments, share }: ItemTarget,
  { path, offset }: ReceivedChunk,
): Promise<Buffer | undefined> {
  if (!mayKnowContent(caller, share)) return undefined;
  const present = await onStorage(() => disk.run('stat', { homeRoot: home.homeRoot, segments }).catch(nullIfGone));
  if (present === null || present.entry.isDir || present.entry.size !== offset) return undefined;
  return Buffer.from(await digestOf({ path, from: 0 }, 'sha256'), 'hex');
}

/** Chunks are hashed one by one, if at all. */
function sha256Of(received: Received): Buffer | undefined {
  return received.kind === 'chunk' ? undefined : received.sha256;
}

function sizeOf(received: Received): number {
  return received.kind === 'chunk' ? received.offset : received.size;
}

/**
 * Moves content to its home if the form named its path after the content, which was therefore received elsewhere.
 * @throws ApiError `conflict` for chunks
 */
async function moveToHome(
  { quotas, failPoints }: UploadContext,
  caller: Caller,
  target: ItemTarget,
  received: Received,
): Promise<ReceivedFile> {
  if (received.kind === 'chunk') throw new ApiError('conflict', t('api.uploads.homeChanged'));
  const { home } = target;
  const { size, lastModified } = received;
  checkUploadSize(limitsIn(rightsOf(caller), target), size);
  const reservation = await quotas.reserve({ caller, home, bytes: size });
  const path = join(home.area.incoming, randomUUID());
  try {
    await onStorage(() => copyStored(received.path, path, failPoints, lastModified));
  } catch (error) {
    reservation.release();
    throw error;
  }
  await dropReceived(received);
  return { ...received, home, area: home.area, path, reservation };
}

export function missingContent(): ApiError {
  return new ApiError('missing_parameter', t('api.uploads.missingFile'), {
    details: { parameter: 'file' },
  });
}
