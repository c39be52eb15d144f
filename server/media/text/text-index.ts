import { setTimeout as wait } from 'node:timers/promises';
import type { Home, Homes } from '../../catalogue/homes.ts';
import type { Pace } from '../../catalogue/pace.ts';
import { type ItemPlace, placesOf } from '../../catalogue/places.ts';
import type { Database } from '../../database/database.ts';
import { type Clock, HOUR, MINUTE, SECOND } from '../../lib/clock.ts';
import type { Events } from '../../lib/events.ts';
import { extensionOf } from '../../lib/file-types.ts';
import type { Log } from '../../lib/log.ts';
import type { Disk, OpenedFile } from '../../storage/disk.ts';
import { StorageError } from '../../storage/errors.ts';
import { handOver } from '../../storage/hand-over.ts';
import { closeFile } from '../../storage/send-bytes.ts';
import { JobError } from '../../workers/job-error.ts';
import { createWorkerPool, type PoolLimits } from '../../workers/pool.ts';
import { textJobs } from '../../workers/text-jobs.ts';
import { type TextReader, textReaderOf } from '../../workers/text-kinds.ts';
import type { SpawnWorker } from '../../workers/worker-process.ts';
import {
  awaitAway,
  countTexts,
  countTry,
  type TextCounts,
  type TextOutcome,
  uncountTry,
  type WaitingText,
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
/** A file that takes a worker, or the whole server, with it this often is not read until it changes. */
const MAX_TRIES = 2;
/** Files that are opened together, and bytes of them; and UTF-16 units of words that are written together. */
const BATCH = 16;
const BATCH_BYTES = 8 * 1024 * 1024;
const BATCH_WORDS = 256 * 1024;
/** How much longer than the work the rests are. */
const REST = 1;
const AFTER_FAILURE = 30 * SECOND;
/** How long nothing is tried with a home that is offline. */
const OFFLINE_FOR = 30 * SECOND;
/** After this time what was not to be found is looked for again; after something was moved or put back, sooner. */
const AWAY_FOR = HOUR;
const AWAY_AT_LEAST = MINUTE;

interface OpenText {
  readonly text: WaitingText;
  readonly home: Home;
  readonly opened: OpenedFile;
  readonly reader: TextReader;
}

type Opening = OpenText | 'empty' | 'away' | 'offline';

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
  let lastAway = 0;
  for (const name of ['item.restored', 'item.moved'] as const) {
    events.on(name, () => {
      awayAgainAt = Math.min(awayAgainAt, Math.max(clock.now(), lastAway + AWAY_AT_LEAST));
    });
  }

  /** Not rows of files: what is kept in memory of folders stays as it is. */
  const write: Database['write'] = (work) => database.write(work, 'activity');

  async function open(text: WaitingText, home: Home, place: ItemPlace | undefined): Promise<Opening> {
    const reader = textReaderOf(extensionOf(text.name), text.kind);
    if (reader === null || text.size === 0) return 'empty';
    if (place?.state !== 'there') return 'away';
    try {
      const opened = await disk.run('open', { place: home.place, segments: place.segments });
      if (opened.entry.identity === text.identity) return { text, home, opened, reader };
      // The catalogue has not heard of it yet. When it does, the file waits again.
      await closeFile(opened.fd);
      return 'away';
    } catch (error) {
      return error instanceof StorageError && error.reason === 'offline' ? 'offline' : 'away';
    }
  }

  /** @returns null when it is to be tried again */
  async function read({ text, home, opened, reader }: OpenText): Promise<TextOutcome | null> {
    try {
      const { words } = await pool.run('words', { file: handOver(opened, home.place), reader });
      return words === '' ? { text, state: 'empty' } : { text, state: 'indexed', words };
    } catch (error) {
      if (!(error instanceof JobError) || error.reason === 'stopped') throw error;
      if (error.reason === 'unsupported') return { text, state: 'empty' };
      if (error.reason !== 'corrupt' && text.tries + 1 < MAX_TRIES) return null;
      log.info({ item: text.id, reason: error.reason }, 'a document cannot be read');
      return { text, state: 'failed' };
    }
  }

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
        const outcome = await read(one);
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
    await Promise.race([pace.rest(took, REST), stopped]);
    stopping.signal.throwIfAborted();
  }

  const stopped = new Promise<void>((resolve) => {
    stopping.signal.addEventListener('abort', () => resolve());
  });

  /** @returns whether there was anything to do */
  async function round(): Promise<boolean> {
    if (clock.now() >= awayAgainAt) {
      lastAway = clock.now();
      awayAgainAt = lastAway + AWAY_FOR;
      await write(awaitAway);
    }
    const online = new Map<string, Home>();
    for (const home of await homes.records()) {
      if (home.trashed === null && clock.now() >= (offline.get(home.id) ?? 0)) online.set(home.id, home);
    }
    const waiting = await waitingTexts(database, [...online.keys()], BATCH);
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
        if (home === undefined || bytes >= BATCH_BYTES) continue;
        const one = await open(text, home, places.get(text.id));
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
    while (!stopping.signal.aborted && database.generation('files') === seen && clock.now() < Math.min(due, awayAgainAt));
  }

  async function pause(milliseconds: number): Promise<void> {
    await wait(milliseconds, undefined, { ref: false, signal: stopping.signal }).catch(() => undefined);
  }

  async function run(): Promise<void> {
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
      stopping.abort();
      await pool.close();
      await running;
    },
    counts: () => countTexts(database),
  };
}
