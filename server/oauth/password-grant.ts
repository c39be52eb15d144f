import OAuth2Server from '@node-oauth/oauth2-server';
import { isAdministrator } from '../accounts/permissions/permissions.ts';
import type { SignIn, SignInResult } from '../accounts/sign-in/sign-in.ts';
import { sameCredentials } from '../accounts/sign-in/still-proved.ts';
import type { ErrorCode } from '../http/errors.ts';
import type { LibraryClient, OAuthModel } from './model.ts';
import { isRegistered } from './redirect-uris.ts';
import { parseScopes } from './scopes.ts';

/** A failure with a status and a code of its own beside the RFC's `error`. */
function temporarilyUnavailable(
  message: string,
  code: 'too_many_requests' | 'api_disabled' | 'https_required',
  { status, retryAfter }: { status: number; retryAfter?: number },
): OAuth2Server.OAuthError {
  return new OAuth2Server.OAuthError(message, {
    code: status,
    name: 'temporarily_unavailable',
    ...{ machineCode: code, retryAfter },
  });
}

/**
 * The password grant (RFC 6749 §4.3, §5.3 of the API document). In place of the library's own, which looks at the
 * password before the scope and refuses characters outside the basic plane in it.
 */
export function passwordGrant(signIn: SignIn): typeof OAuth2Server.AbstractGrantType {
  return class PasswordGrant extends OAuth2Server.AbstractGrantType {
    declare readonly model: OAuthModel;

    async handle(request: OAuth2Server.Request, client: OAuth2Server.Client): Promise<OAuth2Server.Token | false> {
      const {
        username,
        password,
        scope,
        otp = '',
        redirect_uri: redirectUri,
      } = request.body as Record<string, string | undefined>;
      const { isPublic, redirectUris = [] } = client as LibraryClient;
      const registered = { isPublic, redirectUris: [redirectUris].flat() };
      if (!username) throw new OAuth2Server.InvalidRequestError('Missing parameter: `username`');
      if (!password) throw new OAuth2Server.InvalidRequestError('Missing parameter: `password`');
      if (redirectUri !== undefined && !isRegistered(redirectUri, registered)) {
        throw new OAuth2Server.InvalidRequestError(
          'Invalid parameter: `redirect_uri` is not registered for this client',
        );
      }
      const scopes = parseScopes(scope);
      if (scopes === null)
        throw new OAuth2Server.InvalidScopeError('Invalid scope: `scope` is missing or has an unknown scope');

      const { address } = request as OAuth2Server.Request & { address: string };
      const { id: clientId, name } = client as LibraryClient;
      const from = { door: 'app', client: { clientId, name }, address } as const;
      const result = await signIn.attempt(username, { password, otp, from, device: null });
      if (result.outcome === 'wait') {
        const { seconds } = result;
        throw temporarilyUnavailable(
          `Too many wrong passwords. Try again in ${seconds} seconds.`,
          'too_many_requests',
          {
            status: 429,
            retryAfter: seconds,
          },
        );
      }
      if (result.outcome !== 'signed-in') throw refusal(result.outcome);
      if (scopes.includes('admin') && !isAdministrator(result.account)) {
        throw new OAuth2Server.InvalidScopeError('Invalid scope: `admin` is for administrators only');
      }
      const stillProved = sameCredentials(result.account);
      const token = await this.model.authorize(client, result.account.id, scopes, { address, stillProved });
      // The password was changed during the check, so it is wrong now.
      if (token === null) throw refusal('refused');
      return token;
    }
  };
}

/** All but the first are returned only after a correct password. */
const REFUSALS: Record<
  Exclude<SignInResult['outcome'], 'signed-in' | 'wait'>,
  { message: string; code?: ErrorCode }
> = {
  refused: { message: 'The user name or the password is wrong' },
  deactivated: {
    message: 'This account is deactivated. The owner can activate it again',
    code: 'account_deactivated',
  },
  expired: { message: 'This account has expired. The owner can extend it', code: 'account_expired' },
  'code-needed': { message: 'A code of two-step sign-in is needed: send it as `otp`', code: 'missing_parameter' },
  'code-wrong': { message: 'The code in `otp` is wrong, or was used already', code: 'invalid_parameter' },
  'two-step-needed': {
    message: 'Two-step sign-in has to be set up first: sign in on the account page',
    code: 'permission_denied',
  },
  'password-change-needed': {
    message: 'The password has to be changed first: sign in on the account page',
    code: 'password_change_required',
  },
};

function refusal(outcome: keyof typeof REFUSALS): OAuth2Server.OAuthError {
  const { message, code } = REFUSALS[outcome];
  return new OAuth2Server.OAuthError(message, {
    code: 400,
    name: 'invalid_grant',
    ...{ machineCode: code },
  });
}
