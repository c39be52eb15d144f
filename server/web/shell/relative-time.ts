import { HOUR, MINUTE } from '../../lib/clock.ts';
import { daysBetween, isoSeconds } from '../../lib/datetime.ts';
import { type Html, html } from '../../lib/text/html.ts';
import { LOCALE } from '../../messages/catalogue.ts';
import { t } from '../../messages/messages.ts';

/** A relative time in the household's time zone, with the exact one as a tooltip. */
export function when(time: number, now: number): Html {
  return html`<time datetime="${isoSeconds(time)}" title="${exactly(time)}">${spoken(time, now)}</time>`;
}

/** The same as plain text. */
export function spoken(time: number, now: number): string {
  const age = now - time;
  if (age >= 0 && age < MINUTE) return t('dates.now');
  if (age >= 0 && age < HOUR) return t('dates.minutes', { count: Math.floor(age / MINUTE) });
  const clock = clockTime(time);
  const days = daysBetween(time, now);
  if (days === 0) return t('dates.today', { time: clock });
  if (days === 1) return t('dates.yesterday', { time: clock });
  const isThisYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  const year = isThisYear ? {} : { year: 'numeric' as const };
  return new Date(time).toLocaleDateString(LOCALE, { day: 'numeric', month: 'long', ...year });
}

/** The time of day. */
export function clockTime(time: number): string {
  return new Date(time).toLocaleTimeString(LOCALE, { hour: '2-digit', minute: '2-digit' });
}

/** A day as a heading: `Today`, `Tuesday 17 November`, `2 October 2025`. */
export function dayOf(time: number, now: number): string {
  const days = daysBetween(time, now);
  if (days === 0 || days === 1) return t(days === 0 ? 'dates.todayHeading' : 'dates.yesterdayHeading');
  const isThisYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  const more = isThisYear ? { weekday: 'long' as const } : { year: 'numeric' as const };
  return new Date(time).toLocaleDateString(LOCALE, { day: 'numeric', month: 'long', ...more });
}

/** A date, or date and time, from a file (ISO 8601): the time of day is local to where it was recorded. */
export function written(text: string): string {
  const [, year, month, day, hour, minute] = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d))?/.exec(text) ?? [];
  if (year === undefined) return text;
  const time = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour ?? 0), Number(minute ?? 0));
  const clock = hour === undefined ? {} : { timeStyle: 'short' as const };
  return new Date(time).toLocaleString(LOCALE, { timeZone: 'UTC', dateStyle: 'long', ...clock });
}

function exactly(time: number): string {
  return new Date(time).toLocaleString(LOCALE, { dateStyle: 'long', timeStyle: 'medium' });
}
