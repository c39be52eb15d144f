import { z } from 'zod';
import { type Clock, DAY, HOUR } from '../lib/clock.ts';
import { isoSeconds } from '../lib/datetime.ts';
import type { Log } from '../lib/log.ts';
import type { Layout } from '../storage/layout.ts';
import { readPlain, replaceWith } from '../storage/plain-files.ts';

/** Longer than a computer is off for a week's holiday at most: a clock that is further on may have jumped. */
const JUMP = 7 * DAY;
/** How long it has to go on as it says before what is over its time by it is believed to be. */
const BELIEVED_AFTER = DAY;

/** Milliseconds since the epoch: when the clock was last looked at, and since when it is doubted, if it is. */
const state = z.object({ seen: z.number(), doubtedSince: z.number().nullable() });
export type ClockState = z.infer<typeof state>;

export interface ClockWatch {
  /**
   * Whether what is over its time by the clock may be erased: not for a day after the clock has jumped ahead by more than a week,
   * for it may come back. A computer that was off for so long waits a day as well.
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

export function createClockWatch(layout: Pick<Layout, 'clock'>, clock: Clock, log: Log): ClockWatch {
  function doubtedSince(before: ClockState | null, now: number): number | null {
    if (before === null) return null;
    // It was set back: whatever is over its time by it now was so before.
    if (now < before.seen - HOUR) return null;
    if (before.doubtedSince !== null) return now - before.doubtedSince < BELIEVED_AFTER ? before.doubtedSince : null;
    if (now - before.seen <= JUMP) return null;
    const [from, to] = [isoSeconds(before.seen), isoSeconds(now)];
    log.warn({ from, to }, 'the clock is far ahead of the last look: nothing is erased for its age for a day');
    return now;
  }

  return {
    async isBelieved() {
      const now = clock.now();
      const next = { seen: now, doubtedSince: doubtedSince(await clockState(layout), now) };
      await replaceWith(layout.clock, `${JSON.stringify(next)}\n`);
      return next.doubtedSince === null;
    },
  };
}
