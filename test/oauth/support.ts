import { expect } from 'vitest';
import { ALL_SCOPES, type Household, OWNER } from '../support/households/household.ts';
import type { ApiClient, Reply } from '../support/requests/api-client.ts';

export interface Pair {
  readonly access: string;
  readonly refresh: string;
  readonly scope: string;
}

export interface Credentials {
  readonly client_id: string;
  readonly client_secret: string;
}

/** What an app sends to the token endpoint, and what it makes of the reply. */
export function appOf(household: Household, client?: Credentials) {
  const credentials = client ?? { client_id: household.clientId, client_secret: household.clientSecret };
  const passwordForm = (changes: Record<string, string> = {}) => ({
    grant_type: 'password',
    ...OWNER,
    scope: ALL_SCOPES,
    ...credentials,
    ...changes,
  });
  const refreshForm = (token: string, changes: Record<string, string> = {}) => ({
    grant_type: 'refresh_token',
    refresh_token: token,
    ...credentials,
    ...changes,
  });
  return {
    credentials,
    passwordForm,
    refreshForm,
    password: (changes: Record<string, string> = {}) => household.api.token(passwordForm(changes)),
    refresh: (token: string, changes: Record<string, string> = {}) => household.api.token(refreshForm(token, changes)),
    signIn: async (changes: Record<string, string> = {}) => pairOf(await household.api.token(passwordForm(changes))),
    /** The status of a call of the API with this token. */
    use: (token: string, operation = 'account/info', query: Record<string, string> = {}) =>
      withToken(household.api, token, operation, query).then(({ status }) => status),
  };
}

export function withToken(
  api: ApiClient,
  token: string,
  operation: string,
  query: Record<string, string> = {},
): Promise<Reply> {
  return api.send('GET', `/api.php/${operation}?${new URLSearchParams(query)}`, {
    headers: { authorization: `Bearer ${token}` },
  });
}

export function pairOf(reply: Reply): Pair {
  expect(reply.status, reply.text).toBe(200);
  const { access_token: access, refresh_token: refresh, scope } = reply.body;
  return { access, refresh, scope };
}

/** RFC 6749 §5.2 with the envelope's `success`: the shape of every failure of the endpoint. */
export function expectFailure(reply: Reply, status: number, error: string): void {
  expect([reply.status, reply.body.error], reply.text).toEqual([status, error]);
  expect(reply.body.success).toBe(false);
  expect(reply.body.error_description).toEqual(expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/));
  expect(reply.body.message).toBe(reply.body.error_description);
  expect(reply.headers['cache-control']).toBe('no-store');
  expect(reply.headers['content-type']).toMatch(/^application\/json/);
  expect(reply.text).not.toContain('access_token":');
}

export function basic(id: string, secret: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
}
