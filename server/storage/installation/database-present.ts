import { rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DatabaseLost } from '../../lib/errors/database-lost.ts';
import { t } from '../../messages/messages.ts';
import { fileSize, isThere, namesIn } from '../inspect.ts';
import type { Layout } from '../layout.ts';
import { MARKER_FILE } from '../paths/folder-handle.ts';

/**
 * Called before the database is opened, in a folder locked by this process. The write-ahead log of a missing database is moved
 * aside: SQLite would delete it beside an empty database, or apply it to a copy restored from a backup.
 * @throws DatabaseLost when the folder was an installation, but has no database or an empty one; the system's error when that is
 * unknown
 */
export async function requireDatabase(layout: Layout): Promise<void> {
  const lost = await lostDatabase(layout);
  if (lost === null || !(await wasInstallation(layout))) return;
  const log = logOf(layout);
  if (((await fileSize(log)) ?? 0) > 0) {
    const aside = `${log}.left-${Date.now()}`;
    await rename(log, aside);
    lost.message += ` ${t('api.storage.logMoved', { file: aside })}`;
  }
  throw lost;
}

/**
 * What to report about a missing or empty database; null when it is fine. Changes nothing.
 * @throws the system's error when it cannot be read
 */
export async function lostDatabase({ database }: Pick<Layout, 'database'>): Promise<DatabaseLost | null> {
  const size = await fileSize(database);
  if (size !== null && size > 0) return null;
  const message =
    size === null
      ? t('api.storage.databaseMissing', { file: database })
      : t('api.storage.databaseEmpty', { file: database });
  return new DatabaseLost(message);
}

/**
 * Whether there is something only an installation has: its authority, a database log, or a home with its marker.
 * @param isOpen whether the database is open: then its log proves nothing
 * @throws the system's error when one of them cannot be read
 */
export async function wasInstallation(layout: Layout, isOpen = false): Promise<boolean> {
  const { tls, homes, larder } = layout;
  if (await isThere(join(tls, 'ca.crt'))) return true;
  const log = basename(logOf(layout));
  for (const name of (await namesIn(larder)) ?? []) {
    if (isOpen && name === log) continue;
    // Including one that was moved aside.
    if (name.startsWith(log) && ((await fileSize(join(larder, name))) ?? 0) > 0) return true;
  }
  for (const name of (await namesIn(homes)) ?? []) {
    if (await isThere(join(homes, name, MARKER_FILE))) return true;
  }
  return false;
}

function logOf({ database }: Pick<Layout, 'database'>): string {
  return `${database}-wal`;
}
