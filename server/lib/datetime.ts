import { DAY, SECOND } from './clock.ts';

const LOCAL = /^(\d{4})-(\d\d)-(\d\d)(?: (\d\d):(\d\d):(\d\d))?$/;
const ISO = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * A time as clients write it: `YYYY-MM-DD HH:MM:SS` in the server's time zone, a bare date, which means its end, or ISO 8601 with
 * a zone.
 * @returns milliseconds since the epoch; null for anything else, including impossible dates
 */
export function parseDatetime(text: string): number | null {
  const iso = ISO.exec(text);
  if (iso !== null) {
    const time = Date.parse(text);
    return Number.isNaN(time) || !isDay(iso) ? null : time;
  }
  const match = LOCAL.exec(text);
  if (match === null || !isDay(match)) return null;
  const [year = 0, month = 0, day = 0, hours = 23, minutes = 59, seconds = 59] = match
    .slice(1)
    .map((part) => (part === undefined ? undefined : Number(part)));
  if (hours > 23 || minutes > 59 || seconds > 59) return null;
  return new Date(year, month - 1, day, hours, minutes, seconds).getTime();
}

function isDay([, year, month, day]: RegExpExecArray): boolean {
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return Number(year) >= 1970 && date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

/** `YYYY-MM-DD HH:MM:SS` in the server's time zone. */
export function localSeconds(time: number): string {
  const date = new Date(time);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`;
}

/** ISO 8601, UTC, whole seconds: `2026-03-01T17:05:09Z`. */
export function isoSeconds(time: number): string {
  return `${isoDays(dayOf(time))}T${clockTime(time)}Z`;
}

/** RFC 9110 §5.6.7, such as `Sun, 06 Nov 1994 08:49:37 GMT`. @param time milliseconds since the epoch */
export function httpDate(time: number): string {
  return `${httpDays(dayOf(time))} ${clockTime(time)} GMT`;
}

const isoDays = keepingLast((day) => new Date(day * DAY).toISOString().split('T', 1)[0] ?? '');
const httpDays = keepingLast((day) => new Date(day * DAY).toUTCString().split(' ').slice(0, 4).join(' '));

function dayOf(time: number): number {
  return Math.floor(time / DAY);
}

/** Listings have thousands of times, many of the same day, and the calendar is what costs. */
function keepingLast(make: (day: number) => string): (day: number) => string {
  let [last, text] = [Number.NaN, ''];
  return (day) => {
    if (day !== last) [last, text] = [day, make(day)];
    return text;
  };
}

const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/** Hours, minutes and seconds of a day in UTC. */
function clockTime(time: number): string {
  const seconds = Math.floor(time / SECOND) - dayOf(time) * (DAY / SECOND);
  const minutes = Math.floor(seconds / 60);
  return `${TWO_DIGITS[Math.floor(minutes / 60)]}:${TWO_DIGITS[minutes % 60]}:${TWO_DIGITS[seconds % 60]}`;
}

/** Whole calendar days in the local time zone, unaffected by daylight saving changes. */
export function daysBetween(earlier: number, later: number): number {
  // Computed as if the days were in UTC, where all have 24 hours.
  const midnight = (time: number) => {
    const date = new Date(time);
    return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
  };
  return Math.round((midnight(later) - midnight(earlier)) / DAY);
}
