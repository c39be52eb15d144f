// Moves items between homes below the API, in a separate process that may be killed. The moves are in its first argument.
import { fileURLToPath } from 'node:url';
import { createQuotas } from '../../../dist/server/access/quota.js';
import { accountOf, SELECT_ACCOUNTS } from '../../../dist/server/accounts/account-rows.js';
import { createHomes } from '../../../dist/server/catalogue/homes.js';
import { composeCatalogue } from '../../../dist/server/composition/catalogue.js';
import { parseConfig } from '../../../dist/server/config/config.js';
import { openDatabase } from '../../../dist/server/database/database.js';
import { lockFolder } from '../../../dist/server/database/folder-lock.js';
import { createJournal } from '../../../dist/server/files/journal/journal.js';
import { FolderLocks } from '../../../dist/server/files/locks/folder-locks.js';
import { moveAcrossHomes } from '../../../dist/server/files/move/across-homes.js';
import { systemClock as clock } from '../../../dist/server/lib/clock.js';
import { createEvents } from '../../../dist/server/lib/events.js';
import { createLog } from '../../../dist/server/lib/log/log.js';
import { openSettings } from '../../../dist/server/settings/settings.js';
import { layoutOf } from '../../../dist/server/storage/layout.js';

// Some pending work does not keep a process alive; a server has its listeners for that.
export async function moveBetween({ folder, failPoints = '', reconciler = false, moves }) {
  const config = parseConfig({ folder, failPoints }, {});
  const layout = layoutOf(folder);
  const unlock = await lockFolder(layout.lock);
  const database = await openDatabase(layout.database, layout.backups);
  const events = createEvents((error) => {
    throw error;
  });
  const told = [];
  events.on('item.moved', (event) => told.push(event));
  const homes = createHomes(database, layout, clock);
  const log = createLog('error', process.stderr);
  const settings = await openSettings(database, events);
  const part = composeCatalogue({ database, homes, config, settings, events, clock, log });
  if (reconciler) part.reconciler.start();
  const journal = createJournal(database, clock);
  const context = {
    quotas: createQuotas(database),
    catalogue: part.catalogue,
    database,
    disk: part.disk,
    pathLocks: part.pathLocks,
    folderLocks: new FolderLocks(),
    journal,
    settings,
    chunksInProgress: new Map(),
    events,
    clock,
    log,
    failPoints: config.failPoints,
  };

  async function accountNamed(username) {
    const [row] = await database.all(`${SELECT_ACCOUNTS} WHERE a.username = ?`, [username]);
    return accountOf(row);
  }

  async function placeOf([username, ...segments]) {
    const home = await homes.byId((await accountNamed(username)).homeId);
    return { home, segments, base: `/ROOT/HOME of ${username}`, top: 0, share: null };
  }

  async function move({ as, from, to, overwrite = false }) {
    const caller = { account: await accountNamed(as), channel: 'app', client: null, address: null };
    try {
      const places = [await placeOf(from), await placeOf(to)];
      const { path } = await moveAcrossHomes(context, caller, ...places, { overwrite });
      return { path };
    } catch (error) {
      return { code: error.code ?? error.message, details: error.details };
    }
  }

  try {
    const results = [];
    for (const one of moves) results.push(...(await Promise.all([one].flat().map(move))));
    // What goes on behind an answer ends, unless it failed.
    for (
      let waited = 0;
      waited < 200 && (await journal.pending()).entries.some(({ entry }) => entry.kind !== 'move-between');
      waited += 1
    ) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return { results, told, pending: (await journal.pending()).entries.map(({ entry }) => entry.kind) };
  } finally {
    await part.close();
    await database.close();
    await unlock();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // Waits for background work, unless it failed.
  const alive = setInterval(() => {}, 1_000);
  const result = await moveBetween(JSON.parse(process.argv[2] ?? ''));
  clearInterval(alive);
  process.stdout.write(JSON.stringify(result));
}
