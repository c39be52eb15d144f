import { type Catalogue, createCatalogue } from '../catalogue/catalogue.ts';
import { type BackgroundHasher, createBackgroundHasher } from '../catalogue/hashing/background-hasher.ts';
import { createHashingPause } from '../catalogue/hashing/hashing-pause.ts';
import type { Homes } from '../catalogue/homes.ts';
import { createItemCounts, type ItemCounts } from '../catalogue/item-counts.ts';
import type { HomeWatches } from '../catalogue/reconcile/reconciled-home.ts';
import { createReconciler, type Reconciler } from '../catalogue/reconcile/reconciler.ts';
import { createThrottle, type Throttle } from '../catalogue/reconcile/throttle.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/database.ts';
import { type Clock, SECOND } from '../lib/clock.ts';
import { PathLocks } from '../lib/concurrency/path-locks.ts';
import type { Events } from '../lib/events.ts';
import type { Log } from '../lib/log/log.ts';
import type { Settings } from '../settings/settings.ts';
import { isOnBattery } from '../storage/battery.ts';
import { type Disk, openDisk } from '../storage/disk/disk.ts';
import { Stalls } from '../storage/disk/stalls.ts';

/** Milliseconds after which an idle background thread is ended. */
const BACKGROUND_IDLE = 15_000;

const MEBIBYTE = 1_024 * 1_024;

/** The disks, the catalogue of what is on them, and the work on it in the background. */
export interface CataloguePart {
  readonly disk: Disk;
  /** The disks that do not respond. */
  readonly stalls: Stalls;
  /** For background work. */
  readonly backgroundDisk: Disk;
  readonly pathLocks: PathLocks;
  readonly catalogue: Catalogue;
  readonly reconciler: Reconciler;
  readonly throttle: Throttle;
  readonly itemCounts: () => Promise<ItemCounts>;
  readonly hashing: BackgroundHasher['progress'];
  /** Begins the work in the background. */
  start(): void;
  /** Whether a disk that does not respond blocks a thread, also after closing. */
  isHeld(): boolean;
  close(): Promise<void>;
}

export function composeCatalogue({
  database: { files: database, activity },
  homes,
  config: { failPoints, hashDelay, hashRate, powerSupplies },
  clock,
  log,
  settings,
  events,
  reportsBattery,
  watched,
}: {
  readonly database: Pick<Database, 'files' | 'activity'>;
  readonly homes: Homes;
  readonly config: Pick<Config, 'failPoints' | 'hashDelay' | 'hashRate' | 'powerSupplies'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: Pick<Settings, 'values'>;
  readonly events: Pick<Events, 'on'>;
  /** Whether the desktop application reports that the machine runs on its battery: other systems than Linux have no files for it. */
  readonly reportsBattery: () => boolean;
  readonly watched?: number | undefined;
}): CataloguePart {
  const stalls = new Stalls();
  const disk = openDisk(failPoints, { stalls });
  const backgroundDisk = openDisk(failPoints, { stalls, idle: BACKGROUND_IDLE });
  const pathLocks = new PathLocks();
  const watches: HomeWatches = new Map();
  const catalogue = createCatalogue({ database, disk, backgroundDisk, watches, clock, locks: pathLocks, log });
  const throttle = createThrottle();
  const reconciler = createReconciler({
    database,
    catalogue,
    homes,
    disk,
    backgroundDisk,
    watches,
    throttle,
    clock,
    log,
    watched,
  });
  const hasher = createBackgroundHasher({
    ...{ database, hashes: activity, homes, disk: backgroundDisk, throttle, clock, log },
    pause: createHashingPause({ settings, events }, async () => reportsBattery() || (await isOnBattery(powerSupplies))),
    delay: hashDelay * SECOND,
    rate: hashRate * MEBIBYTE,
  });
  let wasHeld = false;
  return {
    disk,
    stalls,
    backgroundDisk,
    pathLocks,
    catalogue,
    reconciler,
    throttle,
    itemCounts: createItemCounts(database),
    hashing: hasher.progress,
    start() {
      reconciler.start();
      hasher.start();
    },
    isHeld: () => wasHeld || stalls.count > 0,
    async close() {
      // A closed disk has no waiting calls, but its thread is still blocked.
      wasHeld = stalls.count > 0;
      await Promise.all([hasher.stop(), reconciler.close()]);
      await Promise.all([disk.close(), backgroundDisk.close()]);
    },
  };
}
