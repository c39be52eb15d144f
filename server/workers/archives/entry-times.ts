import type { Entry } from 'yauzl';

/** Fields with the time in UTC: seconds of Unix, and units of 100 ns of NTFS (APPNOTE 4.5.5; `extrafld.txt` of Info-ZIP). */
const IN_UTC = new Set([0x5455, 0x000a]);

/** The local time of DOS begins in 1980: programs write its first day for times that they do not know. */
const EARLIEST = Date.UTC(1980, 0, 2);
/** Seconds of Unix are signed. Programs that write later times take them as unsigned. */
const SIGN = 2 ** 32 * 1_000;
const LATE = Date.UTC(2038, 0, 1);

/** When a content was changed, in milliseconds since the epoch; NaN if unknown. No time is in the future. */
export function timeOf(entry: Pick<Entry, 'getLastModDate' | 'extraFields'>): number {
  const stated = entry.getLastModDate().getTime();
  const ofDos = entry.getLastModDate({ forceDosFormat: true }).getTime();
  const isInUtc = entry.extraFields.some(({ id }) => IN_UTC.has(id)) && stated !== ofDos;
  const time = isInUtc && stated < 0 && ofDos >= LATE ? stated + SIGN : stated;
  // Programs write 0 for no time.
  const isKnown = isInUtc ? time !== 0 : time >= EARLIEST;
  return isKnown && time <= Date.now() ? time : Number.NaN;
}
