import { join } from 'node:path';
import { DEFAULT_PERMISSIONS } from '../../../dist/server/accounts/permissions/permissions.js';
import type { ApiClient } from '../requests/api-client.ts';
import { ALL_SCOPES, type Household } from './household.ts';

export const MEMBER = { username: 'mia', password: 'correct horse battery' };

/** Permissions by their names in the API document; omitted ones have their default. */
export type Granted = Readonly<Record<string, boolean | number | string>>;

/** A second person, without files. */
export async function addMember(household: Household): Promise<void> {
  await household.control('accounts.add', { ...MEMBER, name: 'Mia' });
}

/** People with a home each. */
export async function addMembersWithHomes(household: Household, members: Record<string, Granted>): Promise<void> {
  for (const [username, permissions] of Object.entries(members)) {
    await household.control('accounts.add', { ...MEMBER, username, name: 'Mia', permissions, createHomeFolder: true });
  }
}

export function homeOf(household: Household, username: string): string {
  return join(household.folder, 'homes', username);
}

export async function setPermissions(household: Household, granted: Record<string, Granted>): Promise<void> {
  for (const [username, given] of Object.entries(granted)) {
    await household.control('accounts.update', { username, permissions: { ...DEFAULT_PERMISSIONS, ...given } });
  }
}

export async function signInAs(household: Household, username: string): Promise<ApiClient> {
  const reply = await household.api.token({
    grant_type: 'password',
    username,
    password: MEMBER.password,
    scope: ALL_SCOPES.replace(' admin', ''),
    client_id: household.clientId,
    client_secret: household.clientSecret,
  });
  if (reply.status !== 200) throw new Error(`no token: ${reply.text}`);
  return household.api.with(String(reply.body.access_token));
}
