import { setTimeout as wait } from 'node:timers/promises';
import type { FilesDatabase } from '../../database/database.ts';
import { type Clock, HOUR, MINUTE } from '../../lib/clock.ts';
import type { Log } from '../../lib/log/log.ts';
import type { Unchanged } from '../../lib/unchanged.ts';
import { type Disk, rootIdentity } from '../../storage/disk/disk.ts';
import { DiskStalled, StorageError } from '../../storage/errors.ts';
import { WatchAllowance, WatchOverflow } from '../../storage/watch/watch-limits.ts';
import type { Catalogue } from '../catalogue.ts';
import type { Homes } from '../homes.ts';
import { indexNames } from '../name-index.ts';
import { Lanes } from './lanes.ts';
import { markContentsMissing } from './missing.ts';
import {
  type HomeProgress,
  type HomeWatches,
  kindOf,
  type Plan,
  type PlanKind,
  ReconciledHome,
} from './reconciled-home.ts';
import { type Step, scan } from './scan.ts';
import type { Throttle } from './throttle.ts';

export type { HomeProgress } from './reconciled-home.ts';

/** Keeps the catalogue in line with the disks, in the background. */
export interface Reconciler {
  start(): void;
  /** Waits only for the present step. */
  close(): Promise<void>;
  /**
   * Compares every file of the available homes with the catalogue, as happens once a day anyway.
   * @param homeId of one home; null: of all
   * @returns how many homes
   */
  check(homeId: string | null): number;
  /** Cancels all such comparisons, also waiting ones; they are repeated at the usual time. @returns for how many homes */
  cancelCheck(): number;
  progress(): HomeProgress[];
  /** Returns the function that unsubscribes. */
  onProgress(listener: (progress: HomeProgress) => void): () => void;
}

interface ReconcilerParts {
  readonly database: FilesDatabase;
  readonly catalogue: Catalogue;
  readonly homes: Pick<Homes, 'records'>;
  /** Used only to check whether homes are available: its threads are running anyway. */
  readonly disk: Disk;
  readonly backgroundDisk: Disk;
  /** Filled with the watches of the homes that are online. */
  readonly watches: HomeWatches;
  readonly throttle: Throttle;
  readonly clock: Clock;
  readonly log: Log;
  /** Most watched folders over all homes; each takes about a kilobyte. */
  readonly watched?: number | undefined;
}

const WATCHED = 20_000;
/** Milliseconds after the start: requests have priority. */
const BEGIN_AFTER = 300;
/** Milliseconds between two checks which homes exist, and which are online. */
const HOMES_INTERVAL = 3_000;
/** Milliseconds between two checks for due work: after a change, and while idle. */
const TICK = 250;
const IDLE_TICK = 1_000;
/** Batches of changed folders compared at a time, per home. */
const MAX_BATCHES = 16;
/** How many times longer than the work the pauses are: when only changed folders are compared, and when every file is. */
const QUICK_REST = 0.2;
const THOROUGH_REST = 2;
/** An edit in place without a notification is found within a day. */
const THOROUGH_EVERY = 24 * HOUR;
/** Milliseconds. */
const REPORT_EVERY = 250;
const UNWATCHED_EVERY = 10 * MINUTE;
const MISS_CONTENTS_AFTER = MINUTE;
/** Milliseconds to wait for the end of the work: a disk that does not respond may never end it. */
const TIMEOUT = 2_000;

/** Work done in between during a scan, so that new folders do not wait for its end. */
const MORE_URGENT: Readonly<Record<PlanKind, readonly PlanKind[]>> = {
  part: [],
  quick: ['part'],
  thorough: ['part', 'quick'],
};

/** Thrown to leave a scan when the reconciler is closed. */
class Closed extends Error {}

