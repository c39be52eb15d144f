import { setTimeout as wait } from 'node:timers/promises';
import type { ActivityDatabase, FilesDatabase } from '../../database/database.ts';
import { waitUnlessAborted } from '../../lib/async/wait-unless-aborted.ts';
import { type Clock, MINUTE, SECOND } from '../../lib/clock.ts';
import type { Log } from '../../lib/log/log.ts';
import { LruCache } from '../../lib/lru-cache.ts';
import { closeFile } from '../../storage/content/send-bytes.ts';
import type { Disk, DiskEntry } from '../../storage/disk/disk.ts';
import { isTouchSettled } from '../../storage/disk/time-resolution.ts';
import { StorageError } from '../../storage/errors.ts';
import type { Home, Homes } from '../homes.ts';
import { type ItemLocation, locationsOf } from '../places.ts';
import type { Throttle } from '../reconcile/throttle.ts';
import type { HashingPause } from './hashing-pause.ts';
import { createReadBudget, PART } from './read-budget.ts';
import { type ReadContent, recordProofs, recordTouch } from './record-proof.ts';
import { type UnhashedFile, unhashedFiles, unhashedSum } from './unhashed-files.ts';

interface BackgroundHasherParts {
  readonly database: FilesDatabase;
  /** For hashes of contents that have none, which nothing caches. */
  readonly hashes: ActivityDatabase;
  readonly homes: Pick<Homes, 'records'>;
  readonly disk: Disk;
  readonly throttle: Pick<Throttle, 'quiet'>;
  readonly pause: HashingPause;
  readonly clock: Clock;
  readonly log: Log;
  /** Milliseconds after the start, and between two checks for new files. */
  readonly delay: number;
  /** Bytes per second; 0: nothing is hashed. */
  readonly rate: number;
}

/**
 * Hashes files that other programs have written, and chunked uploads; and reads files again that other programs have touched, to
 * tell whether they still have the same content. Its queue is in the database, so it continues after a restart.
 */
export interface BackgroundHasher {
  start(): void;
  /** What is left: files and their bytes, without those that cannot be read. */
  progress(): Promise<HashingProgress>;
  /** Stops quickly: a file in progress is hashed again after the next start. */
  stop(): Promise<void>;
}

interface HashingProgress {
  readonly state: 'working' | 'done' | 'paused' | 'battery' | 'off';
  readonly files: number;
  readonly bytes: number;
}

/**
 * Milliseconds during which a file must not have changed: it may still be written. A disk may record two changes within seconds with
 * the same time, so this also makes sure that the identity tells every later change.
 */
const UNCHANGED_FOR = MINUTE;
const BATCH_SIZE = 256;
/** Hashes that are recorded together, and milliseconds after which they are in any case. */
const RECORDED_BATCH = 64;
const RECORD_EVERY = 5 * SECOND;
/** Milliseconds after which everything is tried again if the database refused something: at first, and twice as long each time. */
const AFTER_FAILURE = 10 * SECOND;
const LONGEST_AFTER_FAILURE = 10 * MINUTE;
/** Number of files that are not tried again as they are. */
const GIVEN_UP = 50_000;
/** Times that a file is begun again because the thread that read it has ended. */
const MAX_BEGINNINGS = 3;
/** Milliseconds to wait for the end: a disk that does not respond may never end a read. */
const STOP_LIMIT = 2_000;

/**
 * `later`: the file may be hashed at another time. `never`: only once it has changed, or was moved. `away`: it is in the trash, or
 * missing. `Touched`: the row is not up to date.
 */
type Outcome = ReadContent | Touched | 'later' | 'never' | 'away';

/** A file as it was found, which the row does not say yet. */
interface Touched {
  readonly found: DiskEntry;
}

