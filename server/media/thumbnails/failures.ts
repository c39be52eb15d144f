import type { ActivityDatabase } from '../../database/database.ts';
import { type Clock, DAY } from '../../lib/clock.ts';
import { LruCache } from '../../lib/lru-cache.ts';
import type { JobFailure } from '../../workers/job-error.ts';

/** Failures caused by the content, which are remembered. */
const LASTING: ReadonlySet<JobFailure> = new Set(['unsupported', 'corrupt', 'too_large', 'timeout', 'crashed']);
/** Failures that may also be caused by the machine are retried after this time; others after the next. */
const ACCIDENTS: ReadonlySet<JobFailure> = new Set(['timeout', 'crashed']);
const AFTER_ACCIDENT = DAY;
const AFTER_OTHERS = 90 * DAY;
/** Failures that may be caused by the requested size, and do not exclude a smaller thumbnail. */
const OF_THE_SHAPE: ReadonlySet<JobFailure> = new Set(['too_large', 'timeout', 'crashed']);
/** Most remembered failures of single sizes, in memory. */
const MAX_TOO_MUCH = 5_000;

/** Whether a smaller thumbnail of the same content may be possible. */
export function isOfTheShape(reason: JobFailure): boolean {
  return OF_THE_SHAPE.has(reason);
}

/** A requested thumbnail. */
interface RequestedThumbnail {
  readonly homeId: string;
  /** Of the content. */
  readonly identity: string;
  /** Of content and shape. */
  readonly name: string;
  /** Whether it needs more than the default thumbnail. */
  readonly isDemanding: boolean;
}

/** Contents without a possible thumbnail, by home and identity; and single shapes that are too demanding, by name. */
export interface ThumbnailFailures {
  of(wanted: RequestedThumbnail): Promise<JobFailure | null>;
  /** The identities of all of a home. */
  inHome(homeId: string): Promise<Set<string>>;
  /** Failures that say nothing about the content are not stored. */
  add(wanted: RequestedThumbnail, reason: JobFailure): Promise<void>;
  /** Deletes all of them: each is tried again. */
  clear(): Promise<void>;
  /** Deletes expired ones, and those of contents that no longer exist. */
  removeOld(): Promise<void>;
}

export function createThumbnailFailures(
  database: Pick<ActivityDatabase, 'get' | 'all' | 'write'>,
  clock: Clock,
): ThumbnailFailures {
  const { write } = database;
  /** The identities in the table, or null until they are read; may include deleted ones. Most files are not among them. */
  let known: Promise<Set<string>> | null = null;
  const readKnown = async () => {
    const rows = await database.all<{ identity: string }>('SELECT identity FROM thumbnail_failures', []);
    return new Set(rows.map(({ identity }) => identity));
  };
  const allKnown = () => {
    known ??= readKnown().catch((error) => {
      known = null;
      throw error;
    });
    return known;
  };
  const tooMuch = new LruCache<{ readonly reason: JobFailure; readonly at: number }>(MAX_TOO_MUCH);
  return {
    async of({ homeId, identity, name }) {
      const much = tooMuch.get(name);
      if (much !== undefined && clock.now() - much.at < timeOf(much.reason)) return much.reason;
      if (!(await allKnown()).has(identity)) return null;
      const row = await database.get<{ reason: JobFailure; failed_at: number }>(
        'SELECT reason, failed_at FROM thumbnail_failures WHERE home_id = ? AND identity = ?',
        [homeId, identity],
      );
      if (row === undefined) return null;
      return clock.now() - row.failed_at < timeOf(row.reason) ? row.reason : null;
    },

    async inHome(homeId) {
      const rows = await database.all<{ identity: string }>(
        'SELECT identity FROM thumbnail_failures WHERE home_id = ?',
        [homeId],
      );
      return new Set(rows.map(({ identity }) => identity));
    },

    async add({ homeId, identity, name, isDemanding }, reason) {
      if (!LASTING.has(reason)) return;
      // A request for a large thumbnail must not disable the default one for others.
      if (isDemanding && OF_THE_SHAPE.has(reason)) return tooMuch.set(name, { reason, at: clock.now() });
      (await allKnown()).add(identity);
      await write((tx) =>
        tx.run(
          `INSERT INTO thumbnail_failures (home_id, identity, reason, failed_at) SELECT id, ?2, ?3, ?4 FROM homes WHERE id = ?1
           ON CONFLICT (home_id, identity) DO UPDATE SET reason = excluded.reason, failed_at = excluded.failed_at`,
          [homeId, identity, reason, clock.now()],
        ),
      );
    },

    async clear() {
      tooMuch.clear();
      await write((tx) => tx.run('DELETE FROM thumbnail_failures'));
    },

    async removeOld() {
      const now = clock.now();
      await write(async (tx) => {
        await tx.run(
          "DELETE FROM thumbnail_failures WHERE failed_at < CASE WHEN reason IN ('timeout', 'crashed') THEN ?1 ELSE ?2 END",
          [now - AFTER_ACCIDENT, now - AFTER_OTHERS],
        );
        await tx.run(
          // Phrased so that the index, which has no empty names, is used: otherwise every failure would scan all files.
          `DELETE FROM thumbnail_failures WHERE NOT EXISTS (
             SELECT 1 FROM items WHERE items.identity = thumbnail_failures.identity AND items.identity <> '')`,
        );
      });
    },
  };
}

function timeOf(reason: JobFailure): number {
  return ACCIDENTS.has(reason) ? AFTER_ACCIDENT : AFTER_OTHERS;
}
