import { FolderProblem } from '../lib/errors/folder-problem.ts';
import { Connection } from './connection.ts';

export class FolderInUse extends Error {
  constructor() {
    super('Another Larder runs on this folder.');
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
    // With its journal in memory nothing is written: a disk that is full has room for that.
    await connection.exec('PRAGMA busy_timeout=250; PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    await connection.close();
    throw lockProblem(file, error as NodeJS.ErrnoException);
  }
  return async () => {
    await connection.exec('ROLLBACK').catch(() => undefined);
    await connection.close();
  };
}

/** What is wrong with it is nothing of the household's database: this file holds nothing. */
function lockProblem(file: string, error: NodeJS.ErrnoException): Error {
  const { code = '', message } = error;
  if (code === 'SQLITE_BUSY') return new FolderInUse();
  const what = ['SQLITE_NOTADB', 'SQLITE_CORRUPT'].includes(code)
    ? `is damaged (${message}).`
    : `cannot be used (${message}): its disk may be full, failing or read-only, or it is not this user's.`;
  const advice = 'It holds nothing: with no Larder running it can be deleted, and the next start makes it again.';
  return new FolderProblem(`The lock file ${file} ${what} ${advice}`, { cause: error });
}