export function createBackgroundHasher(parts: BackgroundHasherParts): BackgroundHasher {
  const { database, hashes, homes, disk, throttle, pause, clock, log, delay, rate } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  const budget = createReadBudget(throttle, rate, signal);
  /** The files that cannot be read, by id: as they were then. */
  const givenUp = new LruCache<string>(GIVEN_UP);
  let running: Promise<void> = Promise.resolve();
  let nextJob = 0;

  /** Whether a file has changed so recently that it may still be written. A time in the future says nothing. */
  function isFresh(mtime: number): boolean {
    const age = clock.now() - mtime;
    return age >= 0 && age < UNCHANGED_FOR;
  }

  async function outcomeOf(file: UnhashedFile, home: Home, location: ItemLocation | undefined): Promise<Outcome> {
    // Not given up: it may be restored as it is, to where it was.
    if (location?.state !== 'there') return 'away';
    const { homeRoot } = home;
    await budget.turn();
    const { fd, entry } = await disk.run('open', { homeRoot, segments: location.segments });
    try {
      // The catalogue does not know the change yet. When it does, the file has another identity.
      if (entry.identity !== file.identity || isFresh(entry.mtime)) return 'later';
      if (entry.touched !== Math.abs(file.touched ?? entry.touched)) return { found: entry };
      // What is written meanwhile has to have another time.
      return isTouchSettled(entry.touched, Date.now()) ? await hashed(file, home, fd, entry.touched) : 'later';
    } finally {
      await closeFile(fd);
    }
  }

  async function hashed(
    { id, identity }: UnhashedFile,
    { homeRoot }: Home,
    fd: number,
    touched: number,
  ): Promise<Outcome> {
    for (let beginning = 0; beginning < MAX_BEGINNINGS; beginning += 1) {
      const job = nextJob++;
      let position = 0;
      for (let isLost = false; !isLost; ) {
        const began = performance.now();
        const part = await disk.run('hashPart', { homeRoot, fd, job, position, length: PART });
        budget.read(part.bytesRead, performance.now() - began);
        position += part.bytesRead;
        isLost = part.isLost;
        // Not with the file open: it is begun again.
        if (part.whole === null && (await pause.isPaused())) return 'later';
        if (part.whole !== null) {
          // Otherwise it has changed meanwhile.
          const isSame = part.whole.identity === identity && part.whole.touched === touched;
          return isSame ? { id, identity, touched, sha256: Buffer.from(part.whole.sha256) } : 'later';
        }
        await budget.turn();
      }
    }
    return 'later';
  }

  /** What the database refuses is no reason to give up a file, so it is not asked here. */
  async function hash(file: UnhashedFile, home: Home, location: ItemLocation | undefined): Promise<Outcome> {
    try {
      await pause.passed(signal);
      return await outcomeOf(file, home, location);
    } catch (error) {
      signal.throwIfAborted();
      const isOffline = error instanceof StorageError && error.reason === 'offline';
      if (!isOffline) log.debug({ err: error, item: file.id }, 'failed to hash a file');
      return isOffline ? 'later' : 'never';
    }
  }

  async function homesById(): Promise<Map<string, Home>> {
    const present = (await homes.records()).filter(({ trashed }) => trashed === null);
    return new Map(present.map((home) => [home.id, home]));
  }

  /** @returns whether files were left for later */
  async function hashAll(): Promise<boolean> {
    const online = await homesById();
    let first: ReadContent[] = [];
    let again: ReadContent[] = [];
    let recordedAt = performance.now();
    const record = async () => {
      const [recorded, proven] = [first, again];
      [first, again, recordedAt] = [[], [], performance.now()];
      if (recorded.length > 0) await hashes.write((tx) => recordProofs(tx, recorded));
      // Their tags may be others now.
      if (proven.length > 0) await database.write((tx) => recordProofs(tx, proven));
    };
    let isIncomplete = false;
    try {
      for (let after = 0; ; ) {
        const files = await unhashedFiles(database, [...online.keys()], after, BATCH_SIZE);
        const last = files.at(-1);
        if (last === undefined) return isIncomplete;
        after = last.id;
        const requested = files.filter((file) => givenUp.get(`${file.id}`) !== stateOf(file));
        const ready = requested.filter(({ mtime }) => !isFresh(mtime));
        isIncomplete ||= ready.length < requested.length;
        const places =
          ready.length === 0
            ? new Map()
            : await locationsOf(
                database,
                ready.map(({ id }) => id),
              );
        for (const file of ready) {
          const home = online.get(file.homeId);
          const outcome = home === undefined ? 'later' : await hash(file, home, places.get(file.id));
          if (outcome === 'never') givenUp.set(`${file.id}`, stateOf(file));
          else if (outcome === 'later') isIncomplete = true;
          else if (outcome !== 'away' && 'found' in outcome) {
            isIncomplete = true;
            await database.write((tx) => recordTouch(tx, file.id, outcome.found));
          } else if (outcome !== 'away') (file.touched === null || file.touched > 0 ? first : again).push(outcome);
          if (first.length + again.length >= RECORDED_BATCH || performance.now() - recordedAt >= RECORD_EVERY)
            await record();
        }
        signal.throwIfAborted();
      }
    } finally {
      await record();
    }
  }

  async function run(): Promise<void> {
    let isUnchanged = () => false;
    let failures = 0;
    while (!signal.aborted) {
      await waitUnlessAborted(delay, signal);
      if (signal.aborted || isUnchanged()) continue;
      try {
        const sinceThen = database.unchangedSince('files');
        isUnchanged = (await hashAll()) ? () => false : sinceThen;
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        log.error({ err: error }, 'failed to hash files in the background; tries again soon');
        await waitUnlessAborted(Math.min(AFTER_FAILURE * 2 ** failures, LONGEST_AFTER_FAILURE), signal);
        failures += 1;
      }
    }
  }

  return {
    start() {
      if (rate > 0) running = run();
    },
    async progress() {
      if (rate === 0) return { state: 'off', files: 0, bytes: 0 };
      const ids = [...(await homesById()).keys()];
      const [reason, left] = await Promise.all([pause.reason(), unhashedSum(database, ids, givenUp.keys())]);
      const state = reason === 'owner' ? 'paused' : (reason ?? (left.files > 0 ? 'working' : 'done'));
      return { state, ...left };
    },
    async stop() {
      stopping.abort();
      await Promise.race([running, wait(STOP_LIMIT, undefined, { ref: false })]);
    },
  };
}

function stateOf({ identity, parentId, touched }: UnhashedFile): string {
  return `${parentId} ${identity} ${touched}`;
}
