import { setTimeout as wait } from 'node:timers/promises';
import type { Home, Homes } from '../../catalogue/homes.ts';
import type { Pace } from '../../catalogue/pace.ts';
import { placesOf } from '../../catalogue/places.ts';
import type { Database } from '../../database/database.ts';
import { type Clock, DAY, SECOND } from '../../lib/clock.ts';
import type { Events } from '../../lib/events.ts';
import type { Log } from '../../lib/log.ts';
import type { Disk } from '../../storage/disk.ts';
import { closeFile } from '../../storage/send-bytes.ts';
import { createWorkerPool, type PoolLimits } from '../../workers/pool.ts';
import { textJobs } from '../../workers/text-jobs.ts';
import type { SpawnWorker } from '../../workers/worker-process.ts';
import { type OpenText, openText, readText } from './read-text.ts';
import {
  awaitAway,
  awaitBelow,
  countTexts,
  countTry,
  type TextCounts,
  type TextOutcome,
  uncountTry,
  waitingTexts,
  writeOutcome,
} from './text-states.ts';

export interface TextIndexParts {
  readonly database: Database;
  readonly homes: Pick<Homes, 'records'>;
  readonly disk: Disk;
  readonly spawnWorker: SpawnWorker;
  readonly pace: Pick<Pace, 'rest'>;
  readonly events: Events;
  readonly clock: Clock;
  readonly log: Log;
  /** Milliseconds between two looks whether there is anything new; two seconds unless given. */
  readonly lookEvery?: number;
  readonly limits?: Partial<PoolLimits>;
}

/** Reads the words of documents into the index, in the background. Where it was stopped it goes on: what waits is in the database. */
export interface TextIndex {
  start(): void;
  /** Within moments: what is being read is read again after the next start. */
  stop(): Promise<void>;
  counts(): Promise<TextCounts>;
}

const LIMITS: Partial<PoolLimits> = {
  workers: 1,
  waiting: 1,
  deadline: 20 * SECOND,
  residentBytes: 768 * 1024 * 1024,
  idle: 30 * SECOND,
};
const LOOK_EVERY = 2 * SECOND;
/** Files that are looked at together, and of those the ones that are opened, bytes of them, and UTF-16 units of words that are written together. */
const LOOK_AT = 128;
const BATCH = 16;
const BATCH_BYTES = 8 * 1024 * 1024;
const BATCH_WORDS = 256 * 1024;
/** How much longer than the work the rests are. */
const REST = 1;
const AFTER_FAILURE = 30 * SECOND;
/** How long nothing is tried with a home that is offline. */
const OFFLINE_FOR = 30 * SECOND;
/** After this time what was not to be found is looked for again; what was moved or put back, at once. */
const AWAY_FOR = DAY;

