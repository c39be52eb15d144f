import type { WindowedReader } from '../windowed-reader.ts';

/** How the segments begin (XMP specification, part 3, 1.1.3.1). */
export const EXTENDED_XMP = 'http://ns.adobe.com/xmp/extension/\0';

/** Bytes of a second part that is read, and of all parts. Cameras store pictures of the depth there. */
const MAX_LENGTH = 1024 * 1024;
const MAX_KEPT = 2 * MAX_LENGTH;
/** The digest, the whole length and the offset before the content of a segment. */
const DIGEST = 32;
const HEAD = DIGEST + 8;

/** Where the first part of XMP names the digest of the second one, as an attribute or as an element. */
const NAMED = /:HasExtendedXMP(?:\s{0,20}=\s{0,20}["']|[^<>]{0,200}>)\s{0,20}([\da-f]{32})/i;

interface Piece {
  readonly digest: string;
  readonly offset: number;
  readonly content: Buffer;
}

/** XMP in JPEG that did not fit into one segment: what is left of it, in segments of their own. */
export class ExtendedXmp {
  readonly #pieces: Piece[] = [];
  #left = MAX_KEPT;

  /** @param segment behind its name */
  async add(segment: WindowedReader): Promise<void> {
    const head = await segment.readSome(0, HEAD);
    if (head.length < HEAD) return;
    const offset = head.readUInt32BE(DIGEST + 4);
    const length = segment.size - HEAD;
    if (head.readUInt32BE(DIGEST) > MAX_LENGTH || offset > MAX_LENGTH || length > this.#left) return;
    this.#left -= length;
    const digest = head.toString('latin1', 0, DIGEST).toLowerCase();
    this.#pieces.push({ digest, offset, content: await segment.readSome(HEAD, length) });
  }

  /** The part that belongs to the first one, up to the first gap; null if there is none. */
  of(xmp: Buffer | null): Buffer | null {
    const digest =
      this.#pieces.length === 0 ? undefined : NAMED.exec(xmp?.toString('latin1') ?? '')?.[1]?.toLowerCase();
    const pieces = this.#pieces.filter((piece) => piece.digest === digest).sort((a, b) => a.offset - b.offset);
    const joined: Buffer[] = [];
    let at = 0;
    for (const { offset, content } of pieces) {
      if (offset !== at) break;
      joined.push(content);
      at += content.length;
    }
    return joined.length === 0 ? null : Buffer.concat(joined);
  }
}
