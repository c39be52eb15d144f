import type { Home, Homes } from '../catalogue/homes.ts';
import { locationsOf } from '../catalogue/places.ts';
import type { Throttle } from '../catalogue/reconcile/throttle.ts';
import type { Database, Transaction } from '../database/database.ts';
import { waitUnlessAborted } from '../lib/async/wait-unless-aborted.ts';
import { type Clock, DAY, SECOND } from '../lib/clock.ts';
import type { Events } from '../lib/events.ts';
import type { Log } from '../lib/log/log.ts';
import type { Unchanged } from '../lib/unchanged.ts';
import { closeFile } from '../storage/content/send-bytes.ts';
import type { Disk } from '../storage/disk/disk.ts';
import type { MemoryBudget } from '../workers/pool/memory-budget.ts';
import type { PoolLimits } from '../workers/pool/worker-pool.ts';
import type { SpawnWorker } from '../workers/pool/worker-process.ts';
import {
  groupsOf,
  type Located,
  type OpenWaiting,
  type Outcome,
  openWaiting,
  type Reading,
  readWaiting,
} from './read-waiting.ts';
import { type ReadingCounts, readingStates } from './reading-states.ts';

export interface BackgroundParts {
  readonly database: Database;
  readonly homes: Pick<Homes, 'records'>;
  readonly disk: Disk;
  readonly spawnWorker: SpawnWorker;
  readonly throttle: Pick<Throttle, 'rest'>;
  readonly events: Events;
  readonly clock: Clock;
  readonly log: Log;
  /** Milliseconds between two checks for new work; by default two seconds. */
  readonly checkInterval?: number;
  readonly limits?: Partial<PoolLimits> | undefined;
  /** Shared by workers of all kinds. */
  readonly memory?: MemoryBudget | undefined;
}

/** Reads files in the background. Its queue is in the database, so it continues after a restart. */
export interface BackgroundReader {
  start(): void;
  /** Stops quickly: what is being read is read again after the next start. */
  stop(): Promise<void>;
  /** Reads one waiting file before all others. If it cannot be read, it counts as empty. */
  readNow(itemId: number, disk: Disk): Promise<void>;
  counts(): Promise<ReadingCounts>;
}

/** Files opened together, their bytes, the weight of what is written together, and the number of jobs at a time. */
export interface Batch {
  readonly files: number;
  readonly bytes: number;
  readonly weight: number;
  readonly atOnce: number;
}

const CHECK_INTERVAL = 2 * SECOND;
/** Files looked up at a time. */
const BATCH_SIZE = 256;
/** Length of the pauses, as a fraction of the work, while there are no requests. */
const REST = 0.1;
/** Groups of files that one job at a time is enough for. */
const FEW = 4;
const AFTER_FAILURE = 30 * SECOND;
/** Milliseconds during which an offline home is not tried again. */
const OFFLINE_FOR = 30 * SECOND;
/** Milliseconds after which files that were not found are tried again; files that were moved or restored are tried at once. */
const AWAY_FOR = DAY;

