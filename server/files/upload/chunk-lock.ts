import type { Readable } from 'node:stream';
import type { ChunkInProgress, UploadContext } from './context.ts';

/** The exclusive right to change an upload, until it is ended. */
export interface ChunkTurn {
  /** Also waits for the current holder of this key. */
  join(key: string): Promise<void>;
  end(): void;
}

/**
 * Serializes the chunks of each key. A newer chunk aborts the reading of the older one, because a client sends a new one only
 * after it lost the connection. Content that has fully arrived is published first: nothing may write into it on the way.
 * @param content of this chunk, while it is still to be read; null when it is in the work area already
 */
export function chunkTurn(
  { chunksInProgress }: Pick<UploadContext, 'chunksInProgress'>,
  content: Readable | null,
): ChunkTurn {
  const ends: (() => void)[] = [];
  const stop = () => {
    if (content !== null && !content.readableEnded) content.destroy();
  };
  return {
    async join(key) {
      const older = chunksInProgress.get(key);
      older?.stop();
      let settle = () => {};
      const done = new Promise<void>((resolve) => {
        settle = resolve;
      });
      const entry: ChunkInProgress = { stop, done };
      chunksInProgress.set(key, entry);
      ends.push(() => {
        if (chunksInProgress.get(key) === entry) chunksInProgress.delete(key);
        settle();
      });
      await older?.done;
    },
    end() {
      for (const end of ends.splice(0).reverse()) end();
    },
  };
}
