import { type Catalogue, createCatalogue } from '../catalogue/catalogue.ts';
import type { Homes } from '../catalogue/homes.ts';
import type { HomeWatches } from '../catalogue/reconcile/reconciled-home.ts';
import { createReconciler, type Reconciler } from '../catalogue/reconcile/reconciler.ts';
import { createThrottle, type Throttle } from '../catalogue/reconcile/throttle.ts';
import type { Config } from '../config/config.ts';
import type { FilesDatabase } from '../database/database.ts';
import type { Clock } from '../lib/clock.ts';
import { PathLocks } from '../lib/concurrency/path-locks.ts';
import type { Log } from '../lib/log/log.ts';
import { type Disk, openDisk } from '../storage/disk/disk.ts';
import { Stalls } from '../storage/disk/stalls.ts';

/** Milliseconds after which an idle background thread is ended. */
const BACKGROUND_IDLE = 15_000;

/** The disks, the catalogue of what is on them, and the reconciler. */
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
  close(): Promise<void>;
}

/** @param database whose writes affect rows of files only */
export function composeCatalogue({
  database,
  homes,
  config: { failPoints },
  clock,
  log,
  watched,
}: {
  readonly database: FilesDatabase;
  readonly homes: Homes;
  readonly config: Pick<Config, 'failPoints'>;
  readonly clock: Clock;
  readonly log: Log;
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
  return {
    disk,
    stalls,
    backgroundDisk,
    pathLocks,
    catalogue,
    reconciler,
    throttle,
    async close() {
      await reconciler.close();
      await Promise.all([disk.close(), backgroundDisk.close()]);
    },
  };
}
