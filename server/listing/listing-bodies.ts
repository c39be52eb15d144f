import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { FolderContent } from '../catalogue/catalogue.ts';
import { LruCache } from '../lib/lru-cache.ts';

/** Bytes of all bodies together. */
const BYTES = 16 * 1_024 * 1_024;
/** Bytes that a body needs beside its own, its key included. */
const OVERHEAD = 256;
/** Bytes of one body: a longer one is streamed. */
const MAX_BYTES = 4 * 1_024 * 1_024;
/** The same as expected from the first entries, which may be longer than the others. */
const PROBABLY_TOO_LONG = 1.2 * MAX_BYTES;
/** Entries from which on it is longer for certain: an entry takes more than 80 bytes. */
export const MAX_ENTRIES = Math.floor(MAX_BYTES / 80);
/** Characters that are encoded together. */
const CHUNK = 16 * 1_024;
/** Milliseconds without other work of the event loop, and the number of entries between two looks at the clock. */
const SLICE = 5;
const ENTRIES = 100;

/**
 * Serialised listings, for as long as the folder's content stays the same. The bodies of a content are told apart by everything
 * else they depend on.
 */
export class ListingBodies {
  readonly #bodies = new LruCache<Buffer>(BYTES, (body) => body.length + OVERHEAD);
  readonly #numbers = new WeakMap<FolderContent, number>();
  readonly #making = new Map<string, Promise<Buffer | null>>();
  #next = 0;

  /**
   * @param key everything that the body depends on beside the content
   * @param count of the entries in the body
   * @param parts the body in parts, about one for each entry, which are joined without a separator
   * @returns null for a body that is too long
   */
  async of(
    content: FolderContent,
    key: string,
    count: number,
    parts: () => Promise<Iterable<string>>,
  ): Promise<Buffer | null> {
    const number = this.#numbers.get(content) ?? this.#next++;
    this.#numbers.set(content, number);
    // Requests decide how long a key is, and only the bodies are counted.
    const whole = createHash('sha256').update(`${number} ${key}`).digest('base64');
    const known = this.#bodies.get(whole);
    if (known !== undefined) return known;
    // Those who ask for the same at the same time wait for one.
    const making = this.#making.get(whole) ?? this.#make(whole, count, parts).finally(() => this.#making.delete(whole));
    this.#making.set(whole, making);
    return making;
  }

  async #make(whole: string, expected: number, parts: () => Promise<Iterable<string>>): Promise<Buffer | null> {
    const chunks: Buffer[] = [];
    let [text, count, length, since] = ['', 0, 0, performance.now()];
    for (const part of await parts()) {
      text += part;
      count += 1;
      // What was put together from pieces keeps all of them until it is encoded.
      if (text.length >= CHUNK) {
        const chunk = Buffer.from(text);
        chunks.push(chunk);
        length += chunk.length;
        // One that will be too long is not begun for nothing.
        if (length > MAX_BYTES || (chunks.length === 1 && (length / count) * expected > PROBABLY_TOO_LONG)) return null;
        text = '';
      }
      if (count % ENTRIES !== 0 || performance.now() - since < SLICE) continue;
      await turn();
      since = performance.now();
    }
    const body = Buffer.concat([...chunks, Buffer.from(text)]);
    if (body.length <= MAX_BYTES) this.#bodies.set(whole, body);
    return body;
  }
}
