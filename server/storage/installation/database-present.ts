import { rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DatabaseLost } from '../../lib/errors/database-lost.ts';
import { t } from '../../messages/messages.ts';
import { fileSize, isThere, namesIn } from '../inspect.ts';
import type { Layout } from '../layout.ts';
import { MARKER_FILE } from '../paths/folder-handle.ts';

/**
 * Before the database is opened, in a folder that this process has locked. The log of one that is gone is moved aside: SQLite
 * would delete it beside an empty database, and take it into the copy of a backup that is put in its place.
 * @throws DatabaseLost when the folder was an installation and has no database any more, or nothing in it; the system's error
 * when that cannot be said
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
 * What is to be said of a database that is not there or has nothing in it; null when it has. Changes nothing.
 * @throws the system's error when it cannot be looked at
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
 * Whether there is what only an installation has: its authority, the log of a database, or a home with its marker.
 * @param isOpen whether the database is open: then its own log says nothing, SQLite has read it
 * @throws the system's error when one of them cannot be looked at
 */
export async function wasInstallation(layout: Layout, isOpen = false): Promise<boolean> {
  const { tls, homes, larder } = layout;
  if (await isThere(join(tls, 'ca.crt'))) return true;
  const log = basename(logOf(layout));
  for (const name of (await namesIn(larder)) ?? []) {
    if (isOpen && name === log) continue;
    // Also one that was moved aside.
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
