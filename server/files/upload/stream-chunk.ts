import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { receiveAt } from '../../storage/content/receive.ts';
import { StorageError } from '../../storage/errors.ts';
import { tooLong } from './chunk-errors.ts';
import type { Claim, UploadChunk } from './claim.ts';
import { checkHash, hashFor } from './content-digest.ts';
import type { UploadContext } from './context.ts';
import type { ReceivedChunk } from './received.ts';
import { discardLostUpload, receivedChunk } from './received-chunk.ts';
import { recordReceived } from './upload-rows.ts';

/**
 * Streams a chunk from a request into the content of its upload, from `startByte` on.
 * @throws ApiError `conflict` with offset 0, `invalid_parameter`, `digest_mismatch`; StorageError
 */
export async function streamChunk(
  context: UploadContext,
  claim: Claim,
  chunk: UploadChunk,
  content: Readable,
  announced: number | null,
): Promise<ReceivedChunk> {
  const { uploadRows, disk, clock, failPoints, log } = context;
  const { row, startByte } = claim;
  const { home } = claim.target;
  const path = join(home.area.incoming, row.id);
  const { totalSize, contentDigest } = chunk;
  const lastModified = chunk.lastModified ?? row.last_modified ?? undefined;
  const record = (bytes: number, changes = {}) => recordReceived(uploadRows, row.id, bytes, clock.now(), changes);
  // Before the file is truncated: the row never claims more than the disk holds.
  await record(startByte, {
    ...(chunk.uploadId === undefined ? {} : { isNamed: true, lastModified: chunk.lastModified, digest: chunk.digest }),
    ...(startByte === 0 ? { isContested: false } : {}),
  });
  let recording: Promise<unknown> = Promise.resolve();
  const hash = contentDigest === undefined ? undefined : hashFor(contentDigest);
  const options = {
    path,
    hash,
    from: startByte,
    limit: totalSize - startByte,
    announced,
    lastModified,
    failPoints,
    onFlushed: (bytes: number) => {
      // A chunk with a digest counts only after it was verified.
      if (contentDigest !== undefined) return;
      recording = record(bytes).catch((error) => log.warn({ err: error }, 'failed to store the offset of an upload'));
    },
  };
  const take = async () => {
    try {
      return await receiveAt(content, options);
    } finally {
      await recording;
    }
  };
  const taken = disk.whileAnswering(home.homeRoot, () => claim.keptDuring(take()));
  const { size, failure } = await taken.catch(async (error) => {
    if (startByte === 0 || !(error instanceof StorageError) || error.reason !== 'not-found') throw error;
    throw await discardLostUpload(context, claim, path);
  });
  if (contentDigest !== undefined && hash !== undefined) {
    if (failure !== null) throw failure.reason === 'too-large' ? tooLong() : failure;
    checkHash(hash, contentDigest, startByte);
  }
  await record(size);
  if (failure?.reason === 'too-large') throw tooLong();
  if (failure !== null) throw failure;
  return receivedChunk(claim, chunk, path, size);
}
