import { verifyPassword } from '../accounts/passwords/passwords.ts';
import { SignInWaits } from '../accounts/sign-in/sign-in-waits.ts';
import { addressGroup } from '../http/connection/client-address.ts';
import { ApiError } from '../http/errors.ts';
import { type Clock, MINUTE, SECOND } from '../lib/clock.ts';
import { KeyedQueue } from '../lib/concurrency/keyed-queue.ts';
import { LruCache } from '../lib/lru-cache.ts';
import type { LinkRecord } from './link-record.ts';

/** Looks at the passwords of links. Guessing is slowed down: for an address, and for a link as a whole. */
export interface PasswordRateLimit {
  /**
   * @param known a browser that has entered a right password of the link before: its own tries are counted, those of others
   * do not keep it out; null for anyone else
   * @throws ApiError `too_many_requests`, with nothing checked
   */
  isRight(link: LinkRecord, password: string, address: string, known: Buffer | null): Promise<boolean>;
}

/** Wrong tries at one link, from anywhere, within `WINDOW`. A family that mistypes stays far below. */
const MOST_WRONG = 60;
const WINDOW = 10 * MINUTE;
const REMEMBERED = 10_000;
/** Tries at one link that wait for each other, and how long one more waits before it asks again. */
const MOST_WAITING = 50;
const MOST_WAITING_TIME = 5 * SECOND;

export function createPasswordRateLimit(clock: Clock): PasswordRateLimit {
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

  function isRightOfKnown(link: LinkRecord, password: string, browser: string): Promise<boolean> {
    return queue.run(`${link.id}\n${browser}`, async () => {
      const wait = waits.remaining(link.id, browser);
      if (wait > 0) refuse(wait);
      const isRight = await verifyPassword(password, link.passwordHash, browser);
      if (isRight) waits.forget(link.id, browser);
      else waits.wrong(link.id, browser);
      return isRight;
    });
  }

  return {
    isRight(link, password, address, known) {
      if (known !== null) return isRightOfKnown(link, password, known.toString('base64'));
      if (queue.waiting(link.id) >= MOST_WAITING) refuse(MOST_WAITING_TIME);
      return queue.run(link.id, async () => {
        const wait = waits.remaining(link.id, address);
        if (wait > 0) refuse(wait);
        const now = clock.now();
        const before = wrong.get(link.id);
        // A clock that was set back begins anew.
        const isOver = before === undefined || before.since > now || before.since + WINDOW <= now;
        const so = isOver ? { count: 0, since: now } : before;
        if (so.count >= MOST_WRONG) refuse(so.since + WINDOW - now);
        if (await verifyPassword(password, link.passwordHash, addressGroup(address))) {
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
