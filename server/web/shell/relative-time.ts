import { HOUR, MINUTE } from '../../lib/clock.ts';
import { daysBetween, isoSeconds } from '../../lib/datetime.ts';
import { type Html, html } from '../../lib/text/html.ts';
import { texts } from './texts.ts';

/** A moment as people say it, in the household's time zone, with the exact one behind it. */
export function when(time: number, now: number): Html {
  return html`<time datetime="${isoSeconds(time)}" title="${exactly(time)}">${spoken(time, now)}</time>`;
}

/** The same without the exact one. */
export function spoken(time: number, now: number): string {
  const { dates } = texts;
  const age = now - time;
  if (age >= 0 && age < MINUTE) return dates.now;
  if (age >= 0 && age < HOUR) return dates.minutes(Math.floor(age / MINUTE));
  const clock = new Date(time).toLocaleTimeString(dates.locale, { hour: '2-digit', minute: '2-digit' });
  const days = daysBetween(time, now);
  if (days === 0) return dates.today(clock);
  if (days === 1) return dates.yesterday(clock);
  const isThisYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  const year = isThisYear ? {} : { year: 'numeric' as const };
  return new Date(time).toLocaleDateString(dates.locale, { day: 'numeric', month: 'long', ...year });
}

/** A day, or a moment, as a file says it (ISO 8601): the time of day is that of the place where it was. */
export function written(text: string): string {
  const [, year, month, day, hour, minute] = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d))?/.exec(text) ?? [];
  if (year === undefined) return text;
  const time = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour ?? 0), Number(minute ?? 0));
  const clock = hour === undefined ? {} : { timeStyle: 'short' as const };
  return new Date(time).toLocaleString(texts.dates.locale, { timeZone: 'UTC', dateStyle: 'long', ...clock });
}

function exactly(time: number): string {
  return new Date(time).toLocaleString(texts.dates.locale, { dateStyle: 'long', timeStyle: 'medium' });
}
