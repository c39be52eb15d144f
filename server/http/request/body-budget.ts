import type { IncomingMessage } from 'node:http';
import { t } from '../../messages/messages.ts';
import { addressGroup, addressOf } from '../connection/client-address.ts';
import { ApiError } from '../errors.ts';

/** The first bytes of every body are counted separately: a sign-in is small, and large forms of many clients must not block it. */
const SMALL = 64 * 1_024;

/** Bytes of one kind that may be in memory at once, over all requests of the process and for one address. */
interface BodyLimits {
  readonly all: number;
  readonly ofAddress: number;
}

const SMALL_LIMITS: BodyLimits = { all: 64 * 1_024 * 1_024, ofAddress: 16 * 1_024 * 1_024 };
const LARGE_LIMITS: BodyLimits = { all: 32 * 1_024 * 1_024, ofAddress: 8 * 1_024 * 1_024 };

/** What one request holds. */
interface BodyShare {
  /**
   * Does nothing after the release: the rest of a refused body still arrives, and is not held.
   * @throws ApiError `temporarily_unavailable` when too much is held already
   */
  add(bytes: number): void;
  /** Returns all of it and ends the counting. */
  release(): void;
}

/** Bytes of one kind, by address. */
class Pool {
  readonly #limits: BodyLimits;
  readonly #held = new Map<string, number>();
  total = 0;

  constructor(limits: BodyLimits) {
    this.#limits = limits;
  }

  /** @returns false when the limit is reached */
  take(group: string, bytes: number): boolean {
    const held = this.#held.get(group) ?? 0;
    const { all, ofAddress } = this.#limits;
    if (bytes > 0 && (this.total + bytes > all || held + bytes > ofAddress)) return false;
    this.total += bytes;
    this.#held.set(group, held + bytes);
    return true;
  }

  give(group: string, bytes: number): void {
    const rest = (this.#held.get(group) ?? 0) - bytes;
    if (rest > 0) this.#held.set(group, rest);
    else this.#held.delete(group);
    this.total -= bytes;
  }
}

/** Bounds the memory that unfinished request bodies hold: many clients may send slowly, and all of it waits to be parsed. */
export class BodyBudget {
  readonly #small: Pool;
  readonly #large: Pool;

  constructor(small = SMALL_LIMITS, large = LARGE_LIMITS) {
    this.#small = new Pool(small);
    this.#large = new Pool(large);
  }

  /** Bytes that are held. */
  get total(): number {
    return this.#small.total + this.#large.total;
  }

  open(request: IncomingMessage): BodyShare {
    const group = addressGroup(addressOf(request));
    let [small, large] = [0, 0];
    let isReleased = false;
    return {
      add: (bytes) => {
        if (isReleased) return;
        const first = Math.min(bytes, SMALL - small);
        if (!this.#small.take(group, first)) throw tooMuch();
        small += first;
        if (!this.#large.take(group, bytes - first)) throw tooMuch();
        large += bytes - first;
      },
      release: () => {
        isReleased = true;
        this.#small.give(group, small);
        this.#large.give(group, large);
        [small, large] = [0, 0];
      },
    };
  }
}

function tooMuch(): ApiError {
  return new ApiError('temporarily_unavailable', t('api.requests.busy'), {
    headers: { 'Retry-After': '5' },
  });
}

/** Of this process: its listeners share its memory. */
export const requestBodies = new BodyBudget();
