import { JobError } from '../job-error.ts';
import type { OpenHanded } from '../open-handed.ts';
import { readStart } from '../text/read-start.ts';

/** All of a file, for what needs it in memory. @param limit in bytes @throws JobError `too_large` */
export async function readWhole({ handle, size }: OpenHanded, limit: number): Promise<Buffer> {
  if (size > limit) throw new JobError('too_large', `${size} bytes`);
  return readStart(handle, size, limit);
}
