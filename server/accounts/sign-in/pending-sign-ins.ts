import { type Clock, MINUTE } from '../../lib/clock.ts';
import { LruCache } from '../../lib/lru-cache.ts';
import { randomToken, tokenHash } from '../../lib/random.ts';
import type { Proof } from './sign-in.ts';

/** A sign-in with the right password that needs another step. */
export interface PendingSignIn {
  readonly proof: Proof;
  /** The browser that began it: no other one can complete it. */
  readonly visitor: string;
  readonly username: string;
  readonly kept: boolean;
}

export interface PendingSignIns {
  /** @returns a token for the form of the next step; it replaces the password for ten minutes */
  begin(pending: PendingSignIn): string;
  find(token: string, visitor: string): PendingSignIn | null;
  end(token: string): void;
}

const LIFETIME = 10 * MINUTE;
const MAX_PENDING = 10_000;

/** In memory: after a restart the password has to be entered again. */
export function createPendingSignIns(clock: Clock): PendingSignIns {
  const pending = new LruCache<PendingSignIn & { until: number }>(MAX_PENDING);
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
