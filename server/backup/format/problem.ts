import { larderCommand } from '../../lib/process/larder-command.ts';
import { WriteFailure } from '../../storage/content/hashed-copy.ts';

/** Why a backup is not made, not intact, or not restored. The message is for the owner, in whole sentences. */
export class BackupProblem extends Error {
  /** Whether it was cancelled. */
  readonly isCancelled: boolean;
  /** The invalid input; null for another cause. */
  readonly field: 'passphrase' | null;

  constructor(message: string, options: ErrorOptions & { isCancelled?: boolean; field?: 'passphrase' } = {}) {
    super(message, options);
    this.name = 'BackupProblem';
    this.isCancelled = options.isCancelled === true;
    this.field = options.field ?? null;
  }
}

/** The meaning of an error for a write to `place`. */
export function writeProblem(error: unknown, destination: string): BackupProblem {
  if (error instanceof BackupProblem) return error;
  const cause = error instanceof WriteFailure ? error.cause : error;
  const { code, name, message } = cause as NodeJS.ErrnoException;
  if (name === 'AbortError') return new BackupProblem('It was cancelled.', { isCancelled: true });
  return new BackupProblem(sentenceFor(code, message, destination), { cause: error });
}

function sentenceFor(code: string | undefined, message: string, destination: string): string {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'SQLITE_FULL':
      return `The disk of ${destination} is full. Make room on it, or choose another place.`;
    case 'EACCES':
    case 'EPERM':
    case 'SQLITE_CANTOPEN':
    case 'SQLITE_READONLY':
    case 'SQLITE_PERM':
      return `The user that runs Larder may not write into ${destination}. Give it access, or choose another place.`;
    case 'EROFS':
      return `${destination} is on a disk that cannot be written: it is read-only, or the system made it so after an error.`;
    case 'ENOENT':
    case 'ENOTDIR':
    case 'ENODEV':
    case 'ENXIO':
      return `${destination} is not there any more. Connect the disk that it is on, or choose another place.`;
    case 'EIO':
    case 'SQLITE_IOERR':
      return `The disk of ${destination}, or the one that is backed up, has errors (${message}). Have both checked.`;
    case 'SQLITE_CORRUPT':
    case 'SQLITE_NOTADB':
      return `The database is damaged (${message}): a copy of it would be, too. See: ${larderCommand()} doctor`;
    default:
      return `It could not be written to ${destination} (${message}).`;
  }
}
