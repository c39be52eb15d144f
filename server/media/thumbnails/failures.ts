import type { Database } from '../../database/database.ts';
import { type Clock, DAY } from '../../lib/clock.ts';
import type { JobFailure } from '../../workers/job-error.ts';

/** What is true of the content, and is said at once when it is asked for again. */
const LASTING: ReadonlySet<JobFailure> = new Set(['unsupported', 'corrupt', 'too_large', 'timeout', 'crashed']);
/** What may also have been the machine's fault is tried again after this time; everything else after that one. */
const ACCIDENTS: ReadonlySet<JobFailure> = new Set(['timeout', 'crashed']);
const AFTER_ACCIDENT = DAY;
const AFTER_OTHERS = 90 * DAY;

/** Contents of which no thumbnail can be made, by home and identity. */
export interface ThumbnailFailures {
  of(homeId: string, identity: string): Promise<JobFailure | null>;
  /** The identities of all of a home. */
  inHome(homeId: string): Promise<Set<string>>;
  /** Nothing is kept of a failure that says nothing about the content. */
  add(homeId: string, identity: string, reason: JobFailure): Promise<void>;
  /** Those over their time, and those of contents that are gone. */
  tidy(): Promise<void>;
}

export function createThumbnailFailures(
  database: Pick<Database, 'get' | 'all' | 'write'>,
  clock: Clock,
): ThumbnailFailures {
  // Not rows of files: what is kept in memory of folders stays as it is.
  const write: Database['write'] = (work) => database.write(work, 'activity');
  return {
    async of(homeId, identity) {
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

    async add(homeId, identity, reason) {
      if (!LASTING.has(reason)) return;
      await write((tx) =>
        tx.run(
          `INSERT INTO thumbnail_failures (home_id, identity, reason, failed_at) SELECT id, ?2, ?3, ?4 FROM homes WHERE id = ?1
           ON CONFLICT (home_id, identity) DO UPDATE SET reason = excluded.reason, failed_at = excluded.failed_at`,
          [homeId, identity, reason, clock.now()],
        ),
      );
    },

    async tidy() {
      const now = clock.now();
      await write(async (tx) => {
        await tx.run(
          "DELETE FROM thumbnail_failures WHERE failed_at < CASE WHEN reason IN ('timeout', 'crashed') THEN ?1 ELSE ?2 END",
          [now - AFTER_ACCIDENT, now - AFTER_OTHERS],
        );
        await tx.run(
          'DELETE FROM thumbnail_failures WHERE NOT EXISTS (SELECT 1 FROM items WHERE items.identity = thumbnail_failures.identity)',
        );
      });
    },
  };
}

function timeOf(reason: JobFailure): number {
  return ACCIDENTS.has(reason) ? AFTER_ACCIDENT : AFTER_OTHERS;
}
