import type { ItemTarget } from '../../access/access.ts';
import type { Caller } from '../../access/caller.ts';
import { SECOND } from '../../lib/clock.ts';
import type { FilesContext } from '../context.ts';
import { findUpload, senderOf, turnKey, type UploadChunk } from './claim.ts';

/** Milliseconds between the end of one chunk and the beginning of the next within one run of a client. */
const PAUSE = 2 * SECOND;

/**
 * Clients that send chunks side by side may send a changed content under the same name, a chunk of its middle first. After a pause
 * it is unknown which content such a chunk belongs to: it waits for the first chunk, which is compared with what has come. A
 * client that only continues does not send the first chunk again, so the wait is bounded.
 * @param begunAt when the request began, in milliseconds of the context's clock
 * @param patience milliseconds to wait at most
 */
export async function awaitFirstChunk(
  context: FilesContext,
  caller: Caller,
  target: ItemTarget,
  chunk: UploadChunk,
  begunAt: number,
  patience: number,
): Promise<void> {
  if (chunk.parallelId === undefined || chunk.uploadId !== undefined || chunk.startByte === 0) return;
  const sender = senderOf(caller, chunk);
  const key = turnKey(sender, target, chunk);
  const until = performance.now() + patience;
  while (performance.now() < until) {
    const change = context.chunkOrder.next(key, until - performance.now());
    try {
      const row = await findUpload(context, sender, target, chunk);
      if (row === null || row.is_contested === 1 || begunAt - row.updated_at <= PAUSE) return;
      await change.happened;
    } finally {
      change.ignore();
    }
  }
}
