import { larderCommand } from '../../lib/process/larder-command.ts';
import { t } from '../../messages/messages.ts';
import { WriteFailure } from '../../storage/content/hashed-copy.ts';

/** Why a backup is not made, not whole, or not restored. The message is for the owner, in whole sentences. */
export class BackupProblem extends Error {
  /** Whether somebody wanted it to end. */
  readonly isCancelled: boolean;
  /** What of what was given is wrong; null where it is something else. */
  readonly field: 'passphrase' | null;

  constructor(message: string, options: ErrorOptions & { isCancelled?: boolean; field?: 'passphrase' } = {}) {
    super(message, options);
    this.name = 'BackupProblem';
    this.isCancelled = options.isCancelled === true;
    this.field = options.field ?? null;
  }
}

/** What an error means for whoever wanted something written at `place`. */
export function writeProblem(error: unknown, place: string): BackupProblem {
  if (error instanceof BackupProblem) return error;
  const cause = error instanceof WriteFailure ? error.cause : error;
  const { code, name, message } = cause as NodeJS.ErrnoException;
  if (name === 'AbortError') return new BackupProblem(t('api.backup.stopped'), { isCancelled: true });
  return new BackupProblem(sentenceFor(code, message, place), { cause: error });
}

function sentenceFor(code: string | undefined, message: string, place: string): string {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'SQLITE_FULL':
      return t('api.backup.diskFull', { path: place });
    case 'EACCES':
    case 'EPERM':
    case 'SQLITE_CANTOPEN':
    case 'SQLITE_READONLY':
    case 'SQLITE_PERM':
      return t('api.backup.denied', { path: place });
    case 'EROFS':
      return t('api.backup.readOnly', { path: place });
    case 'ENOENT':
    case 'ENOTDIR':
    case 'ENODEV':
    case 'ENXIO':
      return t('api.backup.gone', { path: place });
    case 'EIO':
    case 'SQLITE_IOERR':
      return t('api.backup.diskErrors', { path: place, reason: message });
    case 'SQLITE_CORRUPT':
    case 'SQLITE_NOTADB':
      return t('api.backup.sourceDamaged', { reason: message, command: larderCommand() });
    default:
      return t('api.backup.writeFailed', { path: place, reason: message });
  }
}
