import { type Database, openDatabase } from '../database/database.ts';
import { lockFolder } from '../database/folder-lock.ts';
import { openReadOnlyCopy } from '../database/read-only-copy.ts';
import type { Closers } from '../lib/async/closers.ts';
import type { Log } from '../lib/log/log.ts';
import { t } from '../messages/messages.ts';
import { applyHomeAccess, type HomeAccess } from '../storage/homes/home-access.ts';
import { prepareFolder } from '../storage/installation/data-folder.ts';
import { requireDatabase, wasInstallation } from '../storage/installation/database-present.ts';
import { isLogMissing, markOpen, missingLogText } from '../storage/installation/open-mark.ts';
import { createReserve, type Reserve } from '../storage/installation/reserve.ts';
import type { Layout } from '../storage/layout.ts';

interface OpenedInstallation {
  readonly database: Database;
  readonly reserve: Reserve;
  /** Problems for the owner, one or two sentences each. */
  readonly problems: readonly string[];
  /** Whether nothing may be written: the database is a temporary copy. */
  readonly isReadOnly: boolean;
  /** Called when everything is open: from then on a read-only database refuses writes. */
  readonly seal: () => void;
}

/**
 * Locks the folder for this process and opens its database.
 * @param homeAccess which users of the machine can access people's files
 * @param closers receives the functions that close them
 * @throws FolderProblem, FolderInUse, DatabaseLost, or an Error that names the damaged file
 */
export async function openInstallation(
  layout: Layout,
  homeAccess: HomeAccess,
  log: Log,
  closers: Closers,
): Promise<OpenedInstallation> {
  if (!(await prepareFolder(layout))) return openReadOnly(layout, log, closers);
  const changed = await applyHomeAccess(layout, homeAccess);
  if (changed.length > 0) log.info({ folders: changed, access: homeAccess }, 'changed the access rights of folders');
  // New files in homes of a group must be writable by the group.
  if (homeAccess === 'group') process.umask(0o007);
  closers.add('folder lock', await lockFolder(layout.lock));
  await requireDatabase(layout);
  const reserve = createReserve(layout.reserve, layout.larder, log);
  closers.add('reserve', () => reserve.close());
  await reserve.prepare();
  const problems: string[] = [];
  if (await isLogMissing(layout)) {
    problems.push(missingLogText(layout));
    log.error(
      { database: layout.database },
      'the write-ahead log of the database is missing: its last changes are lost',
    );
  }
  const database = await openDatabase(layout.database, layout.backups, {
    isExpected: () => wasInstallation(layout, true),
    release: reserve.release,
  });
  closers.add('database', () => database.close());
  const unmark = await markOpen(layout).catch((error) => {
    log.warn({ err: error }, 'failed to record that the database is open');
    return async () => undefined;
  });
  closers.add('open mark', () => unmark().catch(() => undefined));
  return { database, reserve, problems, isReadOnly: false, seal: () => undefined };
}

/** No other process can write there either, so no lock is needed. */
async function openReadOnly(layout: Layout, log: Log, closers: Closers): Promise<OpenedInstallation> {
  const problems = [t('api.storage.readOnly', { folder: layout.folder })];
  log.warn({ folder: layout.folder }, 'the disk is read-only: nothing is written until the next start');
  if (await isLogMissing(layout)) problems.push(missingLogText(layout));
  const { database, seal } = await openReadOnlyCopy(layout.database);
  closers.add('database', () => database.close());
  return { database, reserve: createReserve(layout.reserve, layout.larder, log), problems, isReadOnly: true, seal };
}
