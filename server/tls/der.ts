/** A DER element (X.690): its tag and content. */
export interface Element {
  /** The identifier octet, `0x30` for a SEQUENCE. */
  readonly tag: number;
  readonly content: Uint8Array;
}

/**
 * A sequence of elements, such as the content of a SEQUENCE.
 * @throws Error for invalid DER, or for tags of more than one octet, which certificates do not use
 */
export function elementsIn(bytes: Uint8Array): Element[] {
  const elements: Element[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at] ?? 0;
    const { length, start } = lengthAt(bytes, at + 1);
    if ((tag & 0x1f) === 0x1f || start + length > bytes.length) throw new Error('not DER');
    elements.push({ tag, content: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return elements;
}

/** X.690 §8.1.3, §10.1. @param at offset of the length octets @returns the length of the content, and its offset */
function lengthAt(bytes: Uint8Array, at: number): { length: number; start: number } {
  const first = bytes[at];
  if (first === undefined) throw new Error('not DER');
  if (first < 0x80) return { length: first, start: at + 1 };
  const octets = bytes.subarray(at + 1, at + 1 + (first & 0x7f));
  // None is the indefinite length of BER; four would be longer than any certificate.
  if (octets.length !== (first & 0x7f) || octets.length === 0 || octets.length > 3) throw new Error('not DER');
  return { length: octets.reduce((length, octet) => length * 256 + octet, 0), start: at + 1 + octets.length };
}
