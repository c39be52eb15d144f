import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Asker, ItemTarget } from '../access/access.ts';
import { checkType, checkUploadSize, limitsIn, maxUploadBytes } from '../access/limits.ts';
import type { Reservation } from '../access/quota.ts';
import { permit, permitInShare } from '../access/rights.ts';
import { onStorage } from '../access/storage-failure.ts';
import type { AccountRecord } from '../accounts/accounts.ts';
import type { Home } from '../catalogue/homes.ts';
import { ApiError } from '../http/errors.ts';
import { uploadTooLarge } from '../http/read-bytes.ts';
import { failPoint } from '../lib/fail-points.ts';
import { eraseStored, setModified } from '../storage/area.ts';
import { copyStored } from '../storage/copy.ts';
import { StorageError } from '../storage/errors.ts';
import type { Area } from '../storage/layout.ts';
import { receive } from '../storage/receive.ts';
import type { FilesContext } from './context.ts';
import { createMissingFolders } from './create-folder.ts';
import { checkUnlocked } from './locks.ts';
import { isFileThere, publishContent } from './publish-content.ts';
import {
  abandonUpload,
  checkPieceRoom,
  endUpload,
  type Piece,
  type ReceivedPiece,
  receiveUploadPiece,
  uploadOffset,
} from './upload-pieces.ts';

/** A whole content that has arrived and been flushed, and has no name yet. */
export interface ReceivedFile {
  /** The home that there is room held in; null as long as nobody knows which it will be. */
  readonly home: Home | null;
  /** The work area that it lies in. */
  readonly area: Area;
  readonly path: string;
  readonly size: number;
  /** The modification time it was given, in seconds since the epoch. */
  readonly lastModified: number | undefined;
  /** The room for it, until it has a row. */
  readonly reservation: Reservation | null;
}

export type Received = ReceivedFile | ReceivedPiece;

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
}

/** Below this a content is there before anything about it has been looked up. Bytes. */
const SMALL = 64 * 1024;

/** What is known of an upload before its content. */
export interface Announcement {
  /** Null while it is not known: a form may say it behind the content. */
  readonly where: UploadTarget | null;
  /** Bytes of the content, of all of them where it comes in pieces; null when nobody says. */
  readonly bytes: number | null;
  readonly isPiece: boolean;
}

/** Refuses what could not be taken or published anyway, before its content is sent. @throws ApiError */
export async function checkUpload(
  context: FilesContext,
  account: AccountRecord,
  { where, bytes, isPiece }: Announcement,
): Promise<void> {
  permit(account, 'files/upload');
  checkUploadSize([account], bytes ?? 0);
  if (where === null) return;
  const target = await targetOf(context, account, where);
  checkUploadSize(limitsIn(account, target), bytes ?? 0);
  if (bytes === null || bytes > SMALL) {
    const isOver = await onStorage(() => isFileThere(context, target, mayMakeFolders(where)));
    if (isOver) permitInShare(target.share, 'files/upload over');
    await checkUnlocked(context, { account }, target);
  }
  if (isPiece) await checkPieceRoom(context, account, target, bytes ?? 0);
  else await context.quotas.check({ account, home: target.home, bytes: bytes ?? 0 });
}

/** How many bytes of an upload in pieces have come. */
export async function offsetOf(context: FilesContext, account: AccountRecord, where: UploadTarget): Promise<number> {
  return uploadOffset(context, account, await targetOf(context, account, where));
}

/** Gives an upload in pieces up. */
export async function abandonUploadTo(
  context: FilesContext,
  account: AccountRecord,
  where: UploadTarget,
): Promise<void> {
  await abandonUpload(context, account, await targetOf(context, account, where));
}

/** Takes one piece of the content for this path. @throws ApiError; what came before stays */
export async function receivePieceFor(
  context: FilesContext,
  account: AccountRecord,
  where: UploadTarget,
  piece: Piece,
  content: Readable,
  announced: number | null,
): Promise<ReceivedPiece> {
  const target = await targetOf(context, account, where);
  checkUploadSize(limitsIn(account, target), piece.totalSize);
  return receiveUploadPiece(context, account, target, piece, content, announced);
}

/**
 * Takes content into the work area of the home it is meant for; of one's own, or of all, as long as nobody says which.
 * @param lastModified seconds since the epoch
 * @throws ApiError; nothing is left then
 */
