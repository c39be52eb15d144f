import type { IncomingMessage, ServerResponse } from 'node:http';
import { addressOf } from '../http/connection/client-address.ts';
import { ApiError } from '../http/errors.ts';
import { bodyParameters } from '../http/request/read-parameters.ts';
import { oauthFailureBody, sendError, sendJson } from '../http/response/envelope.ts';
import { inClientTerms } from '../http/system-failure.ts';
import { t } from '../messages/messages.ts';
import { clientCredentials } from './clients/client-credentials.ts';
import type { Clients } from './clients/clients.ts';
import type { Tokens } from './tokens.ts';

/** Bytes. A request has a token and credentials in it. */
const MAX_BODY = 64 * 1024;

/**
 * Token revocation (RFC 7009): an app signs its user out. Either token ends the whole authorization. An unknown token, or one of
 * another client, gets the same reply as a revoked one.
 */
export function revocationEndpoint({ clients, tokens }: { clients: Clients; tokens: Tokens }) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.setHeader('Cache-Control', 'no-store');
    try {
      if (request.method !== 'POST') {
        throw new ApiError('method_not_allowed', t('api.oauth.revocationPost'), { headers: { Allow: 'POST' } });
      }
      const { parameters: body } = await bodyParameters(request, response, undefined, MAX_BODY);
      const credentials = clientCredentials(request, body);
      const client = credentials === null ? null : await clients.authenticate(credentials.clientId, credentials.secret);
      if (client === null) {
        // RFC 6749 §5.2.
        if (request.headers.authorization !== undefined) response.setHeader('WWW-Authenticate', 'Basic realm="Larder"');
        return sendJson(response, 401, oauthFailureBody('invalid_client', t('api.oauth.client')));
      }
      const { token } = body;
      if (typeof token !== 'string' || token === '') {
        return sendJson(
          response,
          400,
          oauthFailureBody('invalid_request', t('api.oauth.missing', { parameter: 'token' })),
        );
      }
      const authorizationId = await tokens.authorizationOf(token, client.id);
      if (authorizationId !== null) {
        const from = { channel: 'app', address: addressOf(request) } as const;
        await tokens.revokeAuthorization(authorizationId, 'revoked by the app', from);
      }
      sendJson(response, 200, {});
    } catch (thrown) {
      const error = inClientTerms(thrown);
      if (!(error instanceof ApiError)) throw error;
      sendError(response, error, '/oauth2/revoke');
    }
  };
}
