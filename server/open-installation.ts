import { type Database, openDatabase } from './database/database.ts';
import { lockFolder } from './database/folder-lock.ts';
import type { Log } from './lib/log.ts';
import { prepareFolder } from './storage/folder.ts';
import { requireDatabase, wasInstallation } from './storage/installation.ts';
import type { Layout } from './storage/layout.ts';
import { createReserve, type Reserve } from './storage/reserve.ts';

/**
 * Takes the folder for this process and opens its database.
 * @param closers gets what closes them again, in the order in which they were opened
 * @throws FolderProblem, FolderInUse, DatabaseLost, or an Error that says which file is damaged
 */
export async function openInstallation(
  layout: Layout,
  log: Log,
  closers: (() => Promise<void>)[],
): Promise<{ database: Database; reserve: Reserve }> {
  await prepareFolder(layout);
  closers.push(await lockFolder(layout.lock));
  await requireDatabase(layout);
  const reserve = createReserve(layout.reserve, layout.larder, log);
  closers.push(() => reserve.close());
  await reserve.prepare();
  const database = await openDatabase(layout.database, layout.backups, {
    isExpected: () => wasInstallation(layout, true),
    release: reserve.release,
  });
  closers.push(() => database.close());
  return { database, reserve };
}
