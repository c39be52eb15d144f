import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { ItemTarget } from '../access/access.ts';
import type { Reservation } from '../access/quota.ts';
import { onStorage } from '../access/storage-failure.ts';
import type { AccountRecord } from '../accounts/accounts.ts';
import type { Home } from '../catalogue/homes.ts';
import type { Database } from '../database/database.ts';
import { ApiError, invalidParameter } from '../http/errors.ts';
import { failPoint } from '../lib/fail-points.ts';
import { foldName } from '../lib/names.ts';
import { eraseStored } from '../storage/area.ts';
import { StorageError } from '../storage/errors.ts';
import { receivePiece } from '../storage/receive.ts';
import type { FilesContext, PieceUnderWay } from './context.ts';

export interface Piece {
  /** Bytes of the whole file. */
  readonly totalSize: number;
  /** Where in it this piece begins. */
  readonly startByte: number;
  /** Seconds since the epoch. */
  readonly lastModified: number | undefined;
}

/** An upload that comes in pieces, after one of them. */
export interface ReceivedPiece {
  readonly home: Home;
  readonly uploadId: string;
  /** The content so far, in the work area. */
  readonly path: string;
  /** Bytes that have come and are flushed. */
  readonly offset: number;
  readonly isComplete: boolean;
  /** The room for all of it, until it has a row. */
  readonly reservation: Reservation;
  /** Lets another piece for the same path begin. After a complete piece only once its content has its name, or failed to. */
  readonly end: () => void;
}

interface UploadRow {
  id: string;
  total_size: number;
  received: number;
}

/** How many bytes of an upload to this path have been flushed. A client goes on from there. */
export async function uploadOffset(context: FilesContext, account: AccountRecord, target: ItemTarget): Promise<number> {
  return (await findUpload(context, account, target))?.received ?? 0;
}

/**
 * Takes one piece. A connection that breaks loses nothing that has come.
 * @throws ApiError `conflict` with `details.offset` when the piece does not follow what has come,
 * `invalid_parameter` when it reaches beyond `totalSize`
 */
