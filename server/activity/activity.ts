import type { ActivityDatabase } from '../database/database.ts';
import { type Clock, DAY } from '../lib/clock.ts';
import type { Events, LarderEvents } from '../lib/events.ts';
import type { Log } from '../lib/log/log.ts';
import { type ActivityPage, type ActivityQuery, listActivity } from './list.ts';
import { type ActivityReader, listOwnActivity, type OwnActivityPage, type OwnActivityQuery } from './own.ts';
import { type ActivityRow, recipes } from './recipes.ts';
import { createRecorder } from './recorder.ts';
import { expireActivity } from './retention.ts';
import { createSums } from './sums.ts';

export type { ActivityPage, ActivityQuery } from './list.ts';

/** The log of events: every security change and every file event, with actor and origin, for some time. */
export interface Activity {
  /** Includes everything that has happened so far. */
  list(query: ActivityQuery): Promise<ActivityPage>;
  /** What concerns one person, as that person may see it. */
  listOwn(reader: ActivityReader, page: OwnActivityQuery): Promise<OwnActivityPage>;
  /** Deletes rows beyond the limits of age and number. @returns how many */
  expire(): Promise<number>;
  /** Writes what is queued, and stops listening. */
  close(): Promise<void>;
}

/** Most rows, whatever their age. */
const MAX_ROWS = 1_000_000;
/** The number of rows is checked after so many new ones, and once an hour. */
const PRUNE_AFTER = 10_000;

/**
 * Starts recording. Events of the last half second before a power cut may be missing, and the number of wrong app passwords of
 * the last hour.
 * @param keepDays how many days the log reaches back
 */
export function createActivity({
  database,
  events,
  clock,
  log,
  keepDays,
  maxRows = MAX_ROWS,
}: {
  database: ActivityDatabase;
  events: Events;
  clock: Clock;
  log: Log;
  keepDays: () => number;
  maxRows?: number;
}): Activity {
  let written = 0;
  let expiring: Promise<unknown> = Promise.resolve();
  const recorder = createRecorder({
    database,
    clock,
    log,
    onWritten(rows) {
      written += rows;
      if (written < PRUNE_AFTER) return;
      written = 0;
      // By number only: expiry by age needs a trusted clock, and is part of maintenance.
      expiring = expireActivity(database, { before: null, maxRows }).catch((error) =>
        log.error({ err: error }, 'failed to remove old rows of the activity log'),
      );
    },
  });

  const sums = createSums(clock);
  function addSums(of: 'over' | 'all'): void {
    for (const row of sums.take(of)) recorder.add('security', row);
  }

  function follow<Name extends keyof LarderEvents>(name: Name): () => void {
    const { group, toRow } = recipes[name];
    return events.on(name, (payload) => {
      const activityRow = toRow(payload);
      if (activityRow === null) return;
      addSums('over');
      const row = isCounted(activityRow) ? sums.add(activityRow) : activityRow;
      if (row !== null) recorder.add(group, row);
    });
  }
  const unfollow = (Object.keys(recipes) as (keyof LarderEvents)[]).map(follow);

  return {
    async list(query) {
      addSums('all');
      await recorder.flush();
      return listActivity(database, query);
    },
    async listOwn(reader, page) {
      addSums('all');
      await recorder.flush();
      return listOwnActivity(database, reader, page);
    },
    expire() {
      addSums('all');
      return expireActivity(database, { before: clock.now() - keepDays() * DAY, maxRows });
    },
    async close() {
      for (const stop of unfollow) stop();
      addSums('all');
      await recorder.close();
      await expiring;
    },
  };
}

/** Guesses of app passwords must not make the server write each time: nothing else is written about a wrong one. */
function isCounted({ kind, details }: ActivityRow): boolean {
  return kind === 'login.failed' && details.reason === 'wrong_app_password';
}
