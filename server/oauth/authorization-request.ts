import { t } from '../messages/messages.ts';
import type { ClientRecord, Clients } from './clients/clients.ts';
import { isRegistered } from './clients/redirect-uris.ts';
import { parseScopes, type Scope } from './scopes.ts';

/** An authorization request (RFC 6749 §4.1.1, RFC 7636 §4.3) that may be put to a person. */
export interface AuthorizationRequest {
  readonly client: ClientRecord;
  readonly redirectUri: string;
  readonly scopes: readonly Scope[];
  readonly state: string | null;
  readonly codeChallenge: string | null;
  /** `prompt=consent`: ask for consent even if it was given before. */
  readonly mustAsk: boolean;
}

export type CheckedRequest =
  | { readonly outcome: 'ask'; readonly request: AuthorizationRequest }
  /** RFC 6749 §4.1.2.1: shown to the person, never sent to the address, which may be an attacker's. */
  | { readonly outcome: 'refuse'; readonly why: 'client' | 'redirect' | 'repeated' }
  /** Reported to the client. */
  | { readonly outcome: 'redirect'; readonly location: string };

type AuthorizationError =
  | 'invalid_request'
  | 'unauthorized_client'
  | 'access_denied'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'server_error';

/** RFC 7636 §4.2: base64url of a SHA-256. */
const S256_CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
const MAX_STATE = 4_000;

/** The checks of RFC 6749 §4.1.1 in its order: first the client and its address, then the request. */
export async function checkAuthorizationRequest(
  clients: Pick<Clients, 'byClientId'>,
  query: Readonly<Record<string, unknown>>,
): Promise<CheckedRequest> {
  // §3.1: a parameter without a value counts as not sent; a repeated one is an error. This comes first, because the redirect
  // address may be among the repeated ones.
  const parameters = new Map<string, string>();
  for (const [name, value] of Object.entries(query)) {
    if (typeof value !== 'string') return { outcome: 'refuse', why: 'repeated' };
    if (value !== '') parameters.set(name, value);
  }
  const clientId = parameters.get('client_id');
  const client = clientId === undefined ? null : await clients.byClientId(clientId);
  if (client === null) return { outcome: 'refuse', why: 'client' };
  const redirectUri = parameters.get('redirect_uri');
  if (redirectUri === undefined || !isRegistered(redirectUri, { ...client, isPublic: client.secretHash === null })) {
    return { outcome: 'refuse', why: 'redirect' };
  }
  const state = parameters.get('state') ?? null;
  const fail = (error: AuthorizationError, description: string): CheckedRequest => ({
    outcome: 'redirect',
    location: errorRedirect(
      { redirectUri, state: state !== null && state.length <= MAX_STATE ? state : null },
      error,
      description,
    ),
  });
  if (state !== null && state.length > MAX_STATE)
    return fail('invalid_request', t('api.oauth.stateTooLong', { max: MAX_STATE }));
  const type = parameters.get('response_type');
  if (type === undefined) return fail('invalid_request', t('api.oauth.responseTypeMissing'));
  if (type !== 'code') return fail('unsupported_response_type', t('api.oauth.responseType'));
  if (!client.grants.includes('authorization_code')) return fail('unauthorized_client', t('api.oauth.grantNotAllowed'));
  const scopes = parseScopes(parameters.get('scope'));
  if (scopes === null) return fail('invalid_scope', t('api.oauth.scope'));
  const problem = challengeProblem(client, parameters);
  if (problem !== null) return fail('invalid_request', problem);
  return {
    outcome: 'ask',
    request: {
      client,
      redirectUri,
      scopes,
      state,
      codeChallenge: parameters.get('code_challenge') ?? null,
      mustAsk: (parameters.get('prompt') ?? '').split(' ').includes('consent'),
    },
  };
}

/** PKCE for all, required for public clients, S256 only: `plain` reveals the verifier to anyone who can read the request. */
function challengeProblem(client: ClientRecord, parameters: ReadonlyMap<string, string>): string | null {
  const challenge = parameters.get('code_challenge');
  const method = parameters.get('code_challenge_method');
  if (challenge === undefined) {
    if (method !== undefined) return t('api.oauth.challengeMissing');
    return client.secretHash === null ? t('api.oauth.challengeRequired') : null;
  }
  if (method !== 'S256') return t('api.oauth.challengeMethod');
  return S256_CHALLENGE.test(challenge) ? null : t('api.oauth.challenge');
}

/** §4.1.2. */
export function codeRedirect(
  { redirectUri, state }: Pick<AuthorizationRequest, 'redirectUri' | 'state'>,
  code: string,
): string {
  return withQuery(redirectUri, { code, state });
}

/** §4.1.2.1. */
export function errorRedirect(
  { redirectUri, state }: Pick<AuthorizationRequest, 'redirectUri' | 'state'>,
  error: AuthorizationError,
  description: string,
): string {
  return withQuery(redirectUri, { error, error_description: description, state });
}

/** Adds to the address as it was registered, character for character: an app compares it. */
function withQuery(uri: string, values: Record<string, string | null>): string {
  const added = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== null) added.set(name, value);
  return `${uri}${uri.includes('?') ? '&' : '?'}${added}`;
}
