import { z } from 'zod';
import type { Database } from '../database/database.ts';
import { type Clock, DAY, HOUR } from '../lib/clock.ts';
import { isoSeconds } from '../lib/datetime.ts';
import type { Log } from '../lib/log/log.ts';
import type { Layout } from '../storage/layout.ts';
import { readPlain, replaceWith } from '../storage/plain-files.ts';

/** Longer than a computer is usually off: a clock further ahead may have jumped. */
const JUMP = 7 * DAY;
/** How long the clock must continue before it is trusted again. */
const BELIEVED_AFTER = DAY;
/** A gap longer than this after the jump counts as another jump; it allows for computers that are rarely on. */
const BELIEVED_UNTIL = 60 * DAY;

/** A damaged row with an impossible date is ignored. */
const NEWEST = `SELECT max(time) AS newest FROM (
  SELECT max(created_at) AS time FROM homes UNION ALL SELECT max(registered_at) FROM accounts
  UNION ALL SELECT max(last_login_at) FROM accounts UNION ALL SELECT max(created_at) FROM clients
  UNION ALL SELECT max(granted_at) FROM authorizations UNION ALL SELECT max(stored_at) FROM versions
  UNION ALL SELECT max(deleted_at) FROM trash UNION ALL SELECT max(created_at) FROM journal)
  WHERE time <= 8640000000000000`;

/** Milliseconds since the epoch: when the clock was last checked, and since when it is in doubt, if it is. */
const state = z.object({ seen: z.number(), doubtedSince: z.number().nullable() });
type ClockState = z.infer<typeof state>;

export interface ClockWatch {
  /**
   * Whether expired data may be erased by the clock: not for a day after it jumped ahead by more than a week, because the jump
   * may be an error. A computer that was off for so long waits a day as well. Each call is a check. If its result cannot be
   * stored, it is kept in memory.
   */
  isBelieved(): Promise<boolean>;
}

/** The result of the last check, for the doctor; null before the first one. */
export async function clockState({ clock }: Pick<Layout, 'clock'>): Promise<ClockState | null> {
  try {
    return state.parse(JSON.parse((await readPlain(clock)).toString('utf8')));
  } catch {
    return null;
  }
}

/** The newest time at which anything was written, in milliseconds since the epoch; 0 if there is none. */
export async function newestTime(database: Pick<Database, 'get'>): Promise<number> {
  return (await database.get<{ newest: number | null }>(NEWEST))?.newest ?? 0;
}

/**
 * Loads when the clock was last checked. If that is unknown (before the first check, or in a restored folder), the time of the
 * last write is used, so open it before anything is written.
 */
export async function openClockWatch({
  layout,
  database,
  clock,
  log,
}: {
  layout: Pick<Layout, 'clock'>;
  database: Pick<Database, 'get'>;
  clock: Clock;
  log: Log;
}): Promise<ClockWatch> {
  let last = (await clockState(layout)) ?? { seen: await newestTime(database), doubtedSince: null };

  function doubt(now: number): number {
    const [from, to] = [isoSeconds(last.seen), isoSeconds(now)];
    log.warn({ from, to }, 'the clock is far ahead of the last check: nothing is erased for its age for a day');
    return now;
  }

  function doubtedSince(now: number): number | null {
    const { seen, doubtedSince: since } = last;
    // It was set back, or nothing was ever written: no additional data counts as expired.
    if (seen === 0 || now < seen - HOUR) return null;
    if (since === null) return now - seen <= JUMP ? null : doubt(now);
    if (now - since < BELIEVED_AFTER) return since;
    return now - since < BELIEVED_UNTIL ? null : doubt(now);
  }

  return {
    async isBelieved() {
      const now = clock.now();
      last = { seen: now, doubtedSince: doubtedSince(now) };
      try {
        await replaceWith(layout.clock, `${JSON.stringify(last)}\n`);
      } catch (error) {
        log.warn({ err: error }, 'failed to store the time of the clock');
      }
      return last.doubtedSince === null;
    },
  };
}
