import { texts } from './texts/texts.ts';

const { locale, now: justNow, minutesAgo, hourAgo, todayAt, tomorrowAt, yesterdayAt } = texts.moments;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `just now`, `5 minutes ago`, `1 hour ago`, `today at 08:12`, `yesterday at 17:05`, `tomorrow at 03:00`, `12 March`, `12 March 2024`. */
export function momentInWords(at: Date, now: Date): string {
  const age = now.getTime() - at.getTime();
  if (age >= 0 && age < MINUTE) return justNow;
  if (age >= 0 && age < HOUR) return minutesAgo(Math.floor(age / MINUTE));
  if (age >= 0 && age < 2 * HOUR) return hourAgo;
  const clock = at.toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit' });
  const days = daysBetween(at, now);
  if (days === 0) return todayAt(clock);
  if (days === 1) return yesterdayAt(clock);
  if (days === -1) return tomorrowAt(clock);
  if (at.getFullYear() !== now.getFullYear()) return day(at);
  return at.toLocaleDateString(locale, { day: 'numeric', month: 'long' });
}

/** `Today`, `Yesterday`, `12 March`, `12 March 2024`. */
export function dayInWords(at: Date, now: Date): string {
  const days = daysBetween(at, now);
  if (days === 0) return texts.moments.today;
  if (days === 1) return texts.moments.yesterday;
  if (at.getFullYear() !== now.getFullYear()) return day(at);
  return at.toLocaleDateString(locale, { day: 'numeric', month: 'long' });
}

/** `17:05` */
export function clockOf(at: Date): string {
  return at.toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit' });
}

/** `12 March 2027` */
export function day(at: Date): string {
  return at.toLocaleDateString(locale, { day: 'numeric', month: 'long', year: 'numeric' });
}

/** `12 March 2027, 17:05:09` */
export function exactMoment(at: Date): string {
  return `${day(at)}, ${at.toLocaleTimeString(locale)}`;
}

/** By the calendar, also across a change of the clocks: as if the days were those of UTC, which all have 24 hours. */
function daysBetween(earlier: Date, later: Date): number {
  const midnight = (of: Date) => Date.UTC(of.getFullYear(), of.getMonth(), of.getDate());
  return Math.round((midnight(later) - midnight(earlier)) / DAY);
}
