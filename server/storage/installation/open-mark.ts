import { constants } from 'node:fs';
import { open, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { t } from '../../messages/messages.ts';
import { flushFolder } from '../flush.ts';
import { isThere } from '../inspect.ts';
import type { Layout } from '../layout.ts';

// An empty file beside the database while it is open: with it, the log of the database has to be there.

/** Where the header of a database says how it is written, and what it says with a write-ahead log (file format of SQLite, §1.3.3). */
const WRITE_VERSION = 18;
const WITH_LOG = 2;

/**
 * Whether the database was not closed the last time and its log is gone, with what was written last: it was deleted, or the
 * folder was copied without it. To be asked before the database is opened. A copy from a backup has no log and misses none.
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

/** Once the log is there. @returns what takes the mark away, to be called before the database is closed */
export async function markOpen({ openMark }: Pick<Layout, 'openMark'>): Promise<() => Promise<void>> {
  const { O_WRONLY, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  // Neither a link nor a pipe: it would lead elsewhere, or wait.
  const file = await open(openMark, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
  await file.close();
  await flushFolder(dirname(openMark));
  return async () => {
    await unlink(openMark).catch(() => undefined);
    await flushFolder(dirname(openMark));
  };
}

/** What it means, for the owner. */
export function missingLogText({ database }: Pick<Layout, 'database'>): string {
  return t('api.storage.logMissing', { file: `${database}-wal` });
}
