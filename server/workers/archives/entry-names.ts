import { isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';
import type { Entry } from 'yauzl';
import { decodedStrictly, decoderOf } from '../encodings/decoders.ts';
import { encodingOfNames } from '../encodings/guess.ts';

/** The flag of an entry whose name is in UTF-8 (APPNOTE 4.4.4, bit 11). */
export const UTF8 = 0x800;
/** The field with the name in UTF-8 (APPNOTE 4.6.9). */
const UNICODE_PATH = 0x7075;

/** Systems on which a backslash separates folders (APPNOTE 4.4.2): FAT, OS/2, NTFS, VFAT. */
const WITH_BACKSLASHES = new Set([0, 6, 10, 14]);

/** Bytes of names from which their encoding is guessed. */
const SAMPLE = 64 * 1024;
/** Bytes outside ASCII up to which a name in an encoding of two bytes per character may be valid UTF-8 by accident. */
const SHORT = 4;

type Named = Pick<Entry, 'generalPurposeBitFlag' | 'fileNameRaw' | 'extraFields' | 'versionMadeBy'>;

/** Reads the names of an archive's entries, which may be in an encoding that the archive does not state. */
export class EntryNames {
  readonly #entries: () => AsyncIterable<Named>;
  #encoding: Promise<string | null> | null = null;

  /** @param entries all of the archive, read again: only an archive with names in an unknown encoding needs them */
  constructor(entries: () => AsyncIterable<Named>) {
    this.#entries = entries;
  }

  /**
   * The path of an entry, with slashes; that of a folder ends in one. A `.` in it is left out, as programs write them that are given
   * the folder itself. Empty for the folder that contains everything.
   */
  async pathOf(entry: Named): Promise<string> {
    const name = stated(entry) ?? (await this.#decoded(entry.fileNameRaw));
    const path = WITH_BACKSLASHES.has(entry.versionMadeBy >> 8) ? name.replaceAll('\\', '/') : name;
    if (/^(?:\/*|\.)$/.test(path)) return '';
    const isFolder = path.endsWith('/');
    const segments = (isFolder ? path.slice(0, -1) : path).split('/');
    // Two slashes are one. A path that begins with one stays absolute.
    const known = segments.filter((segment, index) => segment !== '.' && (segment !== '' || index === 0));
    // "a/." is the folder too.
    return known.join('/') + (known.length > 0 && (isFolder || segments.at(-1) === '.') ? '/' : '');
  }

  async #decoded(raw: Buffer): Promise<string> {
    if (isAscii(raw)) return raw.toString('latin1');
    this.#encoding ??= this.#guess();
    const encoding = await this.#encoding;
    const utf8 = isUtf8(raw) ? raw.toString('utf8') : null;
    if (encoding === null) return utf8 ?? '';
    if (utf8 !== null && !isShortIdeographs(raw, encoding)) return utf8;
    return decodeIn(raw, encoding);
  }

  /** @returns null if all names are valid UTF-8, as macOS writes them without the flag */
  async #guess(): Promise<string | null> {
    const sample: Buffer[] = [];
    let length = 0;
    for await (const entry of this.#entries()) {
      const { fileNameRaw: raw } = entry;
      if (stated(entry) !== null || isUtf8(raw)) continue;
      sample.push(raw, Buffer.from('\n'));
      length += raw.length;
      if (length > SAMPLE) break;
    }
    return sample.length === 0 ? null : encodingOfNames(Buffer.concat(sample));
  }
}

/** The name as the archive states it. @returns null if it does not state the encoding */
function stated({ generalPurposeBitFlag: flags, fileNameRaw: raw, extraFields }: Named): string | null {
  // Some programs set the flag for names in their own encoding, which are then read like those without it.
  if ((flags & UTF8) !== 0 && isUtf8(raw)) return raw.toString('utf8');
  for (const { id, data } of extraFields) {
    // The field of a name that was changed since is void.
    const isValid = id === UNICODE_PATH && data.length > 5 && data[0] === 1 && data.readUInt32LE(1) === crc32(raw);
    if (isValid && isUtf8(data.subarray(5))) return data.subarray(5).toString('utf8');
  }
  return null;
}

/** In its own words a name may differ from the others, so no byte is lost: the last resort has a meaning for each. */
function decodeIn(raw: Buffer, encoding: string): string {
  const own = [encoding, encodingOfNames(raw)]
    .map((one) => decodedStrictly(raw, one, false))
    .find((name) => name !== null);
  return own ?? decoderOf('cp437')?.decode(raw) ?? raw.toString('latin1');
}

/** Not within a word of Latin letters. */
function isShortIdeographs(raw: Buffer, encoding: string): boolean {
  const isInWord = /[a-z][\x80-\xff]|[\x80-\xff][a-z]/i.test(raw.toString('latin1'));
  if (isInWord || raw.filter((byte) => byte > 0x7f).length > SHORT) return false;
  const name = decodedStrictly(raw, encoding, false);
  return (
    name !== null && /^[\0-\x7f\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]*$/u.test(name)
  );
}

function isAscii(raw: Buffer): boolean {
  return raw.every((byte) => byte <= 0x7f);
}
