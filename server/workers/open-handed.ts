import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { z } from 'zod';
import { JobError } from './job-error.ts';

/** A file that the server has open, as `storage/hand-over.ts` describes it. */
export const handedFile = z.object({
  path: z.string(),
  inode: z.string(),
  modified: z.string(),
  size: z.number(),
});

/**
 * Opens a file that was handed over, for reading.
 * @throws JobError `corrupt` when it is gone, or is not what was handed over any more
 */
export async function openHanded(file: z.output<typeof handedFile>): Promise<FileHandle> {
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
  const handle = await open(file.path, flags).catch((error: NodeJS.ErrnoException) => {
    throw new JobError('corrupt', `the file cannot be opened: ${error.code ?? ''}`);
  });
  const stats = await handle.stat({ bigint: true });
  const isSame =
    stats.isFile() &&
    String(stats.ino) === file.inode &&
    String(stats.mtimeNs) === file.modified &&
    Number(stats.size) === file.size;
  if (isSame) return handle;
  await handle.close();
  throw new JobError('corrupt', 'the file has changed meanwhile');
}
