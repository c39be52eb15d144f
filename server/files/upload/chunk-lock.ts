import type { Readable } from 'node:stream';
import { onStorage } from '../../access/storage-failure.ts';
import type { Home } from '../../catalogue/homes.ts';
import { settled } from '../../lib/async/ignore-failure.ts';
import { StorageError } from '../../storage/errors.ts';
import type { UploadContext } from './context.ts';

/** The exclusive right to change an upload, until it is ended. */
export interface ChunkTurn {
  /** Also waits for the current holder of this key. @throws StorageError `offline` while the disk does not respond */
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
  }).then(() => settled(working));
  const stop = () => {
    if (content !== null && !content.readableEnded) content.destroy();
  };
  return {
    async join(key) {
      const older = chunksInProgress.get(key);
      // Whoever gives up waiting for the older one does not let others begin before that has ended.
      const entry = { stop, done: Promise.all([older?.done, ended]) };
      chunksInProgress.set(key, entry);
      void entry.done.then(() => {
        if (chunksInProgress.get(key) === entry) chunksInProgress.delete(key);
      });
      older?.stop();
      if (home === null) return void (await older?.done);
      // A publication that it did not answer may still happen.
      if (disk.isStalled(home.homeRoot)) throw new StorageError('offline');
      await disk.unlessStalled(home.homeRoot, async () => older?.done);
    },
    keptDuring<T>(work: Promise<T>) {
      working = work;
      return work;
    },
    end,
  };
}

/**
 * Runs work while no chunk of the upload is received. A chunk in progress is stopped, because its client has lost the connection;
 * one that has fully arrived is published first.
 * @param home as for `chunkTurn`
 * @param rowId of its row
 * @throws ApiError `storage_offline` while the disk does not respond
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
    return await work();
  } finally {
    turn.end();
  }
}
