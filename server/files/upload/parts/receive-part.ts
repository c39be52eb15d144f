import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Caller } from '../../../access/caller.ts';
import type { Reservation } from '../../../access/quota.ts';
import { onStorage } from '../../../access/storage-failure.ts';
import type { Home } from '../../../catalogue/homes.ts';
import { uploadTooLarge } from '../../../http/request/read-bytes.ts';
import { ignoreFailure } from '../../../lib/async/ignore-failure.ts';
import { ensureFolder } from '../../../storage/content/copy.ts';
import { receive } from '../../../storage/content/receive.ts';
import { eraseStored } from '../../../storage/content/work-area.ts';
import { StorageError, storageError } from '../../../storage/errors.ts';
import { flushFolder } from '../../../storage/flush.ts';
import type { UploadContext } from '../context.ts';
import { isUploadThere } from '../upload-rows.ts';
import { addPart, forgetPart, type StoredPart, type UploadInParts } from './part-rows.ts';

/** An upload in parts, and the home whose work area has them. */
export interface PartsPlace {
  readonly upload: UploadInParts;
  readonly home: Home;
}

/** A part that has arrived and is flushed, but does not count yet. */
interface ArrivedPart {
  readonly path: string;
  readonly file: string;
  /** Bytes. */
  readonly size: number;
  readonly sha256: Buffer;
  readonly reservation: Reservation;
}

/** The folder of the parts. */
export function partsFolder({ upload, home }: PartsPlace): string {
  return join(home.area.incoming, upload.id);
}

/**
 * Receives a part beside the one that it may replace.
 * @param announced bytes, or null
 * @param most bytes
 * @throws ApiError; nothing is left then, and an earlier part stays
 */
export async function receivePart(
  context: UploadContext,
  caller: Caller,
  place: PartsPlace,
  content: Readable,
  { announced, most }: { announced: number | null; most: number },
): Promise<ArrivedPart> {
  const { quotas, disk, failPoints } = context;
  const { home } = place;
  if (announced !== null && announced > most) throw uploadTooLarge(most);
  const reservation = await quotas.reserve({ caller, home, bytes: announced ?? 0 });
  const folder = partsFolder(place);
  const file = randomUUID();
  const path = join(folder, file);
  try {
    const stored = await onStorage(async () => {
      await context.reserve.requireRoom();
      const take = async () => {
        await ensureFolder(folder);
        const options = { path, announced, limit: most, admit: reservation.grow, failPoints };
        const received = await receive(content, options).catch((error) => {
          throw error instanceof StorageError && error.reason === 'too-large' ? uploadTooLarge(most) : error;
        });
        // Before a row refers to the file. Without its folder, the upload has ended meanwhile.
        await flushFolder(folder).catch(async (error) => {
          await ignoreFailure(eraseStored(path), 'failed to remove an incomplete part');
          throw storageError(error);
        });
        return received;
      };
      return disk.whileAnswering(home.homeRoot, take, () => dropFile(context, place, path));
    });
    return { path, file, ...stored, reservation };
  } catch (error) {
    reservation.release();
    throw error;
  }
}

/**
 * Lets a part count, instead of an earlier one at its position.
 * @param most bytes that the parts may have together
 * @throws ApiError as `addPart`
 */
export async function storePart(
  context: UploadContext,
  place: PartsPlace,
  { file, size, reservation }: ArrivedPart,
  { position, name }: Pick<StoredPart, 'position' | 'name'>,
  most: number,
): Promise<void> {
  const receivedAt = context.clock.now();
  const replaced = await reservation.settle(() =>
    addPart(context.uploadRows, place.upload.id, { position, name, file, size, receivedAt }, most),
  );
  if (replaced !== null) await erasePart(context, place, replaced);
}

/** Removes a part that has arrived and does not count. @returns whether the upload has not ended meanwhile */
export function dropPart(
  context: UploadContext,
  place: PartsPlace,
  { path, reservation }: ArrivedPart,
): Promise<boolean> {
  reservation.release();
  return dropFile(context, place, path);
}

async function dropFile({ uploadRows }: UploadContext, place: PartsPlace, path: string): Promise<boolean> {
  const isThere = await isUploadThere(uploadRows, place.upload.id);
  // The folder of an upload that has ended may have been made again for this part.
  await eraseStored(isThere ? path : partsFolder(place));
  return isThere;
}

/** @returns whether it was there */
export async function removePart(context: UploadContext, place: PartsPlace, position: number): Promise<boolean> {
  const file = await forgetPart(context.uploadRows, place.upload.id, position);
  if (file !== null) await erasePart(context, place, file);
  return file !== null;
}

/** Nothing refers to the file now: what cannot be erased now goes with the upload, or at the next start. */
async function erasePart({ log }: UploadContext, place: PartsPlace, file: string): Promise<void> {
  await eraseStored(join(partsFolder(place), file)).catch((error) => {
    log.warn({ err: error }, 'failed to remove a replaced part of an upload');
  });
}
