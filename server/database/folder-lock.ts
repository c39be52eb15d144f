import { ignoreFailure } from '../lib/async/ignore-failure.ts';
import { FolderProblem } from '../lib/errors/folder-problem.ts';
import { t } from '../messages/messages.ts';
import { Connection } from './connection.ts';

export class FolderInUse extends Error {
  constructor() {
    super(t('api.storage.inUse'));
  }
}

/**
 * Takes the folder for this process: an exclusive transaction on a database of its own, never committed. The kernel
 * frees it when the process ends, however it ends.
 * @returns the release
 * @throws FolderInUse, or FolderProblem that names the file and has SQLite's error as its cause
 */
export async function lockFolder(file: string): Promise<() => Promise<void>> {
  const connection = await Connection.open(file).catch((error) => Promise.reject(lockProblem(file, error)));
  try {
    // An in-memory journal works on a full disk.
    await connection.exec('PRAGMA busy_timeout=250; PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    await connection.close();
    throw lockProblem(file, error as NodeJS.ErrnoException);
  }
  return async () => {
    await ignoreFailure(connection.exec('ROLLBACK'), 'failed to roll back');
    await connection.close();
  };
}

/** The lock file holds no data, so report it separately from the database. */
function lockProblem(file: string, error: NodeJS.ErrnoException): Error {
  const { code = '', message } = error;
  if (code === 'SQLITE_BUSY') return new FolderInUse();
  const facts = { file, reason: message };
  const isDamaged = ['SQLITE_NOTADB', 'SQLITE_CORRUPT'].includes(code);
  return new FolderProblem(isDamaged ? t('api.storage.lockDamaged', facts) : t('api.storage.lockUnusable', facts), {
    cause: error,
  });
}
