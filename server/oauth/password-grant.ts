import OAuth2Server from '@node-oauth/oauth2-server';
import { isAdministrator } from '../accounts/permissions/permissions.ts';
import { sameCredentials } from '../accounts/sign-in/proof-validity.ts';
import type { SignIn, SignInResult } from '../accounts/sign-in/sign-in.ts';
import type { ErrorCode } from '../http/errors.ts';
import { t } from '../messages/messages.ts';
import { isRegistered } from './clients/redirect-uris.ts';
import type { LibraryClient, OAuthModel } from './model.ts';
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
      if (!username) throw new OAuth2Server.InvalidRequestError(t('api.oauth.missing', { parameter: 'username' }));
      if (!password) throw new OAuth2Server.InvalidRequestError(t('api.oauth.missing', { parameter: 'password' }));
      if (redirectUri !== undefined && !isRegistered(redirectUri, registered)) {
        throw new OAuth2Server.InvalidRequestError(t('api.oauth.redirectUri'));
      }
      const scopes = parseScopes(scope);
      if (scopes === null) throw new OAuth2Server.InvalidScopeError(t('api.oauth.scope'));

      const { address } = request as OAuth2Server.Request & { address: string };
      const { id: clientId, name } = client as LibraryClient;
      const from = { channel: 'app', client: { clientId, name }, address } as const;
      const result = await signIn.attempt(username, { password, otp, from, device: null });
      if (result.outcome === 'wait') {
        const { seconds } = result;
        throw temporarilyUnavailable(t('api.passwords.wait', { seconds }), 'too_many_requests', {
          status: 429,
          retryAfter: seconds,
        });
      }
      if (result.outcome !== 'signed-in') throw refusal(result.outcome);
      if (scopes.includes('admin') && !isAdministrator(result.account)) {
        throw new OAuth2Server.InvalidScopeError(t('api.oauth.adminScope'));
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
  refused: { message: t('api.oauth.wrongPassword') },
  deactivated: {
    message: t('api.accounts.disabled'),
    code: 'account_deactivated',
  },
  expired: { message: t('api.accounts.expired'), code: 'account_expired' },
  'code-needed': { message: t('api.oauth.codeNeeded'), code: 'missing_parameter' },
  'code-wrong': { message: t('api.oauth.codeWrong'), code: 'invalid_parameter' },
  'two-step-needed': {
    message: t('api.oauth.twoStepNeeded'),
    code: 'permission_denied',
  },
  'password-change-needed': {
    message: t('api.oauth.passwordChange'),
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
