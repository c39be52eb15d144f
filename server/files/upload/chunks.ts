import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { ItemTarget } from '../../access/access.ts';
import { type Caller, responsibleId } from '../../access/caller.ts';
import { onStorage } from '../../access/storage-failure.ts';
import type { Transaction } from '../../database/database.ts';
import { HOUR } from '../../lib/clock.ts';
import { failPoint } from '../../lib/process/fail-points.ts';
import { receive } from '../../storage/content/receive.ts';
import { eraseStored } from '../../storage/content/work-area.ts';
import { StorageError } from '../../storage/errors.ts';
import { ChunkGap, tooLong } from './chunk-errors.ts';
import { type ChunkTurn, chunkTurn, withoutChunks } from './chunk-lock.ts';
import { type Claim, findUpload, isWholeContent, openUpload, placeChunk, turnKey, type UploadChunk } from './claim.ts';
import { checkDigest } from './content-digest.ts';
import type { UploadContext } from './context.ts';
import { discardUpload } from './discard-upload.ts';
import { mergeChunk } from './merge-chunk.ts';
import { awaitFirstChunk } from './parallel-pause.ts';
import type { Received, ReceivedFile } from './received.ts';
import { streamChunk } from './stream-chunk.ts';
import {
  contest,
  deleteUpload,
  forgetUpload,
  insertUpload,
  namedUpload,
  nameUpload,
  pathKey,
  type UploadIdentity,
  type UploadRow,
  unnamedUploads,
} from './upload-rows.ts';
import { identifiesContent, senderOf, sendersOf } from './upload-sender.ts';

/** Milliseconds that a chunk waits for its predecessors. */
const TIMEOUT = 20_000;

/** Milliseconds after which an upload without an id is replaced by one that starts at the first byte. */
const REPLACED_AFTER = HOUR;

/** Where an upload continues, and its id, if the caller may know it. */
export interface UploadOffset {
  readonly offset: number;
  readonly uploadId?: string;
  /** The whole content arrived recently, and is stored. */
  readonly isStored?: true;
}

/**
 * Where an upload to this path continues. Without its id or anything that identifies its content, that is the beginning: the
 * caller may have another file than the client that began, and from now on the upload cannot be continued in its middle.
 */
export async function uploadOffset(
  { uploadRows, chunkOrder }: Pick<UploadContext, 'uploadRows' | 'chunkOrder'>,
  caller: Caller,
  target: ItemTarget,
  identity: Omit<UploadIdentity, 'totalSize'> & { readonly totalSize: number | undefined },
): Promise<UploadOffset> {
  const sender = senderOf(caller, identity);
  const { uploadId, totalSize, lastModified, digest } = identity;
  const isOfSize = (row: UploadRow) => totalSize === undefined || row.total_size === totalSize;
  if (uploadId !== undefined) {
    const named = await namedUpload(uploadRows, sender.accountId, uploadId);
    const row = named?.path === pathKey(target) && named.home_id === target.home.id && isOfSize(named) ? named : null;
    const stored = named === undefined ? chunkOrder.ended(sender.accountId, endedKey(uploadId, target)) : undefined;
    if (stored !== undefined && stored === totalSize) return { offset: stored, uploadId, isStored: true };
    if (row === null) return { offset: 0 };
    // Asking by id proves that the client received it.
    if (row.is_named === 0) await nameUpload(uploadRows, row.id);
    return { offset: row.received, uploadId };
  }
  const rows = (await unnamedUploads(uploadRows, sender, target)).filter(
    (row) => isOfSize(row) && row.last_modified === (lastModified ?? null) && row.digest === (digest ?? null),
  );
  if (!identifiesContent(identity)) {
    for (const row of rows) await contest(uploadRows, row.id);
    return { offset: 0 };
  }
  const [row, ...others] = rows;
  if (row === undefined || others.length > 0 || row.is_contested === 1 || row.is_restarted === 1) return { offset: 0 };
  return { offset: row.received, uploadId: row.upload_key };
}

/**
 * Receives one chunk. A broken connection loses nothing that has arrived.
 * @returns the upload after the chunk, or the content itself if the chunk carries all of it and need not be compared
 * @throws ApiError `conflict` with `details.offset` when the chunk does not continue the upload, `invalid_parameter` when it
 * reaches beyond `totalSize`, `digest_mismatch`
 */
