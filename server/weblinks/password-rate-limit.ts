import { verifyPassword } from '../accounts/passwords/passwords.ts';
import { SignInWaits } from '../accounts/sign-in/sign-in-waits.ts';
import { addressGroup } from '../http/connection/client-address.ts';
import { ApiError } from '../http/errors.ts';
import { type Clock, MINUTE, SECOND } from '../lib/clock.ts';
import { KeyedQueue } from '../lib/concurrency/keyed-queue.ts';
import { LruCache } from '../lib/lru-cache.ts';
import { t } from '../messages/messages.ts';
import type { LinkRecord } from './link-record.ts';

/** Checks the passwords of links. Guessing is limited by address and by link. */
export interface PasswordRateLimit {
  /**
   * @param known a browser that has entered a right password of the link before: its tries are counted separately, so those of
   * others do not lock it out; null for all others
   * @throws ApiError `too_many_requests`, without a check
   */
  isRight(link: LinkRecord, password: string, address: string, known: Buffer | null): Promise<boolean>;
}

/** Wrong tries per link, from anywhere, within `WINDOW`. A family's typing mistakes stay far below. */
const MAX_WRONG = 60;
const WINDOW = 10 * MINUTE;
const REMEMBERED = 10_000;
/** Most tries at one link that wait for each other, and how long a further one is asked to wait. */
const MAX_WAITING = 50;
const MAX_WAITING_TIME = 5 * SECOND;

export function createPasswordRateLimit(clock: Clock): PasswordRateLimit {
  const waits = new SignInWaits(clock);
  const wrong = new LruCache<{ count: number; since: number }>(REMEMBERED);
  // One check at a time: each takes memory and time, and each must see the count of the one before.
  const queue = new KeyedQueue();

  function refuse(milliseconds: number): never {
    const seconds = Math.ceil(milliseconds / SECOND);
    throw new ApiError('too_many_requests', t('api.passwords.wait', { seconds }), {
      headers: { 'Retry-After': String(seconds) },
    });
  }

  /**
   * Limits wrong tries at a link within the window. @throws ApiError `too_many_requests` @returns a function that records another
   * one
   */
  function countWrong(key: string): () => void {
    const now = clock.now();
    const before = wrong.get(key);
    // If the clock was set back, the window begins again.
    const isOver = before === undefined || before.since > now || before.since + WINDOW <= now;
    const { count, since } = isOver ? { count: 0, since: now } : before;
    if (count >= MAX_WRONG) refuse(since + WINDOW - now);
    return () => wrong.set(key, { count: count + 1, since });
  }

  /**
   * One try. Known and new browsers are counted separately, so that neither locks the other out: each by address and by link, a
   * known browser also by itself.
   */
  async function tryPassword(
    link: LinkRecord,
    password: string,
    { kind, counted, group }: { kind: string; counted: readonly string[]; group: string },
  ): Promise<boolean> {
    const key = `${link.id} ${kind}`;
    for (const by of counted) {
      const wait = waits.remaining(key, by);
      if (wait > 0) refuse(wait);
    }
    // Known browsers have no common count, so none locks another out.
    const noteWrong = kind === 'new' ? countWrong(key) : () => undefined;
    if (await verifyPassword(password, link.passwordHash, group)) {
      for (const by of counted) waits.forget(key, by);
      return true;
    }
    for (const by of counted) waits.wrong(key, by);
    noteWrong();
    return false;
  }

  return {
    isRight(link, password, address, known) {
      const place = addressGroup(address);
      if (known === null) {
        if (queue.waiting(link.id) >= MAX_WAITING) refuse(MAX_WAITING_TIME);
        return queue.run(link.id, () => tryPassword(link, password, { kind: 'new', counted: [address], group: place }));
      }
      // Cookies cost nothing, so all browsers of an address also share a limit. A known browser may still try as a new one.
      const counted = [`browser ${known.toString('base64')}`, `address ${place}`];
      const isWaiting = counted.some((by) => waits.remaining(`${link.id} known`, by) > 0);
      if (isWaiting) return this.isRight(link, password, address, null);
      const line = `${link.id}\n${place}`;
      if (queue.waiting(line) >= MAX_WAITING) refuse(MAX_WAITING_TIME);
      return queue.run(line, () => tryPassword(link, password, { kind: 'known', counted, group: `${place} known` }));
    },
  };
}
