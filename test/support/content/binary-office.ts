import * as CFB from 'cfb';

// Files of Office before 2007, in compound files that another program writes.

/** @param streams by their paths; those of embedded documents have folders */
export function compoundFile(streams: Readonly<Record<string, Uint8Array>>): Buffer {
  const container = CFB.utils.cfb_new();
  CFB.utils.cfb_del(container, '/\u0001Sh33tJ5');
  for (const [path, content] of Object.entries(streams)) CFB.utils.cfb_add(container, `/${path}`, Buffer.from(content));
  return Buffer.from(CFB.write(container, { type: 'buffer' }) as Uint8Array);
}

const numbers = (...values: number[]) => Buffer.from(Uint32Array.from(values).buffer);

interface WordParts {
  /** Pieces in the order of the text; each with its bytes, or letters of two bytes. */
  readonly pieces: readonly (string | Buffer)[];
  readonly version?: number;
  readonly flags?: number;
  /** By its number ([MS-LCID]). */
  readonly language?: number;
}

const PIECES_97 = 0x1_a2;
const PIECES_6 = 0x1_60;
const TEXT = 0x4_00;

/** The streams of a document of Word 97 and later. Its pieces are stored in the other order than they are read. */
export function wordStreams({ pieces, version = 193, flags = 0x2_00 }: WordParts) {
  const header = Buffer.alloc(TEXT);
  header.writeUInt16LE(0xa5_ec, 0);
  header.writeUInt16LE(version, 2);
  header.writeUInt16LE(flags, 10);
  const { stored, limits, places } = laidOut(pieces, (piece, start) =>
    typeof piece === 'string' ? start : (start * 2) | 0x40_00_00_00,
  );
  // A record of formatting first.
  const list = Buffer.concat([Buffer.from([1, 2, 0, 0xaa, 0xbb]), listOf(limits, places)]);
  const table = Buffer.concat([Buffer.alloc(16), list]);
  numbers(16, list.length).copy(header, PIECES_97);
  return { WordDocument: Buffer.concat([header, stored]), [(flags & 0x2_00) === 0 ? '0Table' : '1Table']: table };
}

/** A document of Word 6 or 95: letters have one byte. With the flag of pieces, their list is in the same stream. */
export function oldWordStreams({ pieces, version = 104, flags = 0, language = 0x4_09 }: WordParts) {
  const header = Buffer.alloc(TEXT);
  header.writeUInt16LE(0xa5_dc, 0);
  header.writeUInt16LE(version, 2);
  header.writeUInt16LE(language, 6);
  header.writeUInt16LE(flags, 10);
  const { stored, limits, places } = laidOut(pieces, (_, start) => start);
  numbers(TEXT, TEXT + stored.length).copy(header, 24);
  const list = listOf(limits, places);
  numbers(TEXT + stored.length, list.length).copy(header, PIECES_6);
  return { WordDocument: Buffer.concat([header, stored, list]) };
}

function laidOut(pieces: WordParts['pieces'], placeOf: (piece: string | Buffer, start: number) => number) {
  const contents = pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece, 'utf16le') : piece));
  const starts = contents.map((_, index) => contents.slice(index + 1).reduce((sum, { length }) => sum + length, TEXT));
  const limits = [0];
  for (const [index, piece] of pieces.entries()) {
    limits.push((limits.at(-1) ?? 0) + (typeof piece === 'string' ? piece.length : (contents[index]?.length ?? 0)));
  }
  return {
    stored: Buffer.concat([...contents].reverse()),
    limits,
    places: pieces.map((piece, index) => placeOf(piece, starts[index] ?? 0)),
  };
}

function listOf(limits: readonly number[], places: readonly number[]): Buffer {
  const pieces = places.map((place) => {
    const piece = Buffer.alloc(8);
    piece.writeUInt32LE(place, 2);
    return piece;
  });
  const plain = Buffer.concat([numbers(...limits), ...pieces]);
  return Buffer.concat([Buffer.from([2]), numbers(plain.length), plain]);
}

/** A record of a workbook. */
export function record(type: number, ...parts: readonly Uint8Array[]): Buffer {
  const data = Buffer.concat(parts);
  const head = Buffer.alloc(4);
  head.writeUInt16LE(type, 0);
  head.writeUInt16LE(data.length, 2);
  return Buffer.concat([head, data]);
}

export const short = (...values: number[]) => Buffer.from(Uint16Array.from(values).buffer);
export { numbers };
