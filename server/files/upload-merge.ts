import { join } from 'node:path';
import { eraseStored, unpublishedBytes } from '../storage/area.ts';
import { appendStored } from '../storage/copy.ts';
import { haveSameBytes } from '../storage/same-bytes.ts';
import type { FilesContext } from './context.ts';
import type { ReceivedFile, ReceivedPiece } from './received.ts';
import { ambiguous, type Claim, goesOnAt, type Piece } from './upload-claim.ts';
import { contest, forgetUpload, recordReceived } from './upload-rows.ts';

/**
 * Adds a chunk that lies ready to its upload. Where the upload is not called by its id, the chunk has to agree with what is
 * there; one that does not shows that two clients send different contents, and nothing is added any more until one of them
 * begins again with the content that is there.
 * @throws ApiError `conflict` with offset 0
 */
export async function mergeChunk(
  context: FilesContext,
  { target: { home }, row, startByte, reservation, end }: Claim,
  piece: Piece,
  chunk: ReceivedFile,
): Promise<ReceivedPiece> {
  const { database, clock, failPoints } = context;
  const { totalSize, uploadId, isLast } = piece;
  const path = join(home.area.incoming, row.id);
  const isNamed = uploadId !== undefined;
  const endByte = startByte + chunk.size;
  if (row.received > 0 && ((await unpublishedBytes(path)) ?? 0) < row.received) {
    // It has its name in the home, after a last step that failed, or is gone: there is nothing to go on with.
    await forgetUpload(database, row.id);
    await eraseStored(path);
    throw goesOnAt(0, totalSize);
  }
  const known = isNamed ? 0 : Math.min(chunk.size, row.received - startByte);
  const isSame = await haveSameBytes({ path, from: startByte }, { path: chunk.path, from: 0 }, known);
  // Without a start of its own, a chunk that was sent twice shows only by the sizes.
  const isWrongEnd = endByte > totalSize || (isLast !== undefined && isLast !== (endByte === totalSize));
  if (!isSame || isWrongEnd) {
    await contest(database, row.id);
    throw ambiguous(totalSize);
  }
  const from = isNamed ? startByte : Math.max(startByte, row.received);
  const received = Math.max(endByte, from);
  if (isNamed && startByte < row.received) await recordReceived(database, row.id, startByte, clock.now());
  if (from === 0) await eraseStored(path);
  const lastModified = piece.lastModified ?? row.last_modified ?? undefined;
  if (endByte > from || from === 0) {
    await appendStored(chunk.path, known, path, { from, lastModified, failPoints });
  }
  await recordReceived(database, row.id, received, clock.now(), {
    position: endByte,
    ...(isNamed ? { isNamed } : {}),
    ...(startByte === 0 ? { isContested: false } : {}),
  });
  const digest = piece.digest ?? row.digest ?? undefined;
  const isComplete = endByte === totalSize;
  const isKeyToldTo = piece.uploadId !== undefined || row.received === 0;
  return {
    home,
    uploadId: row.id,
    isKeyToldTo,
    key: row.upload_key,
    path,
    offset: endByte,
    isComplete,
    digest,
    reservation,
    end,
  };
}
