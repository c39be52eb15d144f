import { type OpenInherited, readStart } from '../inherited-file.ts';
import { JobError } from '../job-error.ts';

/** A whole file, for decoders that need it in memory. @param limit in bytes @throws JobError `too_large` */
export function readWhole({ fd, size }: OpenInherited, limit: number): Buffer {
  if (size > limit) throw new JobError('too_large', `${size} bytes`);
  return readStart(fd, size, limit);
}
