/** A date with time as stored in a file. */
export interface EmbeddedDate {
  /** `2024-05-06T07:08:09`, followed by `Z` or `+02:00` if the file states it. */
  readonly text: string;
  /** Milliseconds since 1970. Without an offset, it is taken as local time of the server. */
  readonly at: number;
}

const MIN_YEAR = 1800;
/** Of an offset, east or west. */
const MAX_MINUTES = 14 * 60;
/** Some cameras write blanks in place of zeros. */
const DATE = /^\s*(\d{4})[-:./]\s?(\d{1,2})[-:./]\s?(\d{1,2})/;
/** Some write a colon before the time as well. */
const TIME = /^(?:[T\s,]+|:\s?(?=\d{1,2}:))(\d{1,2})[:.]\s?(\d{1,2})(?:[:.]\s?(\d{1,2}))?(?:[.,](\d{1,9}))?/;
/** Cameras and programs also write one digit of the hour, and the sign for minus. */
const OFFSET = /^\s*(Z|[+\u2212-]\d{1,2}(?::?\d{2})?(?!\d))/i;

/**
 * Dates of EXIF (`2024:05:06 07:08:09`), of XMP and documents (ISO 8601), and ISO 8601 with only the day or without seconds.
 * @param offset if separate, as in EXIF
 * @param fraction digits of a second, as in EXIF
 * @returns null for anything else, and for impossible dates; of an impossible time, only the day counts
 */
export function embeddedDateOf(value: unknown, offset?: unknown, fraction?: unknown): EmbeddedDate | null {
  if (typeof value !== 'string') return null;
  const date = DATE.exec(value.slice(0, 80));
  if (date === null) return null;
  const [, year, month, day] = date;
  const rest = value.slice(date[0].length, 80);
  const time = TIME.exec(rest);
  const [, hour = '0', minute = '0', second = '0', part = ''] = time ?? [];
  const zone = offsetOf(time === null ? '' : rest.slice(time[0].length)) ?? offsetOf(offset);
  const milliseconds = Math.trunc(Number(`0.${part || digits(fraction)}`) * 1000);
  return moment([year, month, day, hour, minute, second].map(Number), milliseconds, zone);
}

/** Dates of PDF: `D:20240506070809+02'00'` (ISO 32000-1, 7.9.4), possibly truncated. */
export function pdfDateOf(value: unknown): EmbeddedDate | null {
  const match =
    typeof value === 'string'
      ? /^\s*(?:D:)?(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?(Z|[+-]\d{2})?'?(\d{2})?/.exec(value)
      : null;
  if (match === null) return null;
  const [, year, month = '1', day = '1', hour = '0', minute = '0', second = '0', hours, minutes = '00'] = match;
  const offset = hours === undefined || hours === 'Z' ? hours : `${hours}:${minutes}`;
  return moment([year, month, day, hour, minute, second].map(Number), 0, offset);
}

/** @param seconds since `epoch`, which is in milliseconds since 1970 */
export function dateAt(seconds: number, epoch: number): EmbeddedDate | null {
  const at = epoch + Math.trunc(seconds * 1000);
  const date = new Date(at);
  if (seconds <= 0 || Number.isNaN(date.getTime())) return null;
  return embeddedDateOf(date.toISOString());
}

function moment(numbers: readonly number[], fraction: number, zone: string | undefined): EmbeddedDate | null {
  const [year = 0, month = 0, day = 0] = numbers;
  const [hour, minute, second, milliseconds] = timeOf(numbers.slice(3), fraction);
  const utc = Date.UTC(year, month - 1, day, hour, minute, second, milliseconds);
  const isDay = new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day && month >= 1 && month <= 12;
  if (year < MIN_YEAR || !isDay) return null;
  const text = new Date(utc).toISOString().slice(0, 19);
  if (zone === undefined) {
    return { text, at: new Date(year, month - 1, day, hour, minute, second, milliseconds).getTime() };
  }
  const minutes = minutesOf(zone);
  return { text: text + (/^z$/i.test(zone) ? 'Z' : offsetText(minutes)), at: utc - minutes * 60_000 };
}

/** Cameras write the first hour of a day as 24, too, and programs a leap second. Without a possible time the day begins. */
function timeOf([hour = 0, minute = 0, second = 0]: readonly number[], milliseconds: number) {
  if (hour > 24 || minute > 59 || second > 60) return [0, 0, 0, 0] as const;
  return [hour % 24, minute, Math.min(second, 59), milliseconds] as const;
}

/** @returns minutes east of Greenwich */
function minutesOf(offset: string): number {
  if (/^z$/i.test(offset)) return 0;
  const [, sign, hours, minutes] = /^([+\u2212-])(\d{1,2}):?(\d{2})?$/.exec(offset) ?? [];
  const total = Number(hours) * 60 + Number(minutes ?? 0);
  return sign === '+' ? total : -total;
}

function offsetText(minutes: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? '-' : '+'}${two(hours)}:${two(rest)}`;
}

/** @returns undefined for what is further than any place on earth, too */
function offsetOf(value: unknown): string | undefined {
  const zone = typeof value === 'string' ? OFFSET.exec(value)?.[1] : undefined;
  return zone === undefined || Math.abs(minutesOf(zone)) > MAX_MINUTES ? undefined : zone;
}

function digits(value: unknown): string {
  return typeof value === 'string' ? (/^\d{1,9}/.exec(value)?.[0] ?? '0') : '0';
}
