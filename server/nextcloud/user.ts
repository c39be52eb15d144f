import type { AccountCaller } from '../access/caller.ts';
import { displayName } from '../accounts/account-record.ts';
import type { NextcloudParts } from './context.ts';
import type { OcsValue } from './ocs.ts';

/** What clients call a quota without a limit. */
const UNLIMITED = -3;

/** The account of an app, with its space in bytes. */
export async function userOf({ spaceOf }: Pick<NextcloudParts, 'spaceOf'>, caller: AccountCaller): Promise<OcsValue> {
  const { account } = caller;
  const name = displayName(account);
  return {
    enabled: true,
    id: account.username,
    'display-name': name,
    displayname: name,
    email: account.email === '' ? null : account.email,
    language: 'en',
    quota: quotaOf(await spaceOf(caller)),
  };
}

function quotaOf(space: { readonly used: number; readonly available: number } | null): OcsValue {
  if (space === null) return { free: 0, used: 0, total: 0, relative: 0, quota: UNLIMITED };
  const { used, available: free } = space;
  const total = used + free;
  return { free, used, total, relative: total === 0 ? 0 : Number(((100 * used) / total).toFixed(2)), quota: total };
}
