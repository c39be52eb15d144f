import { chmod, open, stat } from 'node:fs/promises';
import { ignoreFailure } from '../lib/async/ignore-failure.ts';

/** For its owner alone, to read and write. */
const PRIVATE = 0o600;

/**
 * Removes access of this machine's other users to the database, which contains hashes of passwords and tokens. SQLite gives its
 * companion files the same access. Call it before opening: closing a file releases the locks that this process has on it.
 */
export async function closeToOthers(file: string): Promise<void> {
  // What cannot be opened is SQLite's to complain about, which knows more.
  await ignoreFailure(makePrivate(file), 'failed to restrict access to the database');
  for (const path of [file, `${file}-wal`, `${file}-shm`])
    await ignoreFailure(chmod(path, PRIVATE), 'failed to restrict access to the database');
}

/** Creates an empty file if there is none: SQLite treats it as a new database and preserves its mode. */
export async function makePrivate(file: string): Promise<void> {
  await (await open(file, 'a', PRIVATE)).close();
}

/** What tells the database from a copy of it: a copy is another file, or was created at another time. */
export async function identityOfFile(file: string): Promise<string> {
  const { ino, birthtimeNs } = await stat(file, { bigint: true });
  return `${ino}.${birthtimeNs}`;
}
