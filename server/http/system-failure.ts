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
      return unavailable('Another program keeps the database of this Larder busy. Try again in a moment.');
    case 'SQLITE_READONLY':
    case 'EROFS':
      return unavailable('The disk of this Larder can only be read at the moment: nothing can be written on it.');
    case 'SQLITE_IOERR':
    case 'EIO':
      return unavailable('The disk of this Larder has errors. Its owner has to look after it.');
    case 'SQLITE_CANTOPEN':
      return unavailable('The database of this Larder cannot be opened at the moment. Its owner has to look after it.');
    case 'EMFILE':
    case 'ENFILE':
      return unavailable('Too many files are open on this machine at the moment. Try again in a moment.');
    case 'SQLITE_FULL':
    case 'ENOSPC':
    case 'EDQUOT':
      return new ApiError('disk_full', 'The disk is full.', { cause: error });
    default:
      return null;
  }
}

/** The API error for an error of the system or SQLite; any other error unchanged. */
export function inClientTerms(thrown: unknown): unknown {
  return systemFailure(thrown) ?? thrown;
}
