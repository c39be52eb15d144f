import type { Readable } from 'node:stream';
import type { ChunkInProgress, FilesContext } from '../context.ts';

/** The right to change an upload, until its end. */
export interface ChunkTurn {
  /** Waits also for whoever works on this key. */
  join(key: string): Promise<void>;
  end(): void;
}

/**
 * One chunk at a time for each key. A newer one ends the reading of the older, whose client has lost the connection, or it
 * would not send a new one; what has all come gets its name first: nothing may write into a content that is on its way there.
 * @param content of this chunk, while it is still to be read; null when it lies ready
 */
export function chunkTurn(
  { chunksInProgress }: Pick<FilesContext, 'chunksInProgress'>,
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