export function createBackgroundReader<Reader, Found>(
  reading: Reading<Reader, Found>,
  batchLimits: Batch,
  parts: Omit<BackgroundParts, 'spawnWorker' | 'limits'>,
): BackgroundReader {
  const { database, homes, disk, throttle, events, clock, log, checkInterval = CHECK_INTERVAL } = parts;
  const states = readingStates(reading.table);
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  /** Reads with priority. */
  const urgent = new Map<number, Promise<void>>();
  /** Until when, by home id. */
  const offline = new Map<string, number>();
  let awayAgainAt = 0;
  /** Items with a new location. */
  let returned: number[] = [];
  const retry = ({ itemId }: { readonly itemId: number }) => {
    returned.push(itemId);
  };
  const unsubscribe = [events.on('item.restored', retry), events.on('item.moved', retry)];

  /** These writes do not touch what listings show, so cached listings stay valid. */
  const { write } = reading.table === 'embedded_states' ? database.photos : database.activity;

  async function writeOutcomes(tx: Transaction, outcomes: readonly Outcome<Found>[]): Promise<void> {
    if (outcomes.length === 0) return;
    const settled = await states.settle(tx, outcomes);
    const results = outcomes.flatMap(({ file, state, found }) =>
      settled.has(file.id) && state !== 'away' ? [{ itemId: file.id, found }] : [],
    );
    if (results.length > 0) await reading.write(tx, results);
  }

  async function readAll(opened: readonly OpenWaiting<Reader>[]): Promise<void> {
    const unread = new Set(opened.map(({ file }) => file));
    const groups = groupsOf(reading, opened);
    let outcomes: Outcome<Found>[] = [];
    let weight = 0;
    const flush = async () => {
      const written = outcomes;
      [outcomes, weight] = [[], 0];
      if (written.length > 0) await write((tx) => writeOutcomes(tx, written));
    };
    const readGroups = async () => {
      for (let group = groups.shift(); group !== undefined; group = groups.shift()) {
        const began = performance.now();
        const found = await readWaiting(reading, log, group);
        for (const { file } of group) unread.delete(file);
        outcomes.push(...found);
        for (const one of found) if (one.found !== null) weight += reading.weightOf(one.found);
        if (weight > batchLimits.weight) await flush();
        await rest(performance.now() - began);
      }
    };
    // A few files are not worth another process.
    const lanes = Math.min(batchLimits.atOnce, Math.ceil(groups.length / FEW));
    try {
      const ended = await Promise.allSettled(Array.from({ length: lanes }, readGroups));
      for (const one of ended) if (one.status === 'rejected') throw one.reason;
    } finally {
      await flush();
      if (unread.size > 0) await write((tx) => states.uncountTry(tx, [...unread]));
    }
  }

  async function rest(took: number): Promise<void> {
    stopping.signal.throwIfAborted();
    await throttle.rest(took, REST, stopping.signal);
    stopping.signal.throwIfAborted();
  }

  /** @returns whether there was anything to do */
  async function round(): Promise<boolean> {
    if (clock.now() >= awayAgainAt) {
      awayAgainAt = clock.now() + AWAY_FOR;
      await write(states.awaitAway);
    }
    if (returned.length > 0) {
      const items = returned;
      returned = [];
      await write((tx) => states.awaitBelow(tx, items));
    }
    const began = performance.now();
    const online = new Map<string, Home>();
    for (const home of await homes.records()) {
      if (home.trashed === null && clock.now() >= (offline.get(home.id) ?? 0)) online.set(home.id, home);
    }
    const waiting = await states.waiting(database, [...online.keys()], BATCH_SIZE);
    const [first] = waiting;
    if (first === undefined) return false;
    // After one failure a file is read alone, so that a second one affects no others.
    const batch = first.tries > 0 ? [first] : waiting.filter(({ tries }) => tries === 0);
    const places = await locationsOf(
      database,
      batch.map(({ id }) => id),
    );
    const located: Located[] = [];
    let bytes = 0;
    for (const file of batch) {
      const home = online.get(file.homeId);
      if (home === undefined || located.length === batchLimits.files || bytes >= batchLimits.bytes) continue;
      located.push({ file, home, location: places.get(file.id) });
      bytes += file.size;
    }
    const { opened, outcomes, offline: unavailable } = await openWaiting(disk, reading, located);
    for (const homeId of unavailable) offline.set(homeId, clock.now() + OFFLINE_FOR);
    try {
      await write(async (tx) => {
        await writeOutcomes(tx, outcomes);
        await states.countTry(
          tx,
          opened.map(({ file }) => file),
        );
      });
      if (opened.length === 0) await rest(performance.now() - began);
      await readAll(opened);
    } finally {
      for (const { opened: file } of opened) await closeFile(file.fd);
    }
    return true;
  }

  async function readOne(itemId: number, quick: Disk): Promise<void> {
    const file = await states.waitingOne(database, itemId);
    if (file === null) return;
    const home = (await homes.records()).find(({ id, trashed }) => id === file.homeId && trashed === null);
    const places = await locationsOf(database, [file.id]);
    if (home === undefined) return;
    const { opened, outcomes } = await openWaiting(quick, reading, [{ file, home, location: places.get(file.id) }]);
    try {
      await write((tx) => writeOutcomes(tx, outcomes));
      for (const one of opened) {
        await write((tx) => states.countTry(tx, [file]));
        const read = await readWaiting(reading, log, [one]).catch(async (error: unknown) => {
          await write((tx) => states.uncountTry(tx, [file]));
          throw error;
        });
        await write((tx) => writeOutcomes(tx, read));
      }
    } finally {
      for (const one of opened) await closeFile(one.opened.fd);
    }
  }

  /** Waits until there may be something new to read. */
  async function newWork(isUnchanged: Unchanged): Promise<void> {
    const due = Math.min(awayAgainAt, ...[...offline.values()].filter((until) => until > clock.now()));
    do await waitUnlessAborted(checkInterval, stopping.signal);
    while (
      !stopping.signal.aborted &&
      returned.length === 0 &&
      isUnchanged() &&
      clock.now() < Math.min(due, awayAgainAt)
    );
  }

  async function run(): Promise<void> {
    // Requests have priority.
    await waitUnlessAborted(checkInterval, stopping.signal);
    while (!stopping.signal.aborted) {
      const isUnchanged = database.unchangedSince('files');
      try {
        if (!(await round())) await newWork(isUnchanged);
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.error({ err: error, what: reading.what }, 'failed to read files in the background; tries again soon');
        await waitUnlessAborted(AFTER_FAILURE, stopping.signal);
      }
    }
  }

  return {
    start() {
      running = run();
    },
    async stop() {
      for (const end of unsubscribe) end();
      stopping.abort();
      await Promise.allSettled([running, ...urgent.values()]);
    },
    readNow(itemId, quick) {
      const underWay = urgent.get(itemId);
      if (underWay !== undefined) return underWay;
      if (stopping.signal.aborted) return Promise.resolve();
      const read = readOne(itemId, quick)
        .catch((error: unknown) =>
          log.info({ err: error, item: itemId, what: reading.what }, 'failed to read a file at once'),
        )
        .finally(() => urgent.delete(itemId));
      urgent.set(itemId, read);
      return read;
    },
    counts: () => states.counts(database),
  };
}
