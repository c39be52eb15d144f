import { howToRestore } from '../../backup/make/how-to-restore.ts';
import { DatabaseLost } from '../../lib/errors/database-lost.ts';
import type { Layout } from '../../storage/layout.ts';

/** Why an installation could not be opened, as text for people. */
export interface OpeningFailure {
  /** Whether the database has to be restored, or the folder or its disk is the problem. */
  readonly reason: 'database' | 'folder' | 'in_use';
  /** The problem, in sentences. */
  readonly message: string;
  /** What to do, in sentences. */
  readonly advice: string;
}

/** Explains an error of SQLite or of the system; null for an error that explains itself. */
export async function openingFailure(layout: Layout, error: unknown): Promise<OpeningFailure | null> {
  const { code, message, path } = error as NodeJS.ErrnoException;
  if (error instanceof DatabaseLost) return { reason: 'database', message, advice: await howToRestore(layout) };
  const ofFolder = (what: string, advice: string): OpeningFailure => ({ reason: 'folder', message: what, advice });
  switch (code) {
    case 'SQLITE_CORRUPT':
    case 'SQLITE_NOTADB':
      return {
        reason: 'database',
        message: `The database ${layout.database} is damaged (${message}).`,
        advice: await howToRestore(layout),
      };
    case 'SQLITE_BUSY':
    case 'SQLITE_LOCKED':
      return {
        reason: 'in_use',
        message: `Another program keeps the database ${layout.database} busy.`,
        advice: `Stop it; this names it: fuser -v "${layout.database}"`,
      };
    case 'SQLITE_CANTOPEN':
    case 'SQLITE_READONLY':
    case 'SQLITE_PERM':
    case 'SQLITE_AUTH':
    case 'EACCES':
    case 'EPERM':
      return ofFolder(
        `${path ?? layout.larder} cannot be read and written by this user (${message}).`,
        'Run Larder as the user whose folder it is, or give it access to all of it.',
      );
    case 'EROFS':
      return ofFolder(
        `The disk of ${path ?? layout.folder} can only be read (${message}).`,
        'It is mounted so, or the system made it so after an error: check the disk, and make it writable again.',
      );
    case 'SQLITE_FULL':
    case 'ENOSPC':
    case 'EDQUOT':
      return ofFolder(`The disk of ${path ?? layout.folder} is full.`, 'Make room on it and try again.');
    case 'SQLITE_IOERR':
    case 'EIO':
      return ofFolder(
        `The disk of ${path ?? layout.folder} has errors (${message}).`,
        'Make a copy of the folder first, then have the disk checked.',
      );
    default:
      return null;
  }
}
