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
 * @throws FolderInUse
 */
export async function lockFolder(file: string): Promise<() => Promise<void>> {
  const connection = await Connection.open(file);
  try {
    await connection.exec('PRAGMA busy_timeout=250; BEGIN EXCLUSIVE');
  } catch (error) {
    await connection.close();
    throw (error as NodeJS.ErrnoException).code === 'SQLITE_BUSY' ? new FolderInUse() : error;
  }
  return async () => {
    await connection.exec('ROLLBACK').catch(() => undefined);
    await connection.close();
  };
}
