import type { Request } from 'express';
import type { AccountCaller } from '../../../access/caller.ts';
import type { StillProved } from '../../../accounts/sign-in/proof-validity.ts';
import { originOf, type SignedIn } from '../../shell/page-context.ts';

/** Guests sign in with a private link, and cannot have app passwords. */
export function isGuest({ session }: SignedIn): boolean {
  return session.account.type === 'guest';
}

export function callerOf(request: Request, { session }: SignedIn): AccountCaller {
  return { account: session.account, ...originOf(request) };
}

export function both(one: StillProved, other: StillProved): StillProved {
  return async (tx) => (await one(tx)) && (await other(tx));
}
