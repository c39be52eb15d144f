import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Asker, ItemTarget } from '../access/access.ts';
import { checkType, checkUploadSize, maxUploadBytes } from '../access/limits.ts';
import type { Reservation } from '../access/quota.ts';
import { permit } from '../access/rights.ts';
import { onStorage } from '../access/storage-failure.ts';
import type { AccountRecord } from '../accounts/accounts.ts';
import type { Home } from '../catalogue/homes.ts';
import { ApiError } from '../http/errors.ts';
import { uploadTooLarge } from '../http/read-bytes.ts';
import { failPoint } from '../lib/fail-points.ts';
import { eraseStored, setModified } from '../storage/area.ts';
import { StorageError } from '../storage/errors.ts';
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
  readonly home: Home;
  readonly path: string;
  readonly size: number;
  /** The modification time it was given, in seconds since the epoch. */
  readonly lastModified: number | undefined;
  /** The room for it, until it has a row. */
  readonly reservation: Reservation;
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
  checkUploadSize(account, bytes ?? 0);
  if (where === null) return;
  const target = await targetOf(context, account, where);
  if (bytes === null || bytes > SMALL) {
    await onStorage(() => isFileThere(context, target, mayMakeFolders(where)));
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
  checkUploadSize(account, piece.totalSize);
  return receiveUploadPiece(context, account, await targetOf(context, account, where), piece, content, announced);
}

/**
 * Takes content into the work area of the home it is meant for.
 * @param lastModified seconds since the epoch
 * @throws ApiError; nothing is left then
 */
export async function receiveUpload(
  { access, quotas, failPoints }: FilesContext,
  account: AccountRecord,
  content: Readable,
  announced: number | null,
  lastModified: number | undefined,
): Promise<ReceivedFile> {
  permit(account, 'files/upload');
  checkUploadSize(account, announced ?? 0);
  const home = await access.homeOf(account);
  const reservation = await quotas.reserve({ account, home, bytes: announced ?? 0 });
  const path = join(home.area.incoming, randomUUID());
  const limit = maxUploadBytes(account);
  const { grow: admit } = reservation;
  try {
    const size = await onStorage(() =>
      receive(content, { path, announced, lastModified, limit, admit, failPoints }).catch((error) => {
        if (error instanceof StorageError && error.reason === 'too-large') throw uploadTooLarge(limit);
        throw error;
      }),
    );
    return { home, path, size, lastModified, reservation };
  } catch (error) {
    reservation.release();
    throw error;
  }
}

/** Of an upload in pieces what came stays, to be continued. */
export async function dropUpload(received: Received): Promise<void> {
  if ('uploadId' in received) return received.end();
  received.reservation.release();
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
  if (target.home.id !== received.home.id) {
    throw new ApiError('conflict', 'The path changed its home while the file was sent.');
  }
  if (mayMakeFolders(where)) {
    await createMissingFolders(context, asker, { ...target, segments: target.segments.slice(0, -1) });
  }
  // Of a form, the time may stand behind the content.
  if (where.lastModified !== undefined && 'lastModified' in received && received.lastModified !== where.lastModified) {
    await setModified(received.path, where.lastModified);
  }
  if ('uploadId' in received) failPoint(context.failPoints, 'files.upload.complete');
  const { path, name, size, item, isNew } = await received.reservation.settle(async () => {
    const published = await publishContent(context, asker, target, received.path);
    if ('uploadId' in received) await endUpload(context, received.uploadId);
    return published;
  });
  if ('uploadId' in received) received.end();
  return { file: { path, filename: name, fileSize: size, uuid: item.uuid, version: item.version }, isNew };
}

function mayMakeFolders({ path }: UploadTarget): boolean {
  return path === undefined;
}

async function targetOf(
  { access }: FilesContext,
  account: AccountRecord,
  { path, filePath }: UploadTarget,
): Promise<ItemTarget> {
  permit(account, 'files/upload');
  const asked = path ?? filePath;
  if (asked === undefined)
    throw new ApiError('missing_parameter', 'Send "path" or "filePath".', { details: { parameter: 'path' } });
  const target = await access.resolveItem(account, asked);
  if (target.segments.length === 0) {
    throw new ApiError('invalid_path', 'The path of an upload ends with the name of a file.');
  }
  checkType(account, target.segments.at(-1) ?? '');
  return target;
}

export function missingContent(): ApiError {
  return new ApiError('missing_parameter', 'The content is missing: send it in a part named "file".', {
    details: { parameter: 'file' },
  });
}
