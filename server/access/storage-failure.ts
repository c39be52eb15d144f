import { ApiError } from '../http/errors.ts';
import { inClientTerms } from '../http/system-failure.ts';
import { LockTimeout } from '../lib/concurrency/path-locks.ts';
import { t } from '../messages/messages.ts';
import { DiskStalled, StorageError } from '../storage/errors.ts';
import { notFound } from './access.ts';

/** Converts a storage failure to an ApiError; anything unexpected is passed on and becomes `internal_error`. */
function storageFailure(error: unknown): unknown {
  if (error instanceof LockTimeout) {
    return new ApiError('conflict', t('api.access.pathBusy'));
  }
  if (error instanceof DiskStalled) return storageFailure(new StorageError('offline'));
  // Also found by a flush or the database, without a StorageError.
  if (!(error instanceof StorageError)) return inClientTerms(error);
  switch (error.reason) {
    case 'not-found':
      return notFound();
    case 'taken':
      return new ApiError('already_exists', t('api.access.alreadyExists', { name: error.existing ?? '' }), {
        ...(error.existing === undefined ? {} : { details: { filename: error.existing } }),
      });
    case 'is-a-folder':
      return new ApiError('invalid_path', t('api.access.isFolder'));
    case 'into-itself':
      return new ApiError('invalid_path', t('api.access.intoItself'));
    case 'offline':
      return new ApiError('storage_offline', t('api.service.diskOffline'), {
        headers: { 'Retry-After': '30' },
      });
    case 'full':
      return new ApiError('disk_full', t('api.service.diskFull'), { cause: error });
    case 'too-large':
      return new ApiError('upload_too_large', t('api.access.contentTooLarge'));
    case 'cut-off':
      return new ApiError('malformed_body', t('api.requests.cutOff'), { cause: error });
    case 'denied':
      return new ApiError('permission_denied', t('api.access.systemDenied'), {
        cause: error,
      });
    case 'read-only':
      return new ApiError('temporarily_unavailable', t('api.access.diskReadOnly'), {
        headers: { 'Retry-After': '30' },
        cause: error,
      });
    case 'name-too-long':
      return new ApiError('invalid_name', t('api.access.nameTooLong'));
    case 'other-disk':
      return new ApiError('invalid_path', t('api.access.otherDisk'), { cause: error });
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