export function createTextIndex(parts: TextIndexParts): TextIndex {
  const { database, homes, disk, spawnWorker, pace, events, clock, log, lookEvery = LOOK_EVERY } = parts;
  const pool = createWorkerPool({
    jobs: textJobs,
    spawnWorker: () => spawnWorker('text-worker'),
    log,
    limits: { ...LIMITS, ...parts.limits },
  });
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  /** Until when, by the ids of homes. */
  const offline = new Map<string, number>();
  let awayAgainAt = 0;
  /** Items that are where they were not before. */
  let returned: number[] = [];
  const lookAgain = ({ itemId }: { readonly itemId: number }) => {
    returned.push(itemId);
  };
  const unsubscribe = [events.on('item.restored', lookAgain), events.on('item.moved', lookAgain)];

  /** Not rows of files: what is kept in memory of folders stays as it is. */
  const write: Database['write'] = (work) => database.write(work, 'activity');

  async function readAll(opened: readonly OpenText[]): Promise<void> {
    const unread = new Set(opened.map(({ text }) => text));
    let outcomes: TextOutcome[] = [];
    const flush = async () => {
      const written = outcomes;
      outcomes = [];
      if (written.length === 0) return;
      await write(async (tx) => {
        for (const outcome of written) await writeOutcome(tx, outcome);
      });
    };
    try {
      let words = 0;
      for (const one of opened) {
        const began = performance.now();
        const outcome = await readText(pool, log, one);
        unread.delete(one.text);
        if (outcome !== null) outcomes.push(outcome);
        words += outcome?.words?.length ?? 0;
        if (words > BATCH_WORDS) {
          words = 0;
          await flush();
        }
        await rest(performance.now() - began);
      }
    } finally {
      await flush();
      if (unread.size > 0) await write((tx) => uncountTry(tx, [...unread]));
    }
  }

  async function rest(took: number): Promise<void> {
    stopping.signal.throwIfAborted();
    await pace.rest(took, REST, stopping.signal);
    stopping.signal.throwIfAborted();
  }

  /** @returns whether there was anything to do */
  async function round(): Promise<boolean> {
    if (clock.now() >= awayAgainAt) {
      awayAgainAt = clock.now() + AWAY_FOR;
      await write(awaitAway);
    }
    if (returned.length > 0) {
      const items = returned;
      returned = [];
      await write((tx) => awaitBelow(tx, items));
    }
    const began = performance.now();
    const online = new Map<string, Home>();
    for (const home of await homes.records()) {
      if (home.trashed === null && clock.now() >= (offline.get(home.id) ?? 0)) online.set(home.id, home);
    }
    const waiting = await waitingTexts(database, [...online.keys()], LOOK_AT);
    const [first] = waiting;
    if (first === undefined) return false;
    // What failed once is read alone: should it fail again, it takes no others with it.
    const batch = first.tries > 0 ? [first] : waiting.filter(({ tries }) => tries === 0);
    const places = await placesOf(
      database,
      batch.map(({ id }) => id),
    );
    const opened: OpenText[] = [];
    const outcomes: TextOutcome[] = [];
    try {
      let bytes = 0;
      for (const text of batch) {
        const home = online.get(text.homeId);
        if (home === undefined || opened.length === BATCH || bytes >= BATCH_BYTES) continue;
        const one = await openText(disk, text, home, places.get(text.id));
        if (one === 'offline') {
          online.delete(home.id);
          offline.set(home.id, clock.now() + OFFLINE_FOR);
        } else if (typeof one === 'string') {
          outcomes.push({ text, state: one });
        } else {
          opened.push(one);
          bytes += text.size;
        }
      }
      await write(async (tx) => {
        for (const outcome of outcomes) await writeOutcome(tx, outcome);
        await countTry(
          tx,
          opened.map(({ text }) => text),
        );
      });
      if (opened.length === 0) await rest(performance.now() - began);
      await readAll(opened);
    } finally {
      for (const { opened: file } of opened) await closeFile(file.fd);
    }
    return true;
  }

  /** Waits until something may have changed since the generation of files was `seen`. */
  async function newWork(seen: number): Promise<void> {
    const due = Math.min(awayAgainAt, ...[...offline.values()].filter((until) => until > clock.now()));
    do await pause(lookEvery);
    while (
      !stopping.signal.aborted &&
      returned.length === 0 &&
      database.generation('files') === seen &&
      clock.now() < Math.min(due, awayAgainAt)
    );
  }

  async function pause(milliseconds: number): Promise<void> {
    await wait(milliseconds, undefined, { ref: false, signal: stopping.signal }).catch(() => undefined);
  }

  async function run(): Promise<void> {
    // What people ask for first comes first.
    await pause(lookEvery);
    while (!stopping.signal.aborted) {
      const seen = database.generation('files');
      try {
        if (!(await round())) await newWork(seen);
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.error({ err: error }, 'documents could not be read into the index for a moment');
        await pause(AFTER_FAILURE);
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
      await pool.close();
      await running;
    },
    counts: () => countTexts(database),
  };
}
