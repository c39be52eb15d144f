/** What a number format (ECMA-376, part 1, 18.8.31) makes of a number. */
export type DateFormat = (serial: number) => string;

/**
 * `words`: as ISO 8601 has it and, if that is different, as English programs show it, to be found either way. `shown`: as the format
 * says; where the language would decide on the order, as ISO 8601 has it.
 */
export type DateForm = 'words' | 'shown';

/** Days from 30 December 1899 to 1 January 1904, where old workbooks of the Macintosh begin. */
const FROM_1904 = 1_462;
const DAY = 86_400_000;
/** 30 December 1899. The days before March 1900 are one off, because the format has a 29 February 1900. */
const FIRST = Date.UTC(1899, 11, 30);
const LEAP_BUG = 60;
/** 31 December 9999. */
const LAST = 2_958_466;

/** The formats of dates that have a number only, as in English (18.8.30); those of East Asia as ISO 8601 has them. */
const BUILT_IN: ReadonlyMap<number, string> = new Map([
  [14, 'mm/dd/yy'],
  [15, 'd-mmm-yy'],
  [16, 'd-mmm'],
  [17, 'mmm-yy'],
  [18, 'h:mm AM/PM'],
  [19, 'h:mm:ss AM/PM'],
  [20, 'h:mm'],
  [21, 'h:mm:ss'],
  [22, 'm/d/yy h:mm'],
  [45, 'mm:ss'],
  [46, '[h]:mm:ss'],
  [47, 'mm:ss'],
  ...[27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58].map((id) => [id, 'yyyy-mm-dd'] as const),
  ...[32, 33, 34, 35, 55, 56].map((id) => [id, 'h:mm:ss'] as const),
]);

/** The formats whose order of day and month the language decides. */
const OF_LANGUAGE: ReadonlySet<string> = new Set(['mm/dd/yy', 'mm-dd-yy', 'm/d/yy', 'm/d/yy h:mm']);

/** Literal texts, escapes, colours and conditions, then the letters of dates and times. */
const PARTS =
  /"([^"]*)"|\\(.)|[_*].|\[(h+|m+|s+)\]|\[[^\]]*\]|(am\/pm|a\/p)|general|(y+|m+|d+|h+|s+(?:\.0+)?|e+|g+|b+)|./gis;
/** UTF-16 units of a format: longer ones are not genuine. */
const MAX_FORMAT = 255;

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const WEEKDAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

interface Part {
  readonly kind: 'text' | 'elapsed' | 'half' | 'letters';
  readonly text: string;
}

/**
 * The date that cells with a number format show.
 * @param code of the format; undefined for one that is built in
 * @returns null for a format of other numbers
 */
export function dateFormatOf(
  id: number,
  code: string | undefined,
  is1904: boolean,
  form: DateForm = 'words',
): DateFormat | null {
  const text = code ?? BUILT_IN.get(id);
  if (text === undefined || text.length > MAX_FORMAT) return null;
  const parts = partsOf(text);
  const letters = parts.filter(({ kind }) => kind !== 'text').map(({ text: one }) => one.toLowerCase()[0]);
  if (letters.length === 0) return null;
  const hasDate = parts.some(
    ({ kind, text: one }, index) =>
      kind === 'letters' && (/^[ydeg]/i.test(one) || (/^m/i.test(one) && isMonth(parts, index))),
  );
  const hasTime = letters.some((letter) => letter === 'h' || letter === 's');
  return (serial) => {
    const days = serial + (is1904 ? FROM_1904 : 0);
    if (!(days >= 0 && days < LAST)) return '';
    // To the millisecond, as programs show it: a third of a day is no exact number.
    const time = FIRST + Math.round((days + (days >= 1 && days < LEAP_BUG ? 1 : 0)) * DAY);
    const iso = isoOf(new Date(time), hasDate, hasTime);
    const shown = shownAs(parts, new Date(time), days).trim();
    if (form === 'shown') return iso !== '' && OF_LANGUAGE.has(text.toLowerCase()) ? iso : shown;
    return iso === '' || iso === shown ? shown : `${iso} ${shown}`;
  };
}

