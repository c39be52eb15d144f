import { howToRestore } from '../../backup/make/how-to-restore.ts';
import { DatabaseLost } from '../../lib/errors/database-lost.ts';
import { t } from '../../messages/messages.ts';
import type { Layout } from '../../storage/layout.ts';

/** Why an installation could not be opened, as text for people. */
interface OpeningFailure {
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
        message: t('api.doctor.databaseUnreadable', { file: layout.database, reason: message }),
        advice: await howToRestore(layout),
      };
    case 'SQLITE_BUSY':
    case 'SQLITE_LOCKED':
      return {
        reason: 'in_use',
        message: t('api.doctor.databaseBusy', { file: layout.database }),
        advice: t('api.doctor.databaseBusyAdvice', { file: layout.database }),
      };
    case 'SQLITE_CANTOPEN':
    case 'SQLITE_READONLY':
    case 'SQLITE_PERM':
    case 'SQLITE_AUTH':
    case 'EACCES':
    case 'EPERM':
      return ofFolder(
        t('api.start.denied', { path: path ?? layout.larder, reason: message }),
        t('api.start.deniedAdvice'),
      );
    case 'EROFS':
      return ofFolder(
        t('api.start.readOnly', { path: path ?? layout.folder, reason: message }),
        t('api.start.readOnlyAdvice'),
      );
    case 'SQLITE_FULL':
    case 'ENOSPC':
    case 'EDQUOT':
      return ofFolder(t('api.start.full', { path: path ?? layout.folder }), t('api.start.fullAdvice'));
    case 'SQLITE_IOERR':
    case 'EIO':
      return ofFolder(
        t('api.start.diskErrors', { path: path ?? layout.folder, reason: message }),
        t('api.start.diskErrorsAdvice'),
      );
    default:
      return null;
  }
}
