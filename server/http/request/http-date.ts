const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const LONG_DAY = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day';
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const TIME = '\\d\\d:\\d\\d:\\d\\d';

/** The present format, and the two obsolete ones that a recipient has to accept. The last one has no zone. */
const WITH_ZONE = new RegExp(`^(?:${DAY}, \\d\\d ${MONTH} \\d{4}|${LONG_DAY}, \\d\\d-${MONTH}-\\d\\d) ${TIME} GMT$`);
const ASCTIME = new RegExp(`^${DAY} ${MONTH} [ \\d]\\d ${TIME} \\d{4}$`);

/**
 * A date of a header (RFC 9110 §5.6.7), in milliseconds since the epoch.
 * @returns null for anything else, although `Date.parse` may read a date into it
 */
export function httpDate(field: string): number | null {
  const text = field.trim();
  const time = WITH_ZONE.test(text) ? Date.parse(text) : ASCTIME.test(text) ? Date.parse(`${text} GMT`) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}