/** Only of positive numbers: what is after a semicolon is for others. */
function partsOf(code: string): Part[] {
  const parts: Part[] = [];
  for (const [whole, quoted, escaped, elapsed, half, letters] of code.matchAll(PARTS)) {
    if (whole === ';') break;
    if (elapsed !== undefined) parts.push({ kind: 'elapsed', text: elapsed });
    else if (half !== undefined) parts.push({ kind: 'half', text: half });
    else if (letters !== undefined) parts.push({ kind: 'letters', text: letters });
    else if (!/^[[_*]/.test(whole)) parts.push({ kind: 'text', text: quoted ?? escaped ?? whole });
  }
  // Digits stand for other numbers.
  return parts.some(({ kind, text }) => kind === 'text' && /^(?:[0#?]|general)$/i.test(text)) ? [] : parts;
}

/** `m` means minutes after hours and before seconds. */
function isMonth(parts: readonly Part[], index: number): boolean {
  if ((parts[index]?.text.length ?? 0) > 2) return true;
  const others = (from: readonly Part[]) => from.find(({ kind }) => kind === 'letters' || kind === 'elapsed');
  const before = others(parts.slice(0, index).reverse());
  const after = others(parts.slice(index + 1));
  return !/^h/i.test(before?.text ?? '') && !/^s/i.test(after?.text ?? '');
}

function isoOf(date: Date, hasDate: boolean, hasTime: boolean): string {
  if (!hasDate) return '';
  const iso = date.toISOString();
  return hasTime ? iso.slice(0, 16).replace('T', ' ') : iso.slice(0, 10);
}

function shownAs(parts: readonly Part[], date: Date, days: number): string {
  const isHalf = parts.some(({ kind }) => kind === 'half');
  return parts
    .map(({ kind, text }, index) => {
      if (kind === 'text') return text;
      if (kind === 'elapsed') return elapsedIn(days, text);
      if (kind === 'half')
        return date.getUTCHours() < 12 ? text.slice(0, text.indexOf('/')) : text.slice(text.indexOf('/') + 1);
      return lettersAs(text.toLowerCase(), date, { isHalf, isMonth: isMonth(parts, index) });
    })
    .join('');
}

function elapsedIn(days: number, unit: string): string {
  const perDay = { h: 24, m: 1_440, s: 86_400 }[unit[0]?.toLowerCase() ?? ''] ?? 1;
  return String(Math.floor(days * perDay + 1e-6)).padStart(unit.length, '0');
}

function lettersAs(letters: string, date: Date, how: { readonly isHalf: boolean; readonly isMonth: boolean }): string {
  const padded = (value: number) =>
    String(value).padStart(letters.startsWith('s') ? (letters.split('.')[0]?.length ?? 1) : letters.length, '0');
  switch (letters[0]) {
    case 'y':
    case 'e':
      return letters.length > 2 || letters[0] === 'e'
        ? String(date.getUTCFullYear())
        : String(date.getUTCFullYear() % 100).padStart(2, '0');
    case 'd':
      return letters.length > 2
        ? shortened(WEEKDAYS[date.getUTCDay()], letters.length === 3)
        : padded(date.getUTCDate());
    case 'h':
      return padded(how.isHalf ? ((date.getUTCHours() + 11) % 12) + 1 : date.getUTCHours());
    case 's':
      return padded(date.getUTCSeconds());
    case 'm':
      if (!how.isMonth) return padded(date.getUTCMinutes());
      return letters.length > 2
        ? shortened(MONTHS[date.getUTCMonth()], letters.length === 3)
        : padded(date.getUTCMonth() + 1);
    default:
      return '';
  }
}

function shortened(name: string | undefined, isShort: boolean): string {
  return isShort ? (name ?? '').slice(0, 3) : (name ?? '');
}
