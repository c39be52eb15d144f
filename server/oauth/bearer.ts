import type { IncomingMessage } from 'node:http';
import type { AccountRecord, Accounts } from '../accounts/accounts.ts';
import { blockReason } from '../accounts/permissions/account-status.ts';
import { cachedReads } from '../database/cached-reads.ts';
import type { Database } from '../database/database.ts';
import { addressOf } from '../http/connection/client-address.ts';
import { ApiError } from '../http/errors.ts';
import type { Clock } from '../lib/clock.ts';
import type { Origin } from '../lib/events.ts';
import { t } from '../messages/messages.ts';
import { CONSOLE_CLIENT_ID } from './console-tokens.ts';
import type { CredentialGrant } from './credential-grant.ts';
import { insufficientScope } from './insufficient-scope.ts';
import type { Scope } from './scopes.ts';
import type { Tokens } from './tokens.ts';

/** The caller: account, client, address and scopes. */
export interface Principal extends Origin {
  readonly account: AccountRecord;
  /** Absent for a session of the pages, which may do what its account may. */
  readonly authorizationId?: number;
  readonly scopes: ReadonlySet<Scope>;
  /** What its token may do; absent for a session of the pages. */
  readonly credential?: CredentialGrant | undefined;
}

/** RFC 6750 §2.1: the header only; a token in a query string would end up in logs and histories. */
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/** Number of tokens cached between two writes to the database. */
const KNOWN_TOKENS = 1_000;

/**
 * Checks the access token of a request and that it has every required scope. It is checked again during a request, with the time
 * when that began: a token that has expired since does not end it, a revoked one does.
 * @throws ApiError `invalid_token` (§5.5, §7.3) or `insufficient_scope` (§7.7), with `WWW-Authenticate` (RFC 6750 §3)
 */
export function createBearer({
  tokens,
  accounts,
  database,
  clock,
}: {
  tokens: Tokens;
  accounts: Accounts;
  database: Database;
  clock: Clock;
}) {
  /** The account behind a token; read again after every write, so revocation takes effect at once. */
  const known = cachedReads(database, 'accounts', KNOWN_TOKENS, async (token: string) => {
    const grant = await tokens.findAccess(token);
    const account = grant === null ? null : await accounts.byId(grant.accountId);
    return grant === null || account === null ? null : { grant, account };
  });

  async function lookUp(token: string, at: number) {
    const found = await known(token);
    return found !== null && found.grant.expiresAt > at ? found : null;
  }

  return async function authenticate(
    request: IncomingMessage,
    { scopes, changesPassword = false }: { scopes: readonly Scope[]; changesPassword?: boolean },
    begunAt: number | null = null,
  ): Promise<Principal> {
    const header = request.headers.authorization;
    const token = header === undefined ? undefined : BEARER.exec(header)?.[1];
    const found = token === undefined ? null : await lookUp(token, begunAt ?? clock.now());
    if (found === null) {
      // RFC 6750 §3.1: no error code for a request that showed no credentials at all.
      const challenge = header === undefined ? 'Bearer' : 'Bearer error="invalid_token"';
      throw new ApiError('invalid_token', t('api.oauth.checkToken'), {
        details: { parameter: 'access_token' },
        headers: { 'WWW-Authenticate': challenge },
      });
    }
    const { grant, account } = found;
    refuseIdleAccount(account, clock.now(), changesPassword);
    const missing = scopes.filter((scope) => !grant.scopes.has(scope));
    if (missing.length > 0) throw insufficientScope(missing, scopes);
    tokens.noteUse(grant.authorizationId);
    const { client, authorizationId } = grant;
    const address = addressOf(request);
    const channel = client.clientId === CONSOLE_CLIENT_ID ? 'control' : 'app';
    const credential: CredentialGrant = {
      id: `authorization:${authorizationId}`,
      scopes: grant.scopes,
      rootUuid: null,
      isReadOnly: false,
      expiresAt: null,
    };
    return { account, channel, client, address, authorizationId, scopes: grant.scopes, credential };
  };
}

/**
 * Rejects accounts that may not act although their token or app password is valid.
 * @param now milliseconds since the epoch
 * @param changesPassword whether the request changes the password
 * @throws ApiError `account_deactivated`, `account_expired`, `password_change_required`
 */
export function refuseIdleAccount(account: AccountRecord, now: number, changesPassword: boolean): void {
  const shut = blockReason(account, now);
  if (shut === 'deactivated') {
    throw new ApiError('account_deactivated', t('api.accounts.disabled'));
  }
  if (shut === 'expired') {
    throw new ApiError('account_expired', t('api.accounts.expired'));
  }
  if (account.requirePasswordChange && !changesPassword) {
    throw new ApiError('password_change_required', t('api.accounts.passwordChange'));
  }
}

/** For parameters that need another scope. @throws ApiError `insufficient_scope` */
export function requireScope({ scopes }: Pick<Principal, 'scopes'>, scope: Scope): void {
  if (!scopes.has(scope)) throw insufficientScope([scope], [scope]);
}
