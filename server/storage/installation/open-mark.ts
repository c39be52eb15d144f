import { constants } from 'node:fs';
import { open, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ignoreFailure } from '../../lib/async/ignore-failure.ts';
import { t } from '../../messages/messages.ts';
import { flushFolder } from '../flush.ts';
import { isThere } from '../inspect.ts';
import type { Layout } from '../layout.ts';

// An empty file beside the database while it is open: as long as it exists, the database's log must exist, too.

/** The offset in a database header of its write version, and the value for a write-ahead log (file format of SQLite, §1.3.3). */
const WRITE_VERSION = 18;
const WITH_LOG = 2;

/**
 * Whether the database was not closed the last time and its log, with the last writes, is missing: it was deleted, or the folder
 * was copied without it. Call it before the database is opened. A copy from a backup has no log and needs none.
 */
export async function isLogMissing({ database, openMark }: Pick<Layout, 'database' | 'openMark'>): Promise<boolean> {
  if (!(await isThere(openMark)) || (await isThere(`${database}-wal`))) return false;
  const file = await open(database, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1, WRITE_VERSION);
    return bytesRead === 1 && buffer[0] === WITH_LOG;
  } finally {
    await file.close();
  }
}

/** Call it once the log exists. @returns a function that removes the mark, to be called before the database is closed */
export async function markOpen({ openMark }: Pick<Layout, 'openMark'>): Promise<() => Promise<void>> {
  const { O_WRONLY, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  // Neither a link, which would lead elsewhere, nor a pipe, which would block.
  const file = await open(openMark, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
  await file.close();
  await flushFolder(dirname(openMark));
  return async () => {
    await ignoreFailure(unlink(openMark), 'failed to remove the mark of an open database');
    await flushFolder(dirname(openMark));
  };
}

/** An explanation for the owner. */
export function missingLogText({ database }: Pick<Layout, 'database'>): string {
  return t('api.storage.logMissing', { file: `${database}-wal` });
}
