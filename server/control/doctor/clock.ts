import { MINUTE } from '../../lib/clock.ts';
import { isoSeconds } from '../../lib/datetime.ts';
import { clockState, newestTime } from '../../settings/clock-watch.ts';
import { type DoctorParts, type Finding, note, problem } from './parts.ts';

/** This program is younger: a clock that says less has lost its battery. */
const EARLIEST = Date.UTC(2025, 0, 1);
/** Clocks are set by minutes all the time. */
const TOLERANCE = 10 * MINUTE;

const WHY = 'Certificates, sign-ins and the trash go by it. Set date and time, and let the system keep them.';

/** A clock that was set back: everything that ends at a time ends at the wrong one. */
export async function checkClock({ clock, database, layout }: DoctorParts): Promise<Finding[]> {
  const now = clock.now();
  const doubted = (await clockState(layout))?.doubtedSince ?? null;
  if (now < EARLIEST) return [problem(`The clock of this machine says ${isoSeconds(now)}, which cannot be. ${WHY}`)];
  const newest = await newestTime(database);
  if (now >= newest - TOLERANCE) {
    if (doubted === null || now < doubted - TOLERANCE) return [];
    const since = isoSeconds(doubted);
    return [
      note(
        `The clock of this machine was far ahead of what it had said before at ${since}. If it says the right time, nothing is to be done; nothing is erased for its age until a day after that.`,
      ),
    ];
  }
  return [
    problem(
      `The clock of this machine says ${isoSeconds(now)}, but something was written here at ${isoSeconds(newest)}: it was set back. ${WHY}`,
    ),
  ];
}