export async function receiveUpload(
  context: FilesContext,
  account: AccountRecord,
  where: UploadTarget | null,
  content: Readable,
  announced: number | null,
  lastModified: number | undefined,
): Promise<ReceivedFile> {
  permit(account, 'files/upload');
  const target = where === null ? null : await targetOf(context, account, where);
  const limits = target === null ? [account] : limitsIn(account, target);
  checkUploadSize(limits, announced ?? 0);
  const home = target?.home ?? (account.homeId === null ? null : await context.access.homeOf(account));
  const area = home?.area ?? context.area;
  const reservation = home && (await context.quotas.reserve({ account, home, bytes: announced ?? 0 }));
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
    return { home, area, path, size, lastModified, reservation };
  } catch (error) {
    reservation?.release();
    throw error;
  }
}

/** Of an upload in pieces what came stays, to be continued. */
export async function dropUpload(received: Received): Promise<void> {
  if ('uploadId' in received) return received.end();
  received.reservation?.release();
  await eraseStored(received.path);
}

/**
 * Gives received content its name. What stood there is kept.
 * @returns the file, and whether it is new
 * @throws ApiError `not_found` (no such folder), `already_exists` (a folder, or a twin of the name), `conflict`
 */
export async function publishUpload(
  context: FilesContext,
  asker: Asker,
  where: UploadTarget & { readonly lastModified?: number | undefined },
  received: Received,
): Promise<{ file: UploadedFile; isNew: boolean }> {
  const target = await targetOf(context, asker.account, where);
  if (target.home.id !== received.home?.id) {
    if ('uploadId' in received) throw new ApiError('conflict', 'The path changed its home while the file was sent.');
    const brought = await bringHome(context, asker.account, target, received);
    try {
      return await publishUpload(context, asker, where, brought);
    } finally {
      await Promise.all([dropUpload(brought), dropUpload(received)]);
    }
  }
  // A form may have said something else in front of its content than behind it.
  checkUploadSize(limitsIn(asker.account, target), sizeOf(received));
  if (mayMakeFolders(where)) {
    await createMissingFolders(context, asker, { ...target, segments: target.segments.slice(0, -1) });
  }
  // Of a form, the time may stand behind the content.
  if (where.lastModified !== undefined && 'lastModified' in received && received.lastModified !== where.lastModified) {
    await setModified(received.path, where.lastModified);
  }
  if ('uploadId' in received) failPoint(context.failPoints, 'files.upload.complete');
  const settle = received.reservation?.settle ?? ((work) => work());
  const { path, name, size, item, isNew } = await settle(async () => {
    const published = await publishContent(context, asker, target, received.path, { overAs: 'files/upload over' });
    if ('uploadId' in received) await endUpload(context, received.uploadId);
    return published;
  });
  if ('uploadId' in received) received.end();
  return { file: { path, filename: name, fileSize: size, uuid: item.uuid, version: item.version }, isNew };
}

function sizeOf(received: Received): number {
  return 'uploadId' in received ? received.offset : received.size;
}

/** Of a form that names its path behind the content: that lies ready for another home than the one it is meant for. */
async function bringHome(
  { quotas, failPoints }: FilesContext,
  account: AccountRecord,
  target: ItemTarget,
  { size, lastModified, ...received }: ReceivedFile,
): Promise<ReceivedFile> {
  const { home } = target;
  checkUploadSize(limitsIn(account, target), size);
  const reservation = await quotas.reserve({ account, home, bytes: size });
  const path = join(home.area.incoming, randomUUID());
  try {
    await onStorage(() => copyStored(received.path, path, failPoints, lastModified));
  } catch (error) {
    reservation.release();
    throw error;
  }
  return { home, area: home.area, path, size, lastModified, reservation };
}

function mayMakeFolders({ path }: UploadTarget): boolean {
  return path === undefined;
}

async function targetOf(
  { access }: FilesContext,
  account: AccountRecord,
  { path, filePath }: UploadTarget,
): Promise<ItemTarget> {
  const asked = path ?? filePath;
  if (asked === undefined)
    throw new ApiError('missing_parameter', 'Send "path" or "filePath".', { details: { parameter: 'path' } });
  const target = await access.resolveItem(account, asked, 'files/upload');
  // What is shared may be a file, which is overwritten under the name that it has.
  if (target.segments.length === 0) {
    throw new ApiError('invalid_path', 'The path of an upload ends with the name of a file.');
  }
  checkType(limitsIn(account, target), target.segments.at(-1) ?? '');
  return target;
}

export function missingContent(): ApiError {
  return new ApiError('missing_parameter', 'The content is missing: send it in a part named "file".', {
    details: { parameter: 'file' },
  });
}
