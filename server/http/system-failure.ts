import { t } from '../messages/messages.ts';
import { ApiError } from './errors.ts';

/** Seconds for `Retry-After`. */
const SOON = { 'Retry-After': '10' };

/**
 * Converts an error of the operating system or SQLite to a reply: the machine is at fault, not the client, and it may recover soon.
 * Null for unexpected errors, which stay in the log.
 */
export function systemFailure(error: unknown): ApiError | null {
  const unavailable = (message: string) =>
    new ApiError('temporarily_unavailable', message, { headers: SOON, cause: error });
  switch ((error as NodeJS.ErrnoException | null)?.code) {
    case 'SQLITE_BUSY':
    case 'SQLITE_LOCKED':
      return unavailable(t('api.service.databaseBusy'));
    case 'SQLITE_READONLY':
    case 'EROFS':
      return unavailable(t('api.service.readOnly'));
    case 'SQLITE_IOERR':
    case 'EIO':
      return unavailable(t('api.service.diskErrors'));
    case 'SQLITE_CANTOPEN':
      return unavailable(t('api.service.databaseClosed'));
    case 'EMFILE':
    case 'ENFILE':
      return unavailable(t('api.service.openFiles'));
    case 'SQLITE_FULL':
    case 'ENOSPC':
    case 'EDQUOT':
      return new ApiError('disk_full', t('api.service.diskFull'), { cause: error });
    default:
      return null;
  }
}

/** The API error for an error of the system or SQLite; any other error unchanged. */
export function inClientTerms(thrown: unknown): unknown {
  return systemFailure(thrown) ?? thrown;
}
