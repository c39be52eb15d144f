/** The largest prime below 65,536. */
const MODULUS = 65_521;
/** The sums of so many bytes stay below 32 bits. */
const BATCH_SIZE = 5_552;

/** The checksum of RFC 1950 §8.2, which some sync clients use. Node has no function for it. */
export class Adler32 {
  #low = 1;
  #high = 0;

  update(bytes: Uint8Array): this {
    for (let start = 0; start < bytes.length; ) {
      const end = Math.min(start + BATCH_SIZE, bytes.length);
      for (; start < end; start += 1) {
        this.#low += bytes[start] ?? 0;
        this.#high += this.#low;
      }
      this.#low %= MODULUS;
      this.#high %= MODULUS;
    }
    return this;
  }

  /** The checksum so far, in hexadecimal. */
  hex(): string {
    return (this.#high * 65_536 + this.#low).toString(16).padStart(8, '0');
  }
}
