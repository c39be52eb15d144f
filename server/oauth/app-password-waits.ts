import { createHmac, randomBytes } from 'node:crypto';
import { FOR_AN_ADDRESS, SignInWaits } from '../accounts/sign-in/sign-in-waits.ts';
import { addressGroup } from '../http/connection/client-address.ts';
import { type Clock, SECOND } from '../lib/clock.ts';
import { LruCache } from '../lib/lru-cache.ts';

/** A try that may be checked. Exactly one of its functions is called with the result. */
interface AppPasswordTry {
  right(): void;
  /** @returns whether it counts: a repeat does not */
  wrong(): boolean;
  /** It could not be checked. */
  drop(): void;
}

const REMEMBERED = 10_000;

/**
 * Slows down the guessing of app passwords, apart from sign-in, and without ever locking an account. Programs repeat what they
 * were set up with, so a wrong secret counts once for each address, however often it is sent, and a secret that was right at
 * this address does not wait for the mistakes of others there.
 */
export class AppPasswordWaits {
  readonly #names: SignInWaits;
  readonly #addresses: SignInWaits;
  readonly #wrong = new LruCache<true>(REMEMBERED);
  readonly #right = new LruCache<true>(REMEMBERED);
  /** What is remembered of secrets tells nothing without it, and it ends with the process. */
  readonly #key = randomBytes(32);

  constructor(clock: Clock) {
    this.#names = new SignInWaits(clock);
    this.#addresses = new SignInWaits(clock, FOR_AN_ADDRESS);
  }

  /** @param name folded @returns the seconds to wait, when nothing may be checked */
  begin(name: string, address: string, secret: string): AppPasswordTry | number {
    const key = createHmac('sha256', this.#key)
      .update(`${name}\n${addressGroup(address)}\n${secret}`)
      .digest('base64');
    if (this.#right.get(key) !== undefined || this.#wrong.get(key) !== undefined)
      return this.#known(key, name, address);
    const wait = Math.max(this.#names.remaining(name, address), this.#addresses.remaining('', address));
    if (wait > 0) return Math.ceil(wait / SECOND);
    // Counted before the check, so that concurrent guesses cannot exceed the limits.
    this.#count(key, name, address);
    return {
      right: () => {
        this.#takeBack(key, name, address);
        this.#names.forget(name, address);
        this.#right.set(key, true);
      },
      wrong: () => true,
      drop: () => this.#takeBack(key, name, address),
    };
  }

  /** A secret that this address has sent before. */
  #known(key: string, name: string, address: string): AppPasswordTry {
    return {
      right: () => {
        // Several requests of a program may be its first.
        this.#wrong.delete(key);
        this.#right.set(key, true);
      },
      wrong: () => {
        this.#right.delete(key);
        if (this.#wrong.get(key) !== undefined) return false;
        this.#count(key, name, address);
        return true;
      },
      drop: () => undefined,
    };
  }

  #count(key: string, name: string, address: string): void {
    this.#wrong.set(key, true);
    this.#names.wrong(name, address);
    this.#addresses.wrong('', address);
  }

  #takeBack(key: string, name: string, address: string): void {
    this.#wrong.delete(key);
    this.#names.takeBack(name, address);
    this.#addresses.takeBack('', address);
  }
}
