import { SCOPES } from './scopes.ts';

/**
 * Authorization server metadata (RFC 8414).
 * @param issuer the address of this installation as the caller knows it, without a slash at the end
 */
export function discovery(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth2/authorize/`,
    token_endpoint: `${issuer}/oauth2/token/`,
    revocation_endpoint: `${issuer}/oauth2/revoke/`,
    scopes_supported: [...SCOPES],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'password', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    code_challenge_methods_supported: ['S256'],
  };
}
