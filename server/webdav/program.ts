import type { AccountCaller } from '../access/caller.ts';

/** Which program a request comes from: an account and its credential. Undefined for a caller without one. */
export function programOf({ account, credential }: AccountCaller): string | undefined {
  return credential === undefined ? undefined : `${account.id} ${credential.id}`;
}
