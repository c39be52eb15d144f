import { ApiError } from '../http/errors.ts';
import { inClientTerms } from '../http/system-failure.ts';
import { LockTimeout } from '../lib/concurrency/path-locks.ts';
import { DiskStalled, StorageError } from '../storage/errors.ts';
import { notFound } from './access.ts';

/** Converts a storage failure to an ApiError; anything unexpected is passed on and becomes `internal_error`. */
function storageFailure(error: unknown): unknown {
  if (error instanceof LockTimeout) {
    return new ApiError('conflict', 'Another operation on this path is still running. Try again in a moment.');
  }
  if (error instanceof DiskStalled) return storageFailure(new StorageError('offline'));
  // Also found by a flush or the database, without a StorageError.
  if (!(error instanceof StorageError)) return inClientTerms(error);
  switch (error.reason) {
    case 'not-found':
      return notFound();
    case 'taken':
      return new ApiError('already_exists', `An item named "${error.existing ?? ''}" is there already.`, {
        ...(error.existing === undefined ? {} : { details: { filename: error.existing } }),
      });
    case 'is-a-folder':
      return new ApiError('invalid_path', 'This is a folder, and a file is needed.');
    case 'into-itself':
      return new ApiError('invalid_path', 'A folder cannot be put into itself.');
    case 'offline':
      return new ApiError('storage_offline', 'The disk with these files is not connected.', {
        headers: { 'Retry-After': '30' },
      });
    case 'full':
      return new ApiError('disk_full', 'The disk is full.', { cause: error });
    case 'too-large':
      return new ApiError('upload_too_large', 'The content is larger than allowed.');
    case 'cut-off':
      return new ApiError('malformed_body', 'The content ended before it was complete.', { cause: error });
    case 'denied':
      return new ApiError('permission_denied', 'The operating system does not let Larder do this here.', {
        cause: error,
      });
    case 'read-only':
      return new ApiError('temporarily_unavailable', 'The disk with these files can only be read at the moment.', {
        headers: { 'Retry-After': '30' },
        cause: error,
      });
    case 'name-too-long':
      return new ApiError('invalid_name', 'The name is too long for this disk.');
    case 'other-disk':
      return new ApiError('invalid_path', 'This lies on another disk.', { cause: error });
  }
}

/** Runs work on files and converts its failures to API errors. */
export async function onStorage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw storageFailure(error);
  }
}
