import type ZipStream from 'zip-stream';

/** APPNOTE 4.5.5: units of 100 nanoseconds since 1601, three times. */
const NTFS = 0x000a;
const NTFS_LENGTH = 4 + 32;
const SINCE_1601 = 11_644_473_600_000;
/** `extrafld.txt` of Info-ZIP: seconds since 1970, in 32 bits. */
const UNIX = 0x5455;
const UNIX_LENGTH = 4 + 5;

/** Local times of DOS, from 1980 to 2107 (APPNOTE 4.4.6). */
const FIRST_DOS = (1 << 21) | (1 << 16);
const LAST_DOS = ((127 << 25) | (12 << 21) | (31 << 16) | (23 << 11) | (59 << 5) | 29) >>> 0;

/**
 * The time of a file in UTC, as fields of both headers of its entry. Programs for Unix read the seconds, and most of them without a
 * sign: 1970 to 2106. 7-Zip and Windows read the other field, which has all times of a file system; it comes first.
 * @param mtime milliseconds since the epoch
 */
function timeFields(mtime: number): Buffer {
  const fields = Buffer.alloc(timeFieldsLength(mtime));
  fields.writeUInt16LE(NTFS, 0);
  fields.writeUInt16LE(NTFS_LENGTH - 4, 2);
  // After four reserved bytes, an attribute 1 of 24 bytes: changed, read, created.
  fields.writeUInt16LE(1, 8);
  fields.writeUInt16LE(24, 10);
  const units = BigInt(Math.max(0, Math.floor(mtime) + SINCE_1601)) * 10_000n;
  for (const at of [12, 20, 28]) fields.writeBigUInt64LE(units, at);
  if (fields.length > NTFS_LENGTH) {
    fields.writeUInt16LE(UNIX, NTFS_LENGTH);
    fields.writeUInt16LE(UNIX_LENGTH - 4, NTFS_LENGTH + 2);
    // Only the time of the change.
    fields.writeUInt8(1, NTFS_LENGTH + 4);
    fields.writeUInt32LE(Math.floor(mtime / 1_000), NTFS_LENGTH + 5);
  }
  return fields;
}

/** Bytes of the fields. */
export function timeFieldsLength(mtime: number): number {
  const seconds = Math.floor(mtime / 1_000);
  return NTFS_LENGTH + (seconds >= 0 && seconds < 2 ** 32 ? UNIX_LENGTH : 0);
}

/** The local time as DOS has it, or the nearest that it has. */
function dosTime(mtime: number): number {
  const date = new Date(mtime);
  const year = date.getFullYear() - 1980;
  if (year < 0) return FIRST_DOS;
  if (year > 127) return LAST_DOS;
  const day = (year << 25) | ((date.getMonth() + 1) << 21) | (date.getDate() << 16);
  return (day | (date.getHours() << 11) | (date.getMinutes() << 5) | (date.getSeconds() >> 1)) >>> 0;
}

/** An entry as the writer has it. */
interface Entry {
  getTimeDos(): number;
  getLocalFileDataExtra(): Buffer;
  getCentralDirectoryExtra(): Buffer;
  /** The ZIP64 field, once it is known to be needed. */
  getExtra(): Buffer;
}

type Normalizing = ZipStream & { _normalizeEntry(entry: Entry): void };

/**
 * Lets a writer add the times of its entries in UTC, and the whole range of DOS: by itself it has no further fields, and no time after
 * 2043.
 * @param mtime of the entry that is being added. Milliseconds since the epoch
 */
export function writeTimes(zip: ZipStream, mtime: () => number): void {
  const writer = zip as Normalizing;
  const normalize = writer._normalizeEntry.bind(writer);
  writer._normalizeEntry = (entry) => {
    normalize(entry);
    const time = mtime();
    const fields = timeFields(time);
    entry.getTimeDos = () => dosTime(time);
    entry.getLocalFileDataExtra = () => fields;
    entry.getCentralDirectoryExtra = () => Buffer.concat([fields, entry.getExtra()]);
  };
}
