import type { ItemTarget } from '../../access/access.ts';
import type { Reservation } from '../../access/quota.ts';
import { ApiError, invalidParameter } from '../../http/errors.ts';
import { t } from '../../messages/messages.ts';
import { ambiguous, ChunkGap, continuesAt, uploadGone, wrongOffset } from './chunk-errors.ts';
import type { ChunkTurn } from './chunk-lock.ts';
import type { UploadContext, UploadRowsContext } from './context.ts';
import {
  namedUpload,
  nextOffset,
  pathKey,
  type UploadIdentity,
  type UploadRow,
  type UploadSender,
  unnamedUploads,
} from './upload-rows.ts';
import { identifiesContent } from './upload-sender.ts';

/** One chunk of a chunked upload. */
export interface UploadChunk extends UploadIdentity {
  /** Where in the file it begins; null for the end of the chunk before it. */
  readonly startByte: number | null;
  /** Whether it is the last one, where the client says so. */
  readonly isLast?: boolean | undefined;
  /** The digest of the chunk alone, as `<algorithm>=<hex>`. */
  readonly contentDigest?: string | undefined;
}

/** Whether a chunk is the whole content of an upload without an id: then chunks that came before do not matter. */
export function isWholeContent(
  { uploadId, totalSize }: UploadChunk,
  startByte: number | null,
  bytes: number | null,
): boolean {
  return uploadId === undefined && startByte === 0 && bytes === totalSize;
}

/** What a client may choose as an id: long enough that two clients do not choose the same by chance. */
const UPLOAD_ID = /^[A-Za-z0-9_-]{16,128}$/;

/** @throws ApiError `invalid_parameter` */
export function checkUploadId(uploadId: string | undefined): void {
  if (uploadId !== undefined && !UPLOAD_ID.test(uploadId)) {
    throw invalidParameter('uploadId', t('api.uploads.uploadId'));
  }
}

/**
 * Looks up the upload that a chunk belongs to, with the right to change it.
 * @returns null when there is none yet
 * @throws ApiError `conflict` with offset 0 when its id belongs to something else
 */
export async function openUpload(
  context: UploadContext,
  sender: UploadSender,
  target: ItemTarget,
  chunk: UploadChunk,
  turn: ChunkTurn,
): Promise<UploadRow | null> {
  await turn.join(turnKey(sender, target, chunk));
  const known = await findUpload(context, sender, target, chunk);
  if (known === null) return null;
  await turn.join(known.id);
  return findUpload(context, sender, target, chunk);
}

/** Chunks of one key are processed one after the other. */
export function turnKey({ accountId, client }: UploadSender, target: ItemTarget, identity: UploadIdentity): string {
  const { uploadId, totalSize } = identity;
  if (uploadId !== undefined) return `${accountId} ${uploadId}`;
  return `${accountId}/${client}/${totalSize}/${target.home.id}/${pathKey(target)}`;
}

export async function findUpload(
  { uploadRows }: UploadRowsContext,
  sender: UploadSender,
  target: ItemTarget,
  identity: UploadIdentity,
): Promise<UploadRow | null> {
  const { uploadId, totalSize } = identity;
  if (uploadId === undefined) {
    const rows = await unnamedUploads(uploadRows, sender, target);
    return rows.find((row) => isOfIdentity(row, identity)) ?? null;
  }
  const row = (await namedUpload(uploadRows, sender.accountId, uploadId)) ?? null;
  if (row !== null && identity.isCreated === true) return checkHome(row, target);
  if (row !== null && !isSameUpload(row, target, identity)) {
    throw new ApiError('conflict', t('api.uploads.uploadIdInUse'), {
      details: { offset: 0, totalSize },
    });
  }
  return row;
}

/** @throws ApiError `conflict`: the received bytes are in the work area of another home */
function checkHome(row: UploadRow, { home }: ItemTarget): UploadRow {
  if (row.home_id !== home.id) throw new ApiError('conflict', t('api.uploads.homeChanged'));
  return row;
}

function isOfIdentity(row: UploadRow, { totalSize, lastModified, digest }: UploadIdentity): boolean {
  return (
    row.total_size === totalSize && row.last_modified === (lastModified ?? null) && row.digest === (digest ?? null)
  );
}

/** A value that a chunk with an id omits does not differ. */
function isSameUpload(
  row: UploadRow,
  target: ItemTarget,
  { totalSize, lastModified, digest }: UploadIdentity,
): boolean {
  const agrees = <Value>(stored: Value | null, stated: Value | undefined) =>
    stated === undefined || (stored ?? stated) === stated;
  return (
    row.home_id === target.home.id &&
    row.path === pathKey(target) &&
    row.total_size === totalSize &&
    agrees(row.last_modified, lastModified) &&
    agrees(row.digest, digest)
  );
}

/** An upload that a chunk may change, with space reserved for all of it. */
export interface Claim {
  readonly target: ItemTarget;
  readonly row: UploadRow;
  readonly startByte: number;
  readonly isChecked: boolean;
  readonly reservation: Reservation;
  readonly keptDuring: ChunkTurn['keptDuring'];
  /** Lets the next chunk begin. */
  readonly end: () => void;
}

/** Where a chunk goes. */
interface Placement {
  readonly startByte: number;
  /** Whether it is compared with the received bytes instead of overwriting them, and counts only as a whole. */
  readonly isChecked: boolean;
}

/**
 * Decides where a chunk of an upload goes. A sender that gives the id may overwrite received bytes. Without the id it may be
 * another client, so it may only append, or repeat what has arrived.
 * @throws ApiError `conflict` with `details.offset`
 */
export function placeChunk(row: UploadRow | null, chunk: UploadChunk): Placement {
  const { totalSize, startByte, uploadId } = chunk;
  if (chunk.isCreated === true) return placeNext(row, startByte);
  if (row === null) {
    if (startByte === 0) return { startByte, isChecked: false };
    throw chunkGap(0, totalSize);
  }
  const { received } = row;
  const at = startByte ?? row.position;
  if (uploadId !== undefined) {
    if (at > received) throw chunkGap(received, totalSize);
    return { startByte: at, isChecked: startByte === null };
  }
  if (at > 0 && row.is_contested === 1) throw ambiguous(totalSize);
  if (at > received) throw chunkGap(identifiesContent(chunk) ? received : 0, totalSize);
  return { startByte: at, isChecked: startByte === null || at < received };
}

/** Nothing is overwritten: of two chunks that begin at the same byte, only one has a place. */
function placeNext(row: UploadRow | null, startByte: number | null): Placement {
  if (row === null) throw uploadGone();
  const next = nextOffset(row);
  if (startByte !== next) throw wrongOffset(next, row.total_size);
  return { startByte: next, isChecked: false };
}

function chunkGap(offset: number, totalSize: number): ApiError {
  const { message, details = {} } = continuesAt(offset, totalSize);
  return new ChunkGap('conflict', message, { details });
}
