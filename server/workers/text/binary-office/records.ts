/** A record of a workbook, with those that continue it. */
export interface BiffRecord {
  /** Where it begins in its stream. */
  readonly at: number;
  readonly type: number;
  readonly data: Buffer;
  readonly more: readonly Buffer[];
}

const CONTINUE = 0x3c;
/** Records that continue one other, of which each may have 8,224 bytes. More are not genuine. */
const MAX_CONTINUED = 10_000;

/** The records of a workbook ([MS-XLS] 2.1.4): a type, a length, and at most 8,224 bytes; longer ones are continued. */
export function* recordsIn(content: Buffer): Generator<BiffRecord> {
  let current: { at: number; type: number; data: Buffer; more: Buffer[] } | null = null;
  for (let at = 0; at + 4 <= content.length; ) {
    const type = content.readUInt16LE(at);
    const end = at + 4 + content.readUInt16LE(at + 2);
    const data = content.subarray(at + 4, end);
    const start = at;
    at = end;
    if (type === CONTINUE) {
      if (current !== null && current.more.length < MAX_CONTINUED) current.more.push(data);
      continue;
    }
    if (current !== null) yield current;
    current = { at: start, type, data, more: [] };
  }
  if (current !== null) yield current;
}

const IS_WIDE = 0x1;
const HAS_READING = 0x4;
const HAS_RUNS = 0x8;

/** Reads texts of a record and of those that continue it ([MS-XLS] 2.5.293, 2.5.294). */
export class StringReader {
  readonly #parts: Buffer[];
  #index = 0;
  #at = 0;

  constructor(parts: Buffer[]) {
    this.#parts = parts;
  }

  get isAtEnd(): boolean {
    return this.#rest().length === 0;
  }

  /** An unsigned number of so many bytes; zero behind the end. */
  number(size: 2 | 4): number {
    const bytes = this.bytes(size);
    return bytes.length < size ? 0 : bytes.readUIntLE(0, size);
  }

  /** So many bytes; fewer at the end. */
  bytes(count: number): Buffer {
    const read: Buffer[] = [];
    for (let left = count; left > 0; ) {
      const piece = this.#rest().subarray(0, left);
      if (piece.length === 0) break;
      read.push(piece);
      this.#at += piece.length;
      left -= piece.length;
    }
    return read.length === 1 && read[0] !== undefined ? read[0] : Buffer.concat(read);
  }

  /** The letters after their number. Where they go on in another record, their width is told again. */
  text(count: number): string {
    const flags = this.bytes(1)[0] ?? 0;
    const runs = (flags & HAS_RUNS) === 0 ? 0 : this.number(2);
    const reading = (flags & HAS_READING) === 0 ? 0 : this.number(4);
    let isWide = (flags & IS_WIDE) !== 0;
    let text = '';
    while (text.length < count) {
      const width = isWide ? 2 : 1;
      const here = this.#parts[this.#index]?.subarray(this.#at) ?? Buffer.alloc(0);
      const piece = here.subarray(0, Math.min(count - text.length, Math.floor(here.length / width)) * width);
      text += piece.toString(isWide ? 'utf16le' : 'latin1');
      this.#at += piece.length;
      if (piece.length > 0) continue;
      if (this.#index >= this.#parts.length - 1) break;
      isWide = ((this.#nextPart()[0] ?? 0) & IS_WIDE) !== 0;
      this.#at = 1;
    }
    // Formatting, and the readings of Japanese words.
    this.#skip(runs * 4 + reading);
    return text;
  }

  #skip(count: number): void {
    for (let left = count; left > 0; ) {
      const here = Math.min(left, this.#rest().length);
      if (here === 0) return;
      this.#at += here;
      left -= here;
    }
  }

  /** What is left of this record, or the next. */
  #rest(): Buffer {
    let here = this.#parts[this.#index]?.subarray(this.#at) ?? Buffer.alloc(0);
    while (here.length === 0 && this.#index < this.#parts.length - 1) here = this.#nextPart();
    return here;
  }

  #nextPart(): Buffer {
    this.#index += 1;
    this.#at = 0;
    return this.#parts[this.#index] ?? Buffer.alloc(0);
  }
}
