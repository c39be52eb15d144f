import type { Readable } from 'node:stream';
import { onStorage } from '../../access/storage-failure.ts';
import type { Home } from '../../catalogue/homes.ts';
import { settled } from '../../lib/async/settled.ts';
import { StorageError } from '../../storage/errors.ts';
import type { ChunkInProgress, UploadContext } from './context.ts';

/** The exclusive right to change an upload, until it is ended. */
export interface ChunkTurn {
  /**
   * Also waits for the current holder of this key.
   * @throws StorageError `offline` while the disk does not respond, or does not return what the holder has given up
   */
  join(key: string): Promise<void>;
  /**
   * Work on the content of the upload: the next turn begins only after it. A disk that stops responding ends this turn without
   * waiting for the work, which may then still truncate the content, or write into it.
   */
  keptDuring<T>(work: Promise<T>): Promise<T>;
  end(): void;
}

/**
 * Serializes the chunks of each key. A newer chunk aborts the reading of the older one, because a client sends a new one only
 * after it lost the connection. Content that has fully arrived is published first: nothing may write into it on the way.
 * @param home whose work area has the content; null if it exists no longer
 * @param content of this chunk, while it is still to be read; null when it is in the work area already
 */
export function chunkTurn(
  { chunksInProgress, disk }: Pick<UploadContext, 'chunksInProgress' | 'disk'>,
  home: Pick<Home, 'homeRoot'> | null,
  content: Readable | null,
): ChunkTurn {
  let end = () => {};
  let working: Promise<unknown> = Promise.resolve();
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const done = ended.then(() => settled(working));
  const stop = () => {
    if (content !== null && !content.readableEnded) content.destroy();
  };
  return {
    async join(key) {
      const older = chunksInProgress.get(key);
      // Whoever gives up waiting for the older one does not let others begin before that has ended.
      const entry = {
        stop,
        ended: Promise.all([older?.ended, ended]),
        done: Promise.all([older?.done, done]),
      };
      chunksInProgress.set(key, entry);
      void entry.done.then(() => {
        if (chunksInProgress.get(key) === entry) chunksInProgress.delete(key);
      });
      older?.stop();
      // A publication that it did not answer may still happen.
      if (home !== null && disk.isStalled(home.homeRoot)) throw new StorageError('offline');
      if (older === undefined) return;
      const wait = () => untilOver(older, disk.limit);
      // The question shows whether the disk responds, which the older one may be the only one to find out.
      await (home === null ? wait() : disk.whileAnswering(home.homeRoot, wait));
    },
    keptDuring<T>(work: Promise<T>) {
      working = work;
      return work;
    },
    end,
  };
}

/**
 * Waits until a chunk has ended, however long its content takes to be published, and then until what it gave up is over. The disk
 * may respond again to others, and never to that.
 * @param limit milliseconds for the latter
 * @throws StorageError `offline` after that
 */
async function untilOver({ ended, done }: ChunkInProgress, limit: number): Promise<void> {
  await ended;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StorageError('offline')), limit);
  });
  await Promise.race([done, late]).finally(() => clearTimeout(timer));
}

/**
 * Runs work while no chunk of the upload is received. A chunk in progress is stopped, because its client has lost the connection;
 * one that has fully arrived is published first.
 * @param home as for `chunkTurn`
 * @param rowId of its row
 * @throws ApiError `storage_offline` while the disk does not respond, or does not return what a chunk has given up; the work may then still
 * happen, before the next chunk begins
 */
export async function withoutChunks<T>(
  context: UploadContext,
  home: Pick<Home, 'homeRoot'> | null,
  rowId: string,
  work: () => Promise<T>,
): Promise<T> {
  const turn = chunkTurn(context, home, null);
  try {
    await onStorage(() => turn.join(rowId));
    const kept = () => turn.keptDuring(work());
    return await (home === null ? kept() : onStorage(() => context.disk.unlessStalled(home.homeRoot, kept)));
  } finally {
    turn.end();
  }
}

/** Stops the chunk in progress, and runs work once it is over, however long its disk does not respond. @param rowId of the upload */
export async function afterChunks<T>(
  { chunksInProgress }: Pick<UploadContext, 'chunksInProgress'>,
  rowId: string,
  work: () => Promise<T>,
): Promise<T> {
  const chunk = chunksInProgress.get(rowId);
  chunk?.stop();
  await chunk?.done;
  return work();
}
