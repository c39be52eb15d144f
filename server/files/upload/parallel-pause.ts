import type { ItemTarget } from '../../access/access.ts';
import type { Caller } from '../../access/caller.ts';
import { SECOND } from '../../lib/clock.ts';
import { ambiguous } from './chunk-errors.ts';
import { findUpload, turnKey, type UploadChunk } from './claim.ts';
import type { UploadContext } from './context.ts';
import { senderOf } from './upload-sender.ts';

/**
 * Milliseconds between the end of one chunk and the beginning of the next within one run of a client, which may hash in between.
 */
const PAUSE = 10 * SECOND;

/**
 * Clients that send chunks in parallel may send changed content under the same name, a chunk of its middle first. After a pause
 * it is unknown which content such a chunk belongs to, so it waits for the first chunk, which is compared with what has arrived.
 * Without that it is refused.
 * @param begunAt when the request began, in milliseconds of the context's clock
 * @param timeout milliseconds to wait at most
 * @returns whether it waited
 * @throws ApiError `conflict` with offset 0
 */
export async function awaitFirstChunk(
  context: UploadContext,
  caller: Caller,
  target: ItemTarget,
  chunk: UploadChunk,
  begunAt: number,
  timeout: number,
): Promise<boolean> {
  if (chunk.parallelId === undefined || chunk.uploadId !== undefined || chunk.startByte === 0) return false;
  const sender = senderOf(caller, chunk);
  const key = turnKey(sender, target, chunk);
  const until = performance.now() + timeout;
  for (let hasWaited = false; ; hasWaited = true) {
    const change = context.chunkOrder.next(key, Math.max(0, until - performance.now()));
    try {
      const row = await findUpload(context, sender, target, chunk);
      // After the clock was set back, a pause cannot be ruled out.
      const isRunning = row !== null && Math.abs(begunAt - row.updated_at) <= PAUSE;
      if (row === null || row.is_contested === 1 || isRunning) return hasWaited;
      if (performance.now() >= until) throw ambiguous(chunk.totalSize);
      context.log.debug({ upload: row.id }, 'a chunk waits for the first one');
      await change.happened;
    } finally {
      change.ignore();
    }
  }
}
