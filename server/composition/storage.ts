import { createActivity } from '../activity/activity.ts';
import { createHomes } from '../catalogue/homes.ts';
import { openClockWatch } from '../settings/clock-watch.ts';
import { openSettings } from '../settings/settings.ts';
import type { DisksUnder } from '../storage/underlying-disks.ts';
import { createMemoryBudget, usualWorkerMemory } from '../workers/pool/memory-budget.ts';
import { openWorkerPools } from '../workers/pool/pools.ts';
import type { SpawnWorker } from '../workers/pool/worker-process.ts';
import type { Base } from './base.ts';
import { composeCatalogue } from './catalogue.ts';
import { openInstallation } from './installation.ts';

interface StorageOptions {
  /** Starts the processes that decode untrusted bytes. */
  readonly spawnWorker: SpawnWorker;
  /** Whether the desktop application reports that the machine runs on its battery. */
  readonly reportsBattery: () => boolean;
  /** Finds the physical disks of a folder. */
  readonly disksUnder: DisksUnder;
}

export type Storage = Awaited<ReturnType<typeof openStorage>>;

/**
 * The folder of the installation with its database, the settings, the disks with the catalogue of what is on them, and the workers.
 * @throws FolderProblem, FolderInUse, DatabaseLost, or an Error that names the damaged file
 */
export async function openStorage(base: Base, { spawnWorker, reportsBattery, disksUnder }: StorageOptions) {
  const { config, layout, events, clock, log, closers } = base;
  const installation = await openInstallation(layout, config.homeAccess, log, closers);
  const { database, isReadOnly, reserve } = installation;
  const clockWatch = await openClockWatch({ layout, database, clock, log });
  const settings = await openSettings(database, events);
  const activity = createActivity({
    database: database.activity,
    events,
    clock,
    log,
    keepDays: () => settings.values.activityDays,
  });
  closers.add('activity', () => activity.close());
  const homes = createHomes(database, layout, clock);
  const memory = createMemoryBudget(config.workerMemory ?? usualWorkerMemory());
  const workers = openWorkerPools(spawnWorker, log, { wasmImages: config.images === 'wasm', memory });
  closers.add('workers', () => workers.close());
  const { start, close, ...catalogued } = composeCatalogue({ ...base, database, homes, settings, reportsBattery });
  closers.add('catalogue', close);
  return {
    ...installation,
    ...catalogued,
    clockWatch,
    settings,
    activity,
    homes,
    workers,
    memory,
    spawnWorker,
    disksUnder,
    /** Begins the work in the background. */
    start() {
      if (!isReadOnly) reserve.start();
      start();
    },
  };
}
