import { MINUTE } from '../../lib/clock.ts';
import { isoSeconds } from '../../lib/datetime.ts';
import { t } from '../../messages/messages.ts';
import { clockState, newestTime } from '../../settings/clock-watch.ts';
import { type DoctorParts, type Finding, note, problem } from './parts.ts';

/** No release of this program is older: an earlier time means that the clock lost its battery. */
const EARLIEST = Date.UTC(2025, 0, 1);
/** Small corrections of a clock are normal. */
const TOLERANCE = 10 * MINUTE;

/** Checks whether the clock was set back: everything with an expiry would expire at the wrong time. */
export async function checkClock({ clock, database, layout }: DoctorParts): Promise<Finding[]> {
  const now = clock.now();
  const doubted = (await clockState(layout))?.doubtedSince ?? null;
  if (now < EARLIEST) return [problem(t('api.doctor.clockImpossible', { time: isoSeconds(now) }))];
  const newest = await newestTime(database);
  if (now >= newest - TOLERANCE) {
    if (doubted === null || now < doubted - TOLERANCE) return [];
    const since = isoSeconds(doubted);
    return [note(t('api.doctor.clockAhead', { time: since }))];
  }
  return [problem(t('api.doctor.clockBack', { time: isoSeconds(now), newest: isoSeconds(newest) }))];
}
