// The image library and nothing else: no server, nobody who is asked for leave, nothing that is kept.
import sharp from 'sharp';
import { answerJobs } from '../helper.ts';

export interface BareSharpJob {
  readonly files: readonly string[];
  /** Pixels. */
  readonly side: number;
  /** How many at the same time. */
  readonly parallel: number;
}

sharp.cache(false);

/** Milliseconds for all of them. */
answerJobs<BareSharpJob, number>(async ({ files, side, parallel }) => {
  let next = 0;
  const lane = async () => {
    for (let file = files[next++]; file !== undefined; file = files[next++]) {
      await sharp(file, { autoOrient: true, sequentialRead: true })
        .resize(side, side, { fit: 'inside', withoutEnlargement: true })
        .jpeg({ quality: 80 })
        .toBuffer();
    }
  };
  const begin = performance.now();
  await Promise.all(Array.from({ length: parallel }, lane));
  return performance.now() - begin;
});
