import { verifyPassword } from '../accounts/passwords.ts';
import { SignInWaits } from '../accounts/sign-in-waits.ts';
import { ApiError } from '../http/errors.ts';
import { type Clock, MINUTE, SECOND } from '../lib/clock.ts';
import { KeyedQueue } from '../lib/keyed-queue.ts';
import { LruCache } from '../lib/lru-cache.ts';
import type { LinkRecord } from './link-record.ts';

/** Looks at the passwords of links. Guessing is slowed down: for an address, and for a link as a whole. */
export interface Guesses {
  /** @throws ApiError `too_many_requests`, with nothing looked at */
  isRight(link: LinkRecord, password: string, address: string): Promise<boolean>;
}

/** Wrong tries at one link, from anywhere, within `WINDOW`. A family that mistypes stays far below. */
const MOST_WRONG = 60;
const WINDOW = 10 * MINUTE;
const REMEMBERED = 10_000;

export function createGuesses(clock: Clock): Guesses {
  const waits = new SignInWaits(clock);
  const wrong = new LruCache<{ count: number; since: number }>(REMEMBERED);
  // One look after the other: each takes memory and time, and none may slip past the count of the one before.
  const queue = new KeyedQueue();

  function refuse(milliseconds: number): never {
    const seconds = Math.ceil(milliseconds / SECOND);
    throw new ApiError('too_many_requests', `Too many wrong passwords. Try again in ${seconds} seconds.`, {
      headers: { 'Retry-After': String(seconds) },
    });
  }

  return {
    isRight(link, password, address) {
      return queue.run(link.id, async () => {
        const wait = waits.remaining(link.id, address);
        if (wait > 0) refuse(wait);
        const now = clock.now();
        const known = wrong.get(link.id);
        // A clock that was set back begins anew.
        const isOver = known === undefined || known.since > now || known.since + WINDOW <= now;
        const so = isOver ? { count: 0, since: now } : known;
        if (so.count >= MOST_WRONG) refuse(so.since + WINDOW - now);
        if (await verifyPassword(password, link.passwordHash)) {
          waits.forget(link.id, address);
          return true;
        }
        waits.wrong(link.id, address);
        wrong.set(link.id, { count: so.count + 1, since: so.since });
        return false;
      });
    },
  };
}
