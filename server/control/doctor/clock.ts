import { MINUTE } from '../../lib/clock.ts';
import { isoSeconds } from '../../lib/datetime.ts';
import { clockState, newestTime } from '../../settings/clock-watch.ts';
import { type DoctorParts, type Finding, note, problem } from './parts.ts';

/** No release of this program is older: an earlier time means that the clock lost its battery. */
const EARLIEST = Date.UTC(2025, 0, 1);
/** Small corrections of a clock are normal. */
const TOLERANCE = 10 * MINUTE;

const WHY = 'Certificates, sign-ins and the trash go by it. Set date and time, and let the system keep them.';

/** Checks whether the clock was set back: everything with an expiry would expire at the wrong time. */
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
