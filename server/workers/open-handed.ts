import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { z } from 'zod';
import { JobError } from './job-error.ts';

/** A file that the server has open, as `storage/hand-over.ts` describes it. */
export const handedFile = z.object({ paths: z.array(z.string()), identity: z.string() });

/** For reading. Whoever has it closes the handle. */
export interface OpenHanded {
  readonly handle: FileHandle;
  /** For a library that opens by path: the same file, where the system has such paths. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

/**
 * Opens a file that was handed over.
 * @throws JobError `gone` when it is gone, or is not the very same file, unchanged
 */
export async function openHanded({ paths, identity }: z.output<typeof handedFile>): Promise<OpenHanded> {
  for (const path of paths) {
    // A pipe that has taken its name would keep this process waiting.
    const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(() => null);
    if (handle === null) continue;
    const stats = await handle.stat({ bigint: true });
    const { ino, size, mtimeNs } = stats;
    if (stats.isFile() && `${ino}.${size}.${mtimeNs}` === identity) {
      const same = process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : path;
      return { handle, path: same, size: Number(size) };
    }
    await handle.close();
  }
  throw new JobError('gone', 'another file has taken its place, or it has changed');
}
