import OAuth2Server from '@node-oauth/oauth2-server';
import type { Request, RequestHandler, Response } from 'express';
import type { SignIn } from '../accounts/sign-in/sign-in.ts';
import { addressOf } from '../http/connection/client-address.ts';
import { ApiError } from '../http/errors.ts';
import {
  bodyParameters,
  isJsonObject,
  parseForm,
  type RawParameters,
  readText,
} from '../http/request/read-parameters.ts';
import { oauthFailureBody, sendError, sendJson } from '../http/response/envelope.ts';
import { inClientTerms, systemFailure } from '../http/system-failure.ts';
import type { Log } from '../lib/log/log.ts';
import { t } from '../messages/messages.ts';
import { basicCredentials, type ClientCredentials } from './clients/client-credentials.ts';
import type { OAuthModel } from './model.ts';
import { passwordGrant } from './password-grant.ts';
import { ACCESS_TOKEN_LIFETIME, REFRESH_TOKEN_LIFETIME } from './tokens.ts';

/** Bytes. A request has a password, a code or a token in it. */
const MAX_BODY = 64 * 1024;

const GRANTS: ReadonlySet<string> = new Set(['authorization_code', 'password', 'refresh_token']);

/** The token endpoint (RFC 6749 §3.2, §5): grants `authorization_code`, `password` and `refresh_token`. */
export function tokenEndpoint({
  model,
  signIn,
  isApiEnabled,
  log,
}: {
  model: OAuthModel;
  signIn: SignIn;
  isApiEnabled: () => boolean;
  log: Log;
}): RequestHandler {
  const server = new OAuth2Server({
    model,
    accessTokenLifetime: ACCESS_TOKEN_LIFETIME / 1_000,
    refreshTokenLifetime: REFRESH_TOKEN_LIFETIME / 1_000,
    // The model rejects a confidential client without its secret; a public one has none.
    requireClientAuthentication: { authorization_code: false, password: false, refresh_token: false },
    extendedGrantTypes: { password: passwordGrant(signIn) },
  });

  return async (request, response) => {
    // RFC 6749 §5.1.
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Pragma', 'no-cache');
    try {
      if (request.method !== 'POST') {
        throw new ApiError('method_not_allowed', t('api.oauth.tokenPost'), { headers: { Allow: 'POST' } });
      }
      if (!isApiEnabled()) throw new ApiError('api_disabled', t('api.service.apiDisabled'));
      const libraryResponse = new OAuth2Server.Response({ headers: {} });
      await server.token(await libraryRequest(request, response), libraryResponse);
      sendJson(response, 200, { ...libraryResponse.body, expires_in: ACCESS_TOKEN_LIFETIME / 1_000 });
    } catch (error) {
      sendFailure(response, request, error, log);
    }
  };
}

async function libraryRequest(request: Request, response: Response): Promise<OAuth2Server.Request> {
  const body = await parameters(request, response);
  // RFC 6749 §3.2: parameters must not be repeated; brackets would turn them into lists or objects.
  const repeated = Object.entries(body).find(([, value]) => typeof value !== 'string');
  if (repeated !== undefined)
    throw new OAuth2Server.InvalidRequestError(t('api.oauth.repeated', { parameter: repeated[0] }));
  const { grant_type: grant, client_id: clientId } = body;
  // The library knows more grants than this service offers.
  if (typeof grant === 'string' && grant !== '' && !GRANTS.has(grant))
    throw new OAuth2Server.UnsupportedGrantTypeError(t('api.oauth.grantType'));
  // RFC 6749 §2.3: one authentication method only. The order of parameters must not decide which client it is.
  const basic = basicCredentials(request.headers.authorization);
  if (basic === null && /^basic\b/i.test(request.headers.authorization ?? ''))
    throw new OAuth2Server.InvalidClientError(t('api.oauth.authorizationHeader'));
  if (basic !== null && clientId !== undefined && clientId !== '' && clientId !== basic.clientId)
    throw new OAuth2Server.InvalidRequestError(t('api.oauth.clientDiffers'));
  return new OAuth2Server.Request({
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      // The library checks that there is a body; it has been read already.
      'content-length': '1',
    },
    method: 'POST',
    query: {},
    // RFC 6749 §3.2: a parameter without a value counts as not sent.
    body: { ...Object.fromEntries(Object.entries(body).filter(([, value]) => value !== '')), ...inBody(basic) },
    address: addressOf(request) ?? '',
  });
}

/** The library does not form-decode the Basic header, so it gets the decoded credentials as if they were in the body. */
function inBody(basic: ClientCredentials | null): Record<string, string> {
  if (basic === null) return {};
  return { client_id: basic.clientId, ...(basic.secret ? { client_secret: basic.secret } : {}) };
}

/**
 * RFC 6749 §3.2 has them as a form; many libraries send the parts of a multipart form.
 * @throws InvalidRequestError for anything else
 */
async function parameters(request: Request, response: Response): Promise<RawParameters> {
  const type = request.headers['content-type'] ?? '';
  if (/^multipart\/form-data *;/i.test(type))
    return (await bodyParameters(request, response, undefined, MAX_BODY)).parameters;
  if (!/^application\/x-www-form-urlencoded *(?:;|$)/i.test(type)) {
    throw new OAuth2Server.InvalidRequestError(t('api.oauth.contentType'));
  }
  const text = await readText(request, response, MAX_BODY);
  if (isJsonObject(text)) {
    throw new OAuth2Server.InvalidRequestError(t('api.oauth.jsonBody'));
  }
  return parseForm(text);
}

/** RFC 6749 §5.2, with the envelope's `success` beside it (§7.1). */
function sendFailure(response: Response, request: Request, thrown: unknown, log: Log): void {
  // The library wraps what it does not know.
  const { inner } = thrown as { inner?: unknown };
  const error = inner instanceof ApiError ? inner : (systemFailure(inner) ?? inClientTerms(thrown));
  if (error instanceof ApiError) {
    // Mistakes of clients are not for the owner to see.
    if (error.cause !== undefined)
      log[error.status >= 500 ? 'warn' : 'debug'](
        { err: error.cause, requestId: response.locals.requestId },
        'no token was given',
      );
    sendError(response, error, '/oauth2/token');
    return;
  }
  if (!(error instanceof OAuth2Server.OAuthError) || error.name === 'server_error') {
    log.error({ err: error, requestId: response.locals.requestId }, 'unexpected failure at the token endpoint');
    sendJson(response, 500, oauthFailureBody('server_error', t('api.service.internal')));
    return;
  }
  const { machineCode, retryAfter } = error as { machineCode?: string; retryAfter?: number };
  if (retryAfter !== undefined) response.setHeader('Retry-After', retryAfter);
  if (error.name === 'invalid_client' && request.headers.authorization !== undefined) {
    response.setHeader('WWW-Authenticate', 'Basic realm="Larder", charset="UTF-8"');
  }
  const status = error.name === 'invalid_client' ? 401 : (error.code ?? 400);
  sendJson(response, status, oauthFailureBody(error.name, error.message, machineCode));
}
