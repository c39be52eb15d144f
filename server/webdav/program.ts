import type { AccountCaller } from '../access/caller.ts';
import { addressGroup } from '../http/connection/client-address.ts';

/**
 * Which program a request comes from: an account, its credential, and the device, in case several have the same app password.
 * Undefined for a caller without a credential.
 */
export function programOf({ account, credential, address }: AccountCaller): string | undefined {
  return credential === undefined ? undefined : `${account.id} ${credential.id} ${addressGroup(address)}`;
}
