import { z } from 'zod';
import type { Database } from '../database/database.ts';
import { type Clock, DAY, HOUR } from '../lib/clock.ts';
import { isoSeconds } from '../lib/datetime.ts';
import type { Log } from '../lib/log/log.ts';
import type { Layout } from '../storage/layout.ts';
import { readPlain, replaceWith } from '../storage/plain-files.ts';

/** Longer than a computer is off for a week's holiday at most: a clock that is further on may have jumped. */
const JUMP = 7 * DAY;
/** How long it has to go on as it says before what is over its time by it is believed to be. */
const BELIEVED_AFTER = DAY;
/** Later than that after the jump it has jumped again; a computer that is on once a fortnight is looked at sooner. */
const BELIEVED_UNTIL = 60 * DAY;

/** Of a damaged row that has a number beyond what a date can be nothing is believed. */
const NEWEST = `SELECT max(time) AS newest FROM (
  SELECT max(created_at) AS time FROM homes UNION ALL SELECT max(registered_at) FROM accounts
  UNION ALL SELECT max(last_login_at) FROM accounts UNION ALL SELECT max(created_at) FROM clients
  UNION ALL SELECT max(granted_at) FROM authorizations UNION ALL SELECT max(stored_at) FROM versions
  UNION ALL SELECT max(deleted_at) FROM trash UNION ALL SELECT max(created_at) FROM journal)
  WHERE time <= 8640000000000000`;

/** Milliseconds since the epoch: when the clock was last looked at, and since when it is doubted, if it is. */
const state = z.object({ seen: z.number(), doubtedSince: z.number().nullable() });
export type ClockState = z.infer<typeof state>;

export interface ClockWatch {
  /**
   * Whether what is over its time by the clock may be erased: not for a day after the clock has jumped ahead by more than a week,
   * for it may come back. A computer that was off for so long waits a day as well. Each call is a look. A disk that does not take
   * what was seen is no reason to wait: it is known until the end of the process.
   */
  isBelieved(): Promise<boolean>;
}

/** What was found at the last look, for the doctor; null before the first one. */
export async function clockState({ clock }: Pick<Layout, 'clock'>): Promise<ClockState | null> {
  try {
    return state.parse(JSON.parse((await readPlain(clock)).toString('utf8')));
  } catch {
    return null;
  }
}

/** The newest time that something was written here at, in milliseconds since the epoch; 0 where there is none. */
export async function newestTime(database: Pick<Database, 'get'>): Promise<number> {
  return (await database.get<{ newest: number | null }>(NEWEST))?.newest ?? 0;
}

/**
 * Knows from now on when the clock was last looked at. Where that was not noted (before the first look, in a folder from a
 * backup), it was when something was last written: so it is opened before anything is written by the clock of today.
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
    log.warn({ from, to }, 'the clock is far ahead of the last look: nothing is erased for its age for a day');
    return now;
  }

  function doubtedSince(now: number): number | null {
    const { seen, doubtedSince: since } = last;
    // It was set back, or nothing was ever written: whatever is over its time by it now was so before.
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
        log.warn({ err: error }, 'what the clock says could not be noted');
      }
      return last.doubtedSince === null;
    },
  };
}