export function createReconciler(parts: ReconcilerParts): Reconciler {
  const { database, homes, disk, throttle, log } = parts;
  const shared = {
    allowance: new WatchAllowance(parts.watched ?? WATCHED),
    overflow: new WatchOverflow(),
    watches: parts.watches,
  };
  const kept = new Map<string, ReconciledHome>();
  const listeners = new Set<(progress: HomeProgress) => void>();
  let closed = false;
  let running: Promise<void> = Promise.resolve();
  let wake = () => {};
  const probes = new Lanes<ReconciledHome>();
  const lanes = new Lanes<ReconciledHome>((error) => {
    if (!closed) log.error({ err: error }, 'failed to compare a home with its disk');
  });
  const stopping = new AbortController();
  let [homesReadAt, missed] = [0, 0];
  let areNamesIndexed: Unchanged = () => false;

  /** Reports only some of many small steps, but every new state. */
  function reportProgress(home: ReconciledHome): void {
    if (!home.isWorthReporting(REPORT_EVERY)) return;
    for (const listener of listeners) listener(home.progress());
  }

  /** Homes are created, removed, and change between offline and online at any time. */
  async function readHomes(): Promise<void> {
    homesReadAt = performance.now();
    // Homes in the trash are not visible.
    const all = (await homes.records()).filter(({ trashed }) => trashed === null);
    for (const [id, known] of kept) {
      const home = all.find((one) => one.id === id);
      if (home?.homeRoot.root === known.home.homeRoot.root) continue;
      known.close();
      kept.delete(id);
    }
    for (const home of all) {
      const known = kept.get(home.id) ?? new ReconciledHome(home, shared, () => wake());
      kept.set(home.id, known);
      probes.run(known, () => probe(known).catch(logged('a home could not be looked at')));
    }
    // A disk that does not respond delays no other home.
    await probes.settled();
  }

  async function probe(known: ReconciledHome): Promise<void> {
    const { homeRoot } = known.home;
    const root = await rootIdentity(disk, homeRoot);
    if (closed || kept.get(known.home.id) !== known) return;
    if (root !== known.root) {
      const isSilent = root !== null && (await disk.run('isSilent', { homeRoot })).silent;
      if (closed || kept.get(known.home.id) !== known) return;
      // Also when another folder has replaced the root, as after restoring a backup: the watch belongs to the old one.
      known.goOffline();
      if (root !== null) known.open(root, isSilent);
      reportProgress(known);
    }
    if (root === null) return;
    known.planAfterOverflow();
    const isStale = known.age('quick') > (known.unwatched > 0 ? UNWATCHED_EVERY : THOROUGH_EVERY);
    if (isStale) known.plan(null, false);
    if (known.age('thorough') > THOROUGH_EVERY) known.plan(null, true);
  }

  const logged = (message: string) => (error: unknown) => log.error({ err: error }, message);

  async function runPeriodically(): Promise<void> {
    if (performance.now() - homesReadAt > HOMES_INTERVAL || kept.size === 0) await readHomes();
    if (performance.now() - missed < MINUTE) return;
    missed = performance.now();
    await markContentsMissing(database, parts.clock, MISS_CONTENTS_AFTER);
  }

  /** Compares the folders reported by the watches, in all homes, each folder not too often. */
  async function compareChanged(): Promise<void> {
    for (const home of kept.values()) {
      if (lanes.isBusy(home)) continue;
      lanes.run(home, () => compareChangedIn(home));
      await lanes.turnOf(home);
    }
  }

  async function compareChangedIn(home: ReconciledHome): Promise<void> {
    // Endless changes must not block other work.
    for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
      const due = home.takeChanged();
      if (due.length === 0) break;
      const began = performance.now();
      const isDone = await offlineOr(home, () => home.compareChanged(parts, due, unreadableIn(home)));
      if (!isDone) home.failed(null);
      const took = performance.now() - began;
      home.rest(due, took);
      await restAfter(took, QUICK_REST);
      lanes.progressed(home);
    }
  }

  const unreadableIn = (home: ReconciledHome) => (segments: readonly string[], error: unknown) =>
    log.warn({ err: error, home: home.home.id, depth: segments.length }, 'failed to read a folder');

  /**
   * A home whose disk becomes unavailable goes offline; other failures are logged.
   * @returns whether nothing failed
   */
  async function offlineOr(home: ReconciledHome, work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (error instanceof Closed) throw error;
      if (error instanceof DiskStalled || (error instanceof StorageError && error.reason === 'offline')) {
        home.goOffline();
        reportProgress(home);
      } else log.error({ err: error, home: home.home.id }, 'failed to compare a home with its disk');
      return false;
    }
  }

  /** Closing does not wait for the rest of the pause, which is long after a very large folder. */
  async function restAfter(took: number, share: number): Promise<void> {
    await throttle.rest(took, share, stopping.signal);
    if (closed) throw new Closed();
  }

  /** @param kinds that may be scanned, the most urgent first @returns whether there was anything */
  async function scanNext(kinds: readonly PlanKind[]): Promise<boolean> {
    for (const kind of kinds) {
      const home = [...kept.values()].find((one) => one.hasPlan(kind) && !lanes.isBusy(one));
      const plan = home?.takePlan(kind);
      if (home === undefined || plan === undefined) continue;
      reportProgress(home);
      lanes.run(home, () => scanOne(home, plan));
      await lanes.turnOf(home);
      return true;
    }
    return false;
  }

  async function scanOne(home: ReconciledHome, plan: Plan): Promise<void> {
    const { from, thorough } = plan;
    const { watch } = home;
    const step = async (done: Step) => {
      home.count(plan, done);
      reportProgress(home);
      await restAfter(done.took, thorough ? THOROUGH_REST : QUICK_REST);
      await lanes.inBetween(home, async (isAlone) => {
        await compareChangedIn(home);
        await moreUrgentOf(home, plan);
        // With a lane of its own it leaves the other homes to the others.
        if (isAlone) return;
        await indexSomeNames();
        await runPeriodically();
        await compareChanged();
        while (await scanNext(MORE_URGENT[kindOf(plan)]));
      });
      // If it was offline meanwhile, everything has begun again.
      if (!home.isWatchedBy(watch) || home.isDropped(plan)) throw new Closed();
    };
    const isDone = await offlineOr(home, () =>
      scan(parts, home.home, { from, thorough, watch, step, unreadable: unreadableIn(home) }),
    ).catch((error) => {
      if (closed) throw error;
      return false;
    });
    if (isDone) home.done(plan);
    else home.failed(plan);
    reportProgress(home);
  }

  /** The new folders in a home while the whole of it is scanned. */
  async function moreUrgentOf(home: ReconciledHome, { from, thorough }: Plan): Promise<void> {
    for (const kind of MORE_URGENT[kindOf({ from, thorough })]) {
      for (let plan = home.takePlan(kind); plan !== undefined; plan = home.takePlan(kind)) await scanOne(home, plan);
    }
  }

  async function indexSomeNames(): Promise<void> {
    if (areNamesIndexed()) return;
    const more = await indexNames(database);
    if (!more) areNamesIndexed = database.unchangedSince('files');
  }

  async function round(): Promise<void> {
    await runPeriodically();
    await compareChanged();
    if (await scanNext(['part', 'quick', 'thorough'])) return;
    await indexSomeNames();
    // A change wakes it.
    await rest([...kept.values()].every((home) => home.isQuiet) ? IDLE_TICK : TICK);
  }

  function rest(milliseconds: number): Promise<void> {
    if (closed) return Promise.resolve();
    return new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds).unref();
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async function run(): Promise<void> {
    await rest(BEGIN_AFTER);
    while (!closed) {
      try {
        await round();
      } catch (error) {
        if (closed) return;
        log.error({ err: error }, 'failed to reconcile the catalogue with the disk; tries again soon');
        await rest(TICK);
      }
    }
  }

  return {
    start() {
      homesReadAt = Number.NEGATIVE_INFINITY;
      running = run();
    },
    async close() {
      closed = true;
      stopping.abort();
      wake();
      await Promise.race([Promise.all([running, lanes.end(), probes.end()]), wait(TIMEOUT, undefined, { ref: false })]);
      for (const home of kept.values()) home.close();
    },
    check(homeId) {
      const homes = [...kept.values()].filter((one) => one.isOnline && (homeId === null || one.home.id === homeId));
      for (const home of homes) {
        home.plan(null, true);
        reportProgress(home);
      }
      return homes.length;
    },
    cancelCheck() {
      const dropped = [...kept.values()].filter((home) => home.dropThorough());
      for (const home of dropped) reportProgress(home);
      return dropped.length;
    },
    progress: () => [...kept.values()].map((home) => home.progress()),
    onProgress(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
