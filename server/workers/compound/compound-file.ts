import { readAt } from '../inherited-file.ts';
import { JobError } from '../job-error.ts';

// The container of Office files before 2007: a small file system ([MS-CFB]). Only what is asked for is read, so that a damaged or
// hostile one costs no more than its table of sectors.

/** Bytes of a stream with the text of a document; most pictures are in streams of their own. */
export const MAX_STREAM = 64 * 1024 * 1024;
const SIGNATURE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const HEADER = 512;
/** Numbers of sectors from here on are marks, such as the end of a chain ([MS-CFB] 2.1). */
const FIRST_MARK = 0xff_ff_ff_fa;
const NONE = 0xff_ff_ff_ff;
const ENTRY = 128;
const ENTRIES = 65_536;
const STREAM = 2;
/** Sizes of sectors as powers of two: of version 3 and 4, and of the short ones. */
const SHIFTS: ReadonlySet<number> = new Set([9, 12]);
const SHORT_SHIFT = 6;
const SHORT = 2 ** SHORT_SHIFT;

/** Whether the file begins like a compound file. */
export function isCompoundFile(fd: number): boolean {
  return readAt(fd, 0, SIGNATURE.length).equals(SIGNATURE);
}

/** The sectors of a stream, in order: where each begins, in the file or in the stream of the short ones. */
type Sectors = readonly number[];

interface Entry {
  readonly name: string;
  readonly type: number;
  readonly left: number;
  readonly right: number;
  readonly child: number;
  readonly start: number;
  readonly size: number;
}

export class CompoundFile {
  readonly #fd: number;
  readonly #size: number;
  readonly #shift: number;
  readonly #header: Buffer;
  /** The sector after each, or a mark. */
  readonly #next: Uint32Array;
  #streams: ReadonlyMap<string, Entry> | null = null;
  #root: Entry | null = null;
  #short: { readonly next: Uint32Array; readonly content: Buffer } | null = null;

  /** @param size of the file, in bytes @throws JobError `unsupported` if it is none, `corrupt` if it is damaged */
  constructor(fd: number, size: number) {
    this.#fd = fd;
    this.#size = size;
    this.#header = readAt(fd, 0, HEADER);
    if (this.#header.length < HEADER || !isCompoundFile(fd)) {
      throw new JobError('unsupported', 'no document of this kind');
    }
    this.#shift = this.#header.readUInt16LE(30);
    if (!SHIFTS.has(this.#shift) || this.#header.readUInt16LE(32) !== SHORT_SHIFT) {
      throw new JobError('corrupt', 'sectors of an unknown size');
    }
    this.#next = this.#table(this.#tableSectors());
  }

  /** Whether there is a stream of this name at the top. */
  has(name: string): boolean {
    return this.#named().has(name);
  }

  /**
   * The content of a stream at the top; streams of embedded documents have the same names, and are not meant.
   * @param limit bytes; the rest is not read
   * @returns null if there is none; a chain that breaks off gives what is there
   */
  stream(name: string, limit: number): Buffer | null {
    const entry = this.#named().get(name);
    if (entry === undefined) return null;
    const isShort = entry.size < this.#header.readUInt32LE(56);
    const size = Math.min(entry.size, limit);
    if (!isShort) return this.#content(entry.start, size);
    const { next, content } = this.#shortSectors();
    const starts = chain(next, entry.start, size, SHORT_SHIFT).map((sector) => sector * SHORT);
    return Buffer.concat(starts.map((start) => content.subarray(start, start + SHORT))).subarray(0, size);
  }

  #content(start: number, size: number): Buffer {
    return this.#read(chain(this.#next, start, size, this.#shift)).subarray(0, size);
  }

  /** Sectors that follow one another in the file are read at once. */
  #read(sectors: Sectors): Buffer {
    const parts: Buffer[] = [];
    for (let index = 0; index < sectors.length; ) {
      const first = sectors[index] ?? 0;
      let count = 1;
      while (sectors[index + count] === first + count) count += 1;
      // The header takes the place of a sector.
      parts.push(readAt(this.#fd, (first + 1) * 2 ** this.#shift, count * 2 ** this.#shift));
      index += count;
    }
    return Buffer.concat(parts);
  }

  /** The sectors with the table of all sectors: the first 109 are in the header, others in sectors of their own ([MS-CFB] 2.5). */
  #tableSectors(): number[] {
    // As many as the sectors of the file need, which have four bytes each.
    const most = this.#sectorsOf(this.#sectorsOf(this.#size) * 4);
    const count = Math.min(this.#header.readUInt32LE(44), most);
    const sectors: number[] = [];
    for (let at = 76; at < HEADER && sectors.length < count; at += 4) sectors.push(this.#header.readUInt32LE(at));
    const last = 2 ** this.#shift - 4;
    let more = this.#header.readUInt32LE(68);
    while (sectors.length < count && more < FIRST_MARK) {
      const sector = this.#read([more]);
      if (sector.length < last + 4) break;
      for (let at = 0; at < last && sectors.length < count; at += 4) sectors.push(sector.readUInt32LE(at));
      more = sector.readUInt32LE(last);
    }
    return sectors;
  }

  #sectorsOf(bytes: number): number {
    return Math.ceil(bytes / 2 ** this.#shift);
  }

  #table(sectors: Sectors): Uint32Array {
    const content = this.#read(sectors.filter((sector) => sector < FIRST_MARK));
    return Uint32Array.from({ length: Math.floor(content.length / 4) }, (_, index) => content.readUInt32LE(index * 4));
  }

  #named(): ReadonlyMap<string, Entry> {
    if (this.#streams !== null) return this.#streams;
    const content = this.#content(this.#header.readUInt32LE(48), ENTRIES * ENTRY);
    const entries: Entry[] = [];
    for (let at = 0; at + ENTRY <= content.length; at += ENTRY) entries.push(entryAt(content, at));
    const [root] = entries;
    if (root === undefined) throw new JobError('corrupt', 'no directory');
    this.#root = root;
    const named = new Map<string, Entry>();
    // A tree in the file: each entry is visited once, however it is linked.
    const waiting = [root.child];
    const seen = new Set<number>();
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const entry = entries[id];
      if (entry === undefined || seen.has(id)) continue;
      seen.add(id);
      waiting.push(entry.left, entry.right);
      if (entry.type === STREAM) named.set(entry.name, entry);
    }
    this.#streams = named;
    return named;
  }

  #shortSectors() {
    this.#short ??= {
      next: this.#table(chain(this.#next, this.#header.readUInt32LE(60), this.#size, this.#shift)),
      content: this.#content(this.#root?.start ?? NONE, Math.min(this.#root?.size ?? 0, this.#size)),
    };
    return this.#short;
  }
}

function entryAt(content: Buffer, at: number): Entry {
  const length = Math.min(64, content.readUInt16LE(at + 64));
  return {
    name: content.toString('utf16le', at, at + Math.max(0, length - 2)),
    type: content[at + 66] ?? 0,
    left: content.readUInt32LE(at + 68),
    right: content.readUInt32LE(at + 72),
    child: content.readUInt32LE(at + 76),
    start: content.readUInt32LE(at + 116),
    size: content.readUInt32LE(at + 120),
  };
}

/** The sectors of so many bytes. A chain that turns back ends after as many as there are. */
function chain(next: Uint32Array, start: number, bytes: number, shift: number): number[] {
  const most = Math.min(next.length, Math.ceil(bytes / 2 ** shift));
  const sectors: number[] = [];
  for (let sector = start; sector < next.length && sectors.length < most; sector = next[sector] ?? NONE) {
    sectors.push(sector);
  }
  return sectors;
}