export async function receiveChunk(
  context: UploadContext,
  caller: Caller,
  target: ItemTarget,
  chunk: UploadChunk,
  content: Readable,
  announced: number | null,
): Promise<Received> {
  checkLength(chunk, chunk.startByte ?? 0, announced ?? 0);
  const begunAt = context.clock.now();
  await awaitFirstChunk(context, caller, target, chunk, begunAt, TIMEOUT);
  return inTurn(context, caller, target, chunk, content, async (claim) => {
    if (!claim.isChecked) return streamChunk(context, claim, chunk, content, announced);
    const { area } = target.home;
    const path = join(area.incoming, randomUUID());
    const { failPoints } = context;
    const { lastModified, totalSize } = chunk;
    const limit = totalSize - claim.startByte;
    const stored = await receive(content, { path, announced, limit, lastModified, failPoints }).catch((error) => {
      if (error instanceof StorageError && error.reason === 'too-large') throw tooLong();
      throw error;
    });
    const file: ReceivedFile = {
      kind: 'file',
      home: target.home,
      area,
      path,
      ...stored,
      lastModified,
      reservation: null,
      begunAt,
    };
    return mergeOrWhole(context, claim, chunk, file);
  });
}

/**
 * The same for a chunk already in the work area, such as the part of a form. From a client that sends chunks in parallel, one
 * that arrives early waits for its predecessors.
 * @param confirm called after each wait: whether the sender may still send it
 */
export async function addChunk(
  context: UploadContext,
  caller: Caller,
  target: ItemTarget,
  chunk: UploadChunk,
  file: ReceivedFile,
  confirm: () => Promise<void>,
): Promise<Received> {
  checkLength(chunk, chunk.startByte ?? 0, file.size);
  if (await awaitFirstChunk(context, caller, target, chunk, file.begunAt, TIMEOUT)) await confirm();
  const key = turnKey(senderOf(caller, chunk), target, chunk);
  const mayWait = chunk.parallelId !== undefined;
  const until = performance.now() + TIMEOUT;
  for (;;) {
    const change = context.chunkOrder.next(key, Math.max(0, until - performance.now()));
    try {
      return await inTurn(context, caller, target, chunk, null, (claim) => mergeOrWhole(context, claim, chunk, file));
    } catch (error) {
      if (!mayWait || !(error instanceof ChunkGap) || performance.now() >= until) throw error;
      await change.happened;
      await confirm();
    } finally {
      change.ignore();
    }
  }
}

/** Checks for space for the whole upload, including what has arrived. @throws ApiError `quota_exceeded` */
export async function checkChunkQuota(
  context: UploadContext,
  caller: Caller,
  target: ItemTarget,
  chunk: UploadIdentity,
): Promise<void> {
  if (!(await context.quotas.isLimited(target.home))) return;
  const uploadId = (await findUpload(context, senderOf(caller, chunk), target, chunk))?.id;
  await context.quotas.check({ caller, home: target.home, bytes: chunk.totalSize, uploadId });
}

/**
 * Aborts an upload and discards what has arrived. A published file stays.
 * @param uploadId if absent, all uploads to this path that were never addressed by their id
 */
export async function abandonUpload(
  context: UploadContext,
  caller: Caller,
  target: ItemTarget,
  uploadId: string | undefined,
): Promise<void> {
  const { uploadRows } = context;
  const accountId = responsibleId(caller);
  const named = uploadId === undefined ? undefined : await namedUpload(uploadRows, accountId, uploadId);
  const unnamed = async () =>
    (await Promise.all(sendersOf(caller).map((sender) => unnamedUploads(uploadRows, sender, target)))).flat();
  const rows = uploadId === undefined ? await unnamed() : named ? [named] : [];
  for (const { id, home_id, path } of rows) {
    if (home_id !== target.home.id || path !== pathKey(target)) continue;
    await withoutChunks(context, target.home, id, () => onStorage(() => discardUpload(context, target.home, id)));
  }
}

