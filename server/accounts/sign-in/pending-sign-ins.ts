import { type Clock, MINUTE } from '../../lib/clock.ts';
import { LruCache } from '../../lib/lru-cache.ts';
import { randomToken, tokenHash } from '../../lib/random.ts';
import type { Proof } from './sign-in.ts';

/** Somebody who has shown the password, and is asked for something more. */
export interface PendingSignIn {
  readonly proof: Proof;
  /** The browser that it is for: what one began, another cannot end. */
  readonly visitor: string;
  readonly username: string;
  readonly kept: boolean;
}

export interface PendingSignIns {
  /** @returns a token for the form that asks; it proves as much as the password does, for ten minutes */
  begin(pending: PendingSignIn): string;
  find(token: string, visitor: string): PendingSignIn | null;
  end(token: string): void;
}

const LIFETIME = 10 * MINUTE;
const AT_ONCE = 10_000;

/** In memory: after a restart a person types the password again. */
export function createPendingSignIns(clock: Clock): PendingSignIns {
  const pending = new LruCache<PendingSignIn & { until: number }>(AT_ONCE);
  const keyOf = (token: string) => tokenHash(token).toString('base64');
  return {
    begin(begun) {
      const token = randomToken();
      pending.set(keyOf(token), { ...begun, until: clock.now() + LIFETIME });
      return token;
    },
    find(token, visitor) {
      const found = pending.get(keyOf(token));
      return found !== undefined && found.until > clock.now() && found.visitor === visitor ? found : null;
    },
    end: (token) => pending.delete(keyOf(token)),
  };
}
