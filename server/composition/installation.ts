import { type Database, openDatabase } from '../database/database.ts';
import { lockFolder } from '../database/folder-lock.ts';
import { openReadOnlyCopy } from '../database/read-only-copy.ts';
import type { Log } from '../lib/log/log.ts';
import { t } from '../messages/messages.ts';
import { applyHomeAccess, type HomeAccess } from '../storage/homes/home-access.ts';
import { prepareFolder } from '../storage/installation/data-folder.ts';
import { requireDatabase, wasInstallation } from '../storage/installation/database-present.ts';
import { isLogMissing, markOpen, missingLogText } from '../storage/installation/open-mark.ts';
import { createReserve, type Reserve } from '../storage/installation/reserve.ts';
import type { Layout } from '../storage/layout.ts';

export interface OpenedInstallation {
  readonly database: Database;
  readonly reserve: Reserve;
  /** What the owner has to know of it, a sentence or two each. */
  readonly problems: readonly string[];
  /** Whether nothing is to be written: the database is a copy that nobody keeps. */
  readonly isReadOnly: boolean;
  /** To be called when everything is open: from then on such a database takes nothing. */
  readonly seal: () => void;
}

/**
 * Takes the folder for this process and opens its database.
 * @param homeAccess which users of the machine get at people's files
 * @param closers gets what closes them again, in the order in which they were opened
 * @throws FolderProblem, FolderInUse, DatabaseLost, or an Error that says which file is damaged
 */
export async function openInstallation(
  layout: Layout,
  homeAccess: HomeAccess,
  log: Log,
  closers: (() => Promise<void>)[],
): Promise<OpenedInstallation> {
  if (!(await prepareFolder(layout))) return openReadOnly(layout, log, closers);
  const changed = await applyHomeAccess(layout, homeAccess);
  if (changed.length > 0) log.info({ folders: changed, access: homeAccess }, 'folders have other access rights now');
  // What is made in homes of a group is the group's to change, too.
  if (homeAccess === 'group') process.umask(0o007);
  closers.push(await lockFolder(layout.lock));
  await requireDatabase(layout);
  const reserve = createReserve(layout.reserve, layout.larder, log);
  closers.push(() => reserve.close());
  await reserve.prepare();
  const problems: string[] = [];
  if (await isLogMissing(layout)) {
    problems.push(missingLogText(layout));
    log.error({ database: layout.database }, 'the log of the database is missing: what was written last is lost');
  }
  const database = await openDatabase(layout.database, layout.backups, {
    isExpected: () => wasInstallation(layout, true),
    release: reserve.release,
  });
  closers.push(() => database.close());
  const unmark = await markOpen(layout).catch((error) => {
    log.warn({ err: error }, 'that the database is open could not be noted');
    return async () => undefined;
  });
  closers.push(() => unmark().catch(() => undefined));
  return { database, reserve, problems, isReadOnly: false, seal: () => undefined };
}

/** Nobody else can write there either, so that no lock is needed. */
async function openReadOnly(layout: Layout, log: Log, closers: (() => Promise<void>)[]): Promise<OpenedInstallation> {
  const problems = [t('api.storage.readOnly', { folder: layout.folder })];
  log.warn({ folder: layout.folder }, 'the disk can only be read: nothing is written until the next start');
  if (await isLogMissing(layout)) problems.push(missingLogText(layout));
  const { database, seal } = await openReadOnlyCopy(layout.database);
  closers.push(() => database.close());
  return { database, reserve: createReserve(layout.reserve, layout.larder, log), problems, isReadOnly: true, seal };
}
