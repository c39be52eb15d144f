import { afterAll, beforeAll, expect } from 'vitest';
import { ALL_SCOPES, type Household, openHousehold } from '../../support/households/household.ts';
import type { ApiClient, Reply } from '../../support/requests/api-client.ts';

export let household: Household;
export let owner: ApiClient;

/** One household for the tests of a file, and the API as its owner. */
export function inOneHousehold(): void {
  beforeAll(async () => {
    household = await openHousehold();
    owner = await household.signIn();
  });
  afterAll(() => household?.close());
}

export const PASSWORD = 'correct horse battery';
const MEMBER_SCOPES = ALL_SCOPES.replace(' admin', '');

export type Fields = Record<string, string | string[]>;

/** @returns the id */
export async function added(fields: Fields, by = owner): Promise<string> {
  const reply = await by.post('admin-users/add', { 'data[name]': 'Somebody', 'data[password]': PASSWORD, ...fields });
  expect(reply.status, reply.text).toBe(200);
  return reply.body.data.uid;
}

export const info = async (UID: string, by = owner) => (await by.post('admin-users/info', { UID })).body.data;
export const edit = (UID: string, fields: Fields, by = owner) => by.post('admin-users/edit', { UID, ...fields });
export const refusal = (reply: Reply) => [reply.status, reply.body.code, reply.body.details?.parameter];

export async function as(username: string, scope = MEMBER_SCOPES, password = PASSWORD): Promise<ApiClient> {
  const reply = await household.api.token({
    grant_type: 'password',
    username,
    password,
    scope,
    client_id: household.clientId,
    client_secret: household.clientSecret,
  });
  expect(reply.status, reply.text).toBe(200);
  return household.api.with(String(reply.body.access_token));
}

/** An administrator, with a token for it. */
export async function administrator(username: string, perms: Record<string, string>) {
  const given = Object.fromEntries(Object.entries(perms).map(([name, value]) => [`perms[${name}]`, value]));
  const id = await added({ 'data[username]': username, 'perms[admin_users]': '1', ...given });
  return { id, api: await as(username, 'admin profile') };
}
