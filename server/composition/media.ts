import { createEmbeddedIndex, type EmbeddedIndexParts } from '../media/embedded/embedded-index.ts';
import { createTextIndex } from '../media/text/text-index.ts';
import type { Disk } from '../storage/disk/disk.ts';

export interface MediaParts extends Omit<EmbeddedIndexParts, 'disk' | 'quick'> {
  readonly disk: Disk;
  /** For background work. */
  readonly backgroundDisk: Disk;
}

export type Media = ReturnType<typeof composeMedia>;

/** Composes the background reading of files. */
export function composeMedia({ disk, backgroundDisk, ...parts }: MediaParts) {
  const texts = createTextIndex({ ...parts, disk: backgroundDisk });
  const embedded = createEmbeddedIndex({ ...parts, disk: backgroundDisk, quick: disk });
  return {
    texts,
    embedded,
    start() {
      texts.start();
      embedded.start();
    },
    async stop() {
      await Promise.all([texts.stop(), embedded.stop()]);
    },
  };
}
