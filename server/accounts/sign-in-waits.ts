import { type Clock, MINUTE, SECOND } from '../lib/clock.ts';
import { tokenHash } from '../lib/random.ts';

const FREE_TRIES = 2;
const FIRST_WAIT = 5 * SECOND;
const LONGEST_WAIT = 15 * MINUTE;
const FORGET_AFTER = 60 * MINUTE;
const REMEMBERED = 10_000;

/** How long an address waits for a name. Kept for names that do not exist too: waiting tells nothing. */
export class SignInWaits {
  readonly #clock: Clock;
  readonly #tries = new Map<string, { count: number; last: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds until the next try counts; 0 when it may be made now. */
  remaining(name: string, address: string): number {
    const tries = this.#tries.get(key(name, address));
    if (tries === undefined || tries.count <= FREE_TRIES) return 0;
    const wait = Math.min(FIRST_WAIT * 2 ** (tries.count - FREE_TRIES - 1), LONGEST_WAIT);
    const now = this.#clock.now();
    // The clock was set back: nobody waits until it has come there again.
    tries.last = Math.min(tries.last, now);
    return Math.max(0, tries.last + wait - now);
  }

  wrong(name: string, address: string): void {
    const now = this.#clock.now();
    const before = this.#tries.get(key(name, address));
    const count = before === undefined || now - before.last > FORGET_AFTER ? 1 : before.count + 1;
    this.#tries.delete(key(name, address));
    this.#tries.set(key(name, address), { count, last: now });
    for (const oldest of this.#tries.keys()) {
      if (this.#tries.size <= REMEMBERED) break;
      this.#tries.delete(oldest);
    }
  }

  forget(name: string, address: string): void {
    this.#tries.delete(key(name, address));
  }
}

/** A hash: a name is whatever somebody sent, up to a whole megabyte of it. */
function key(name: string, address: string): string {
  return tokenHash(`${name}\n${address}`).toString('base64');
}
