import { addressGroup } from '../../http/connection/client-address.ts';
import { type Clock, MINUTE, SECOND } from '../../lib/clock.ts';
import { tokenHash } from '../../lib/random.ts';

/** How guessing is slowed down: some tries are free, then each wrong one doubles the wait. Times in milliseconds. */
interface WaitLimits {
  readonly freeTries: number;
  readonly firstWait: number;
  readonly longestWait: number;
}

/** Wrong passwords for one name from one address. */
const FOR_A_NAME: WaitLimits = { freeTries: 2, firstWait: 5 * SECOND, longestWait: 15 * MINUTE };

/** Wrong passwords from one address, for any names: more than a household mistypes within an hour. */
export const FOR_AN_ADDRESS: WaitLimits = { freeTries: 20, firstWait: 5 * SECOND, longestWait: 15 * MINUTE };

const FORGET_AFTER = 60 * MINUTE;
const REMEMBERED = 10_000;

/**
 * How long an address waits before its next try at one account, or at any. Also for names that do not exist, so that waiting
 * reveals nothing. Addresses are grouped by `addressGroup`.
 */
export class SignInWaits {
  readonly #clock: Clock;
  readonly #limits: WaitLimits;
  readonly #tries = new Map<string, { count: number; last: number }>();

  constructor(clock: Clock, limits: WaitLimits = FOR_A_NAME) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Milliseconds until the next try is allowed; 0 if it is now. */
  remaining(name: string, address: string): number {
    const { freeTries, firstWait, longestWait } = this.#limits;
    const tries = this.#tries.get(key(name, address));
    if (tries === undefined || tries.count <= freeTries) return 0;
    const wait = Math.min(firstWait * 2 ** (tries.count - freeTries - 1), longestWait);
    const now = this.#clock.now();
    // The clock was set back: the wait must not last until it reaches the old time.
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

  /** Takes back one wrong try that was counted before its check. */
  takeBack(name: string, address: string): void {
    const tries = this.#tries.get(key(name, address));
    if (tries !== undefined) tries.count = Math.max(0, tries.count - 1);
  }

  forget(name: string, address: string): void {
    this.#tries.delete(key(name, address));
  }
}

/** A hash, because a name is arbitrary input of up to a megabyte. */
function key(name: string, address: string): string {
  return tokenHash(`${name}\n${addressGroup(address)}`).toString('base64');
}
