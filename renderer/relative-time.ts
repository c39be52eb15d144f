import { LOCALE, t } from './messages/messages.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `just now`, `5 minutes ago`, `1 hour ago`, `today at 08:12`, `yesterday at 17:05`, `tomorrow at 03:00`, `12 March`, `12 March 2024`. */
export function relativeTime(at: Date, now: Date): string {
  const age = now.getTime() - at.getTime();
  // Clocks of two devices differ by seconds.
  if (Math.abs(age) < MINUTE) return t('time.now');
  if (age >= 0 && age < HOUR) return t('time.minutesAgo', { minutes: Math.floor(age / MINUTE) });
  if (age >= 0 && age < 2 * HOUR) return t('time.hourAgo');
  const clock = at.toLocaleTimeString(LOCALE, { hour: '2-digit', minute: '2-digit' });
  const days = daysBetween(at, now);
  if (days === 0) return t('time.todayAt', { clock });
  if (days === 1) return t('time.yesterdayAt', { clock });
  if (days === -1) return t('time.tomorrowAt', { clock });
  if (at.getFullYear() !== now.getFullYear()) return day(at);
  return at.toLocaleDateString(LOCALE, { day: 'numeric', month: 'long' });
}

/** `Today`, `Yesterday`, `12 March`, `12 March 2024`. */
export function relativeDay(at: Date, now: Date): string {
  const days = daysBetween(at, now);
  if (days === 0) return t('time.today');
  if (days === 1) return t('time.yesterday');
  if (at.getFullYear() !== now.getFullYear()) return day(at);
  return at.toLocaleDateString(LOCALE, { day: 'numeric', month: 'long' });
}

/** `17:05` */
export function clockOf(at: Date): string {
  return at.toLocaleTimeString(LOCALE, { hour: '2-digit', minute: '2-digit' });
}

/** `12 March 2027` */
export function day(at: Date): string {
  return at.toLocaleDateString(LOCALE, { day: 'numeric', month: 'long', year: 'numeric' });
}

/** `12 March 2027, 17:05:09` */
export function exactTime(at: Date): string {
  return t('time.exact', { day: day(at), clock: at.toLocaleTimeString(LOCALE) });
}

/** By calendar days, unaffected by daylight saving: computed as if in UTC, where all days have 24 hours. */
function daysBetween(earlier: Date, later: Date): number {
  const midnight = (of: Date) => Date.UTC(of.getFullYear(), of.getMonth(), of.getDate());
  return Math.round((midnight(later) - midnight(earlier)) / DAY);
}
