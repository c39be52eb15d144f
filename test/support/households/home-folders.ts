import { createHomes } from '../../../dist/server/catalogue/homes.js';
import type { FilesContext } from '../../../dist/server/files/context.js';
import { createJournal } from '../../../dist/server/files/journal/journal.js';
import { systemClock } from '../../../dist/server/lib/clock.js';
import { PathLocks } from '../../../dist/server/lib/concurrency/path-locks.js';
import { createEvents, LARDER } from '../../../dist/server/lib/events.js';
import { type FailPoints, noFailPoints } from '../../../dist/server/lib/process/fail-points.js';
import { type CreatedHome, createHomeFolders } from '../../../dist/server/people/homes/home-folders.js';
import { openSettings } from '../../../dist/server/settings/settings.js';
import { openDisk } from '../../../dist/server/storage/disk/disk.js';
import { prepareFolder } from '../../../dist/server/storage/installation/data-folder.js';
import { layoutOf } from '../../../dist/server/storage/layout.js';
import { ApiClient } from '../requests/api-client.ts';
import { ALL_SCOPES, type Household, OWNER } from './household.ts';
import { openMigrated } from './household-template.ts';

/** The service for home folders, on a folder without a server. */
export async function openHomeFolders(folder: string, failPoints: FailPoints = noFailPoints) {
  const layout = layoutOf(folder);
  await prepareFolder(layout);
  const database = await openMigrated(layout.database, layout.backups);
  const events = createEvents((error) => {
    throw error;
  });
  const settings = await openSettings(database, events);
  const homes = createHomes(database, layout, systemClock);
  const disk = openDisk(noFailPoints);
  const pathLocks = new PathLocks(200);
  const journal = createJournal(database.files, systemClock);
  const files = {
    database: database.files,
    disk,
    pathLocks,
    journal,
    settings,
    events,
    clock: systemClock,
    failPoints,
  };
  const homeFolders = createHomeFolders({
    files: files as unknown as FilesContext,
    homes,
    layout,
    homeAccess: 'owner',
  });
  return {
    layout,
    database,
    homes,
    pathLocks,
    events,
    homeFolders,
    allow: (...homeLocations: string[]) => settings.update({ homeLocations }, LARDER),
    /** An account with the home, and the owner's password if there is one. */
    give: (username: string, created: CreatedHome) =>
      database.write(async (tx) => {
        await created.record(tx);
        const { lastId } = await tx.run(
          `INSERT INTO accounts (type, username, username_fold, name, password_hash, registered_at, home_id)
           VALUES ('user', ?1, ?1, ?1, (SELECT password_hash FROM accounts WHERE id = 1), 0, ?2)`,
          [username, created.homeId],
        );
        return lastId;
      }),
    /** Deletes an account and leaves its home. */
    take: (username: string, homeId: string) =>
      database.write(async (tx) => {
        await homeFolders.release(homeId, username, LARDER, tx);
        await tx.run('DELETE FROM accounts WHERE username = ?', [username]);
      }),
    async close() {
      await disk.close();
      await database.close();
    },
  };
}

export type OpenHomeFolders = Awaited<ReturnType<typeof openHomeFolders>>;

/** A client with a token of an account that has the owner's password. */
export async function signInAs(household: Household, username: string): Promise<ApiClient> {
  const reply = await household.api.token({
    grant_type: 'password',
    username,
    password: OWNER.password,
    scope: ALL_SCOPES.replace(' admin', ''),
    client_id: household.clientId,
    client_secret: household.clientSecret,
  });
  if (reply.status !== 200) throw new Error(`no token: ${JSON.stringify(reply.body)}`);
  const token = String(reply.body.access_token);
  return new ApiClient({ port: household.port, ca: household.ca, basePath: '', token });
}