export async function receiveUploadPiece(
  context: FilesContext,
  account: AccountRecord,
  target: ItemTarget,
  piece: Piece,
  content: Readable,
  announced: number | null,
): Promise<ReceivedPiece> {
  checkLength(piece, announced ?? 0);
  const turn = takeTurn(context, turnKey(account, target), content);
  try {
    return await onStorage(async () => {
      await context.reserve.requireRoom();
      await turn.before;
      const { uploadId, reservation } = await claimUpload(context, account, target, piece);
      const end = () => {
        // The row says what has come by now, and that counts.
        reservation.release();
        turn.end();
      };
      try {
        const offset = await receiveInto(context, target.home, uploadId, piece, content, announced);
        const isComplete = offset === piece.totalSize;
        if (!isComplete) end();
        const path = join(target.home.area.incoming, uploadId);
        return { home: target.home, uploadId, path, offset, isComplete, reservation, end };
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

/** Whether there is room for all of it, what has come of it before included. @throws ApiError `quota_exceeded` */
export async function checkPieceRoom(
  context: FilesContext,
  account: AccountRecord,
  target: ItemTarget,
  bytes: number,
): Promise<void> {
  if (!(await context.quotas.isLimited(target.home))) return;
  const uploadId = (await findUpload(context, account, target))?.id;
  await context.quotas.check({ account, home: target.home, bytes, uploadId });
}

/** Gives an upload up: what has come of it goes. What has its name already stays. */
export async function abandonUpload(context: FilesContext, account: AccountRecord, target: ItemTarget): Promise<void> {
  const underWay = context.piecesUnderWay.get(turnKey(account, target));
  underWay?.stop();
  await underWay?.done;
  const known = await findUpload(context, account, target);
  if (known === undefined) return;
  await forgetUpload(context.database, known.id);
  await eraseStored(join(target.home.area.incoming, known.id));
}

function turnKey({ id }: AccountRecord, target: ItemTarget): string {
  return `${id}/${target.home.id}/${pathKey(target)}`;
}

/**
 * One piece at a time. A newer one ends the reading of the older, whose client has lost the connection, or it would not send
 * a new one; what has all come gets its name first: nothing may write into a content that is on its way there.
 */
function takeTurn({ piecesUnderWay }: FilesContext, key: string, content: Readable) {
  const older = piecesUnderWay.get(key);
  older?.stop();
  let end = () => {};
  const done = new Promise<void>((resolve) => {
    end = () => {
      if (piecesUnderWay.get(key) === entry) piecesUnderWay.delete(key);
      resolve();
    };
  });
  const stop = () => {
    if (!content.readableEnded) content.destroy();
  };
  const entry: PieceUnderWay = { stop, done };
  piecesUnderWay.set(key, entry);
  return { before: older?.done, end };
}

function checkLength({ totalSize, startByte }: Piece, length: number): void {
  if (startByte + length > totalSize) throw invalidParameter('totalSize', 'is less than the bytes that are sent');
}

/** @returns how many bytes of the upload are on the disk after it */
async function receiveInto(
  { database, disk, clock, failPoints, log }: FilesContext,
  home: Home,
  id: string,
  { totalSize, startByte, lastModified }: Piece,
  content: Readable,
  announced: number | null,
): Promise<number> {
  const path = join(home.area.incoming, id);
  const record = (bytes: number) =>
    database.write((tx) =>
      tx.run('UPDATE uploads SET received = ?, updated_at = ? WHERE id = ?', [bytes, clock.now(), id]),
    );
  let recording: Promise<unknown> = Promise.resolve();
  const options = {
    path,
    from: startByte,
    limit: totalSize - startByte,
    announced,
    lastModified,
    failPoints,
    onFlushed: (bytes: number) => {
      recording = record(bytes).catch((error) => log.warn({ err: error }, 'how far an upload has come was not noted'));
    },
  };
  const taken = disk.whileAnswering(home.place, () => receivePiece(content, options));
  const { size, failure } = await taken.catch(async (error) => {
    if (startByte === 0 || !(error instanceof StorageError) || error.reason !== 'not-found') throw error;
    // It has its name in the home, after a last step that failed, or is gone: there is nothing to go on with.
    await forgetUpload(database, id);
    await eraseStored(path);
    throw goesOnAt(0, totalSize);
  });
  await recording;
  await record(size);
  if (failure?.reason === 'too-large') throw invalidParameter('totalSize', 'is less than the bytes that are sent');
  if (failure !== null) throw failure;
  return size;
}

function goesOnAt(offset: number, totalSize: number): ApiError {
  return new ApiError('conflict', `The upload of this file goes on at byte ${offset} of ${totalSize}.`, {
    details: { offset, totalSize },
  });
}

/**
 * The id of the upload that a piece belongs to, a new one when it is the first, and room for the whole content: less than
 * that would only be found out later.
 * @throws ApiError `conflict`, `quota_exceeded`
 */
async function claimUpload(
  context: FilesContext,
  account: AccountRecord,
  target: ItemTarget,
  { totalSize, startByte }: Piece,
): Promise<{ uploadId: string; reservation: Reservation }> {
  const { database, clock, quotas } = context;
  const known = await findUpload(context, account, target);
  const { received, total_size: expected } = known ?? { received: 0, total_size: totalSize };
  if (startByte > received || (startByte > 0 && totalSize !== expected)) {
    throw goesOnAt(received, expected);
  }
  const id = known?.id ?? randomUUID();
  const reservation = await quotas.reserve({ account, home: target.home, bytes: totalSize, uploadId: id });
  try {
    // Before the file is cut there: the row never says more than what is on the disk.
    await database.write((tx) =>
      tx.run(
        `INSERT INTO uploads (id, account_id, home_id, path, total_size, received, updated_at) VALUES (?, ?, ?, ?, ?, 0, ?)
         ON CONFLICT (account_id, home_id, path) DO UPDATE
           SET total_size = excluded.total_size, received = ?, updated_at = excluded.updated_at`,
        [id, account.id, target.home.id, pathKey(target), totalSize, clock.now(), startByte],
      ),
    );
  } catch (error) {
    reservation.release();
    throw error;
  }
  return { uploadId: id, reservation };
}

async function findUpload(
  { database }: FilesContext,
  account: AccountRecord,
  target: ItemTarget,
): Promise<UploadRow | undefined> {
  return database.get<UploadRow>(
    'SELECT id, total_size, received FROM uploads WHERE account_id = ? AND home_id = ? AND path = ?',
    [account.id, target.home.id, pathKey(target)],
  );
}

function pathKey({ segments }: ItemTarget): string {
  return segments.map(foldName).join('/');
}

/** Forgets an upload whose content has its name now. */
export async function endUpload({ database, failPoints }: FilesContext, uploadId: string): Promise<void> {
  failPoint(failPoints, 'files.upload.named');
  await forgetUpload(database, uploadId);
}

export function forgetUpload(database: Database, id: string): Promise<unknown> {
  return database.write((tx) => tx.run('DELETE FROM uploads WHERE id = ?', [id]));
}