/** The key under which a stored upload is remembered. */
export function endedKey(uploadId: string, target: ItemTarget): string {
  return `${uploadId} ${target.home.id}/${pathKey(target)}`;
}

/** Deletes the row of a published upload. @param within called in the same transaction */
export async function endUpload(
  { uploadRows, failPoints }: UploadContext,
  uploadId: string,
  within: (tx: Transaction<'activity'>) => Promise<unknown> = async () => undefined,
): Promise<void> {
  failPoint(failPoints, 'files.upload.named');
  await uploadRows.write(async (tx) => {
    await deleteUpload(tx, uploadId);
    await within(tx);
  });
}

async function inTurn(
  context: UploadContext,
  caller: Caller,
  target: ItemTarget,
  chunk: UploadChunk,
  content: Readable | null,
  work: (claim: Claim) => Promise<Received>,
): Promise<Received> {
  const turn = chunkTurn(context, target.home, content);
  const key = turnKey(senderOf(caller, chunk), target, chunk);
  try {
    return await onStorage(async () => {
      await context.reserve.requireRoom();
      const claim = await claimUpload(context, caller, target, chunk, turn);
      const end = () => {
        // Its row now counts for the quota instead.
        claim.reservation.release();
        turn.end();
        context.chunkOrder.changed(key);
      };
      try {
        const received = await work({ ...claim, target, keptDuring: turn.keptDuring, end });
        if (received.kind !== 'chunk' || !received.isComplete) end();
        return received;
      } catch (error) {
        end();
        throw error;
      }
    });
  } catch (error) {
    turn.end();
    throw error;
  }
}

/** @throws ApiError `conflict`; `quota_exceeded` unless all of it fits, since a later chunk would fail anyway */
async function claimUpload(
  context: UploadContext,
  caller: Caller,
  target: ItemTarget,
  chunk: UploadChunk,
  turn: ChunkTurn,
): Promise<Omit<Claim, 'target' | 'keptDuring' | 'end'>> {
  const { uploadRows, clock, quotas } = context;
  const sender = senderOf(caller, chunk);
  const found = await openUpload(context, sender, target, chunk, turn);
  const isReplaced = found !== null && isGivenUp(found, chunk, clock.now());
  if (isReplaced) await discardUpload(context, target.home, found.id);
  const known = isReplaced ? null : found;
  const placement = placeChunk(known, chunk);
  const row = known ?? (await insertUpload(uploadRows, sender, target, chunk, clock.now()));
  try {
    // Whoever continues a new upload by the id of its row takes its turn after this chunk, too.
    if (known === null) await turn.join(row.id);
    const reservation = await quotas.reserve({ caller, home: target.home, bytes: chunk.totalSize, uploadId: row.id });
    return { row, reservation, ...placement };
  } catch (error) {
    if (known === null) await forgetUpload(uploadRows, row.id);
    throw error;
  }
}

/**
 * Whether a start at the first byte replaces what has arrived instead of being compared with it: after this long without a chunk
 * the client is considered gone, and must not block another content.
 */
function isGivenUp({ updated_at }: UploadRow, { uploadId, startByte }: UploadChunk, now: number): boolean {
  return uploadId === undefined && startByte === 0 && updated_at <= now - REPLACED_AFTER;
}

async function mergeOrWhole(
  context: UploadContext,
  claim: Claim,
  chunk: UploadChunk,
  file: ReceivedFile,
): Promise<Received> {
  const { contentDigest } = chunk;
  // A disk that stops responding ends this turn; the next chunk waits for what may still happen.
  const kept = <T>(work: () => Promise<T>) =>
    context.disk.unlessStalled(claim.target.home.homeRoot, () => claim.keptDuring(work()));
  if (contentDigest !== undefined) {
    await kept(() => checkDigest({ ...file, from: 0 }, contentDigest, claim.startByte));
  }
  if (isWholeContent(chunk, claim.startByte, file.size)) return file;
  return kept(async () => {
    try {
      return await mergeChunk(context, claim, chunk, file);
    } finally {
      file.reservation?.release();
      await eraseStored(file.path);
    }
  });
}

function checkLength({ totalSize }: UploadChunk, startByte: number, length: number): void {
  if (startByte + length > totalSize) throw tooLong();
}
