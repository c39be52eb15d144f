// What a flushed upload cannot do without: write, fsync, rename, fsync of the folder.
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { answerJobs } from '../helper.ts';

export interface RawLoopJob {
  /** Where files are written, and the folder they are renamed into. */
  readonly incoming: string;
  readonly target: string;
  readonly files: number;
  readonly bytes: number;
  readonly lanes: number;
}

answerJobs<RawLoopJob, number>(async ({ incoming, target, files, bytes, lanes }) => {
  const content = Buffer.alloc(bytes, 'larder');
  // Opened once: a folder is not opened anew for every file in the fastest loop.
  const folder = await open(target, 'r');
  let next = 0;
  const lane = async () => {
    while (next < files) {
      const name = `file-${next++}`;
      const file = await open(join(incoming, name), 'wx');
      await file.write(content);
      await file.sync();
      await file.close();
      await rename(join(incoming, name), join(target, name));
      await folder.sync();
    }
  };
  const begin = performance.now();
  await Promise.all(Array.from({ length: lanes }, lane));
  const milliseconds = performance.now() - begin;
  await folder.close();
  return milliseconds;
});
