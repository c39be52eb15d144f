import { isAbsolute } from 'node:path';
import { larderCommand } from '../../lib/process/larder-command.ts';
import { t } from '../../messages/messages.ts';
import { isInside, isSame } from '../../people/homes/home-path.ts';
import { WriteFailure } from '../../storage/content/hashed-copy.ts';

/** Why a backup is not made, not intact, or not restored. The message is for the owner, in whole sentences. */
export class BackupProblem extends Error {
  /** Whether it was cancelled. */
  readonly isCancelled: boolean;
  /** Whether the disk of the backups has too little space. */
  readonly isOutOfSpace: boolean;
  /** The invalid input; null for another cause. */
  readonly field: 'passphrase' | null;

  constructor(
    message: string,
    options: ErrorOptions & { isCancelled?: boolean; isOutOfSpace?: boolean; field?: 'passphrase' } = {},
  ) {
    super(message, options);
    this.name = 'BackupProblem';
    this.isCancelled = options.isCancelled === true;
    this.isOutOfSpace = options.isOutOfSpace === true;
    this.field = options.field ?? null;
  }
}

/** The meaning of an error of a write to `destination`, or of what was read for it. */
export function writeProblem(error: unknown, destination: string): BackupProblem {
  if (error instanceof BackupProblem) return error;
  const cause = error instanceof WriteFailure ? error.cause : error;
  const { code, name, message, path } = cause as NodeJS.ErrnoException;
  if (name === 'AbortError') return new BackupProblem(t('api.backup.stopped'), { isCancelled: true });
  // Advice about the disk of the backups would mislead.
  if (code !== undefined && path !== undefined && isSource(path, destination))
    return new BackupProblem(t('api.backup.sourceUnreadable', { path, reason: code }), { cause: error });
  const isOutOfSpace = code !== undefined && FULL.has(code);
  return new BackupProblem(sentenceFor(code, message, destination), { cause: error, isOutOfSpace });
}

/** Whether a path has nothing to do with where the backup is written. */
function isSource(path: string, destination: string): boolean {
  const isConcerned = isSame(path, destination) || isInside(path, destination) || isInside(destination, path);
  return isAbsolute(path) && !isConcerned;
}

const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL']);

function sentenceFor(code: string | undefined, message: string, destination: string): string {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'SQLITE_FULL':
      return t('api.backup.diskFull', { path: destination });
    case 'EACCES':
    case 'EPERM':
    case 'SQLITE_CANTOPEN':
    case 'SQLITE_READONLY':
    case 'SQLITE_PERM':
      return t('api.backup.denied', { path: destination });
    case 'EROFS':
      return t('api.backup.readOnly', { path: destination });
    case 'ENOENT':
    case 'ENOTDIR':
    case 'ENODEV':
    case 'ENXIO':
      return t('api.backup.gone', { path: destination });
    case 'EIO':
    case 'SQLITE_IOERR':
      return t('api.backup.diskErrors', { path: destination, reason: message });
    case 'SQLITE_CORRUPT':
    case 'SQLITE_NOTADB':
      return t('api.backup.sourceDamaged', { reason: message, command: larderCommand() });
    default:
      return t('api.backup.writeFailed', { path: destination, reason: message });
  }
}
