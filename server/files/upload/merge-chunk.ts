import { join } from 'node:path';
import { appendStored } from '../../storage/content/copy.ts';
import { haveSameBytes } from '../../storage/content/same-bytes.ts';
import { eraseStored, unpublishedBytes } from '../../storage/content/work-area.ts';
import { ambiguous } from './chunk-errors.ts';
import type { Claim, UploadChunk } from './claim.ts';
import type { UploadContext } from './context.ts';
import type { ReceivedChunk, ReceivedFile } from './received.ts';
import { discardLostUpload, receivedChunk } from './received-chunk.ts';
import { contest, recordReceived } from './upload-rows.ts';

/**
 * Adds a chunk from the work area to its upload. A chunk without an `uploadId` must repeat the bytes already received where it
 * overlaps them. If it differs, two clients are sending different contents: the upload then accepts no further chunk until one
 * of them starts again with the content already received.
 * @throws ApiError `conflict` with offset 0
 */
export async function mergeChunk(
  context: UploadContext,
  claim: Claim,
  chunk: UploadChunk,
  stored: ReceivedFile,
): Promise<ReceivedChunk> {
  const { uploadRows, clock, failPoints } = context;
  const { totalSize, uploadId, isLast } = chunk;
  const { target, row, startByte } = claim;
  const path = join(target.home.area.incoming, row.id);
  const isNamed = uploadId !== undefined;
  const endByte = startByte + stored.size;
  if (row.received > 0 && ((await unpublishedBytes(path)) ?? 0) < row.received) {
    throw await discardLostUpload(context, claim, path);
  }
  const known = isNamed ? 0 : Math.min(stored.size, row.received - startByte);
  const isSame = await haveSameBytes({ path, from: startByte }, { path: stored.path, from: 0 }, known);
  // Without a start byte, a repeated chunk can be recognized only by the sizes.
  const isWrongEnd = endByte > totalSize || (isLast !== undefined && isLast !== (endByte === totalSize));
  if (!isSame || isWrongEnd) {
    await contest(uploadRows, row.id);
    throw ambiguous(totalSize);
  }
  const from = isNamed ? startByte : Math.max(startByte, row.received);
  const received = Math.max(endByte, from);
  if (isNamed && startByte < row.received) await recordReceived(uploadRows, row.id, startByte, clock.now());
  if (from === 0) await eraseStored(path);
  const lastModified = chunk.lastModified ?? row.last_modified ?? undefined;
  if (endByte > from || from === 0) {
    await appendStored(stored.path, known, path, { from, lastModified, failPoints });
  }
  await recordReceived(uploadRows, row.id, received, clock.now(), {
    position: endByte,
    ...(isNamed ? { isNamed, lastModified: chunk.lastModified, digest: chunk.digest } : {}),
    ...(startByte === 0 ? { isContested: false } : {}),
    ...(startByte === 0 && row.received > 0 && !isNamed ? { isRestarted: true } : {}),
  });
  return receivedChunk(claim, chunk, path, endByte);
}
