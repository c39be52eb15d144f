import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { ArchiveJobs } from './archive-jobs.ts';
import { JobError } from './job-error.ts';
import type { InputOf } from './protocol.ts';

export type Archive = InputOf<ArchiveJobs, 'check'>['archive'];

/** An archive that this process has open. */
export interface OpenArchive {
  readonly file: FileHandle;
  /** For a library that opens by path: the same file, where the system has such paths. */
  readonly path: string;
}

/**
 * Opens what the server has open. Where that is handed over as a path of the disk, another file may have it by now.
 * @throws JobError `corrupt` when it is not the very same file, unchanged
 */
export async function openArchive({ paths, identity }: Archive): Promise<OpenArchive> {
  for (const path of paths) {
    const file = await open(path, constants.O_RDONLY).catch(() => null);
    if (file === null) continue;
    const { ino, size, mtimeNs } = await file.stat({ bigint: true });
    if (`${ino}.${size}.${mtimeNs}` === identity) {
      return { file, path: process.platform === 'linux' ? `/proc/self/fd/${file.fd}` : path };
    }
    await file.close();
  }
  throw new JobError('corrupt', 'another file has taken its place, or it has changed');
}
