import OAuth2Server from '@node-oauth/oauth2-server';
import type { Accounts } from '../accounts/accounts.ts';
import { blockReason } from '../accounts/permissions/account-status.ts';
import type { StillProved } from '../accounts/sign-in/proof-validity.ts';
import type { Clock } from '../lib/clock.ts';
import { t } from '../messages/messages.ts';
import { type AuthorizationCodes, CODE_LIFETIME, type FoundCode } from './authorization-codes.ts';
import type { ClientRecord, Clients } from './clients/clients.ts';
import { parseScopes, type Scope } from './scopes.ts';
import { ACCESS_TOKEN_LIFETIME, type IssuedTokens, type RefreshGrant, type Tokens } from './tokens.ts';

/** The model that the library calls. Every value from a request has been checked to be a single string. */
export interface OAuthModel extends OAuth2Server.RefreshTokenModel, OAuth2Server.AuthorizationCodeModel {
  /** @returns null when what the account proved holds no longer */
  authorize(
    client: OAuth2Server.Client,
    accountId: number,
    scopes: readonly Scope[],
    { address, stillProved }: { address: string; stillProved: StillProved },
  ): Promise<OAuth2Server.Token | null>;
}

export interface LibraryClient extends OAuth2Server.Client {
  rowId: number;
  isPublic: boolean;
  name: string;
}

export function createOAuthModel({
  clients,
  tokens,
  accounts,
  codes,
  clock,
}: {
  codes: AuthorizationCodes;
  clients: Clients;
  tokens: Tokens;
  accounts: Accounts;
  clock: Clock;
}): OAuthModel {
  /** @returns null when the client was removed, or the account is no longer active */
  async function clientOf({ clientRowId, accountId }: RefreshGrant | FoundCode): Promise<ClientRecord | null> {
    const account = await accounts.byId(accountId);
    return account === null || blockReason(account, clock.now()) !== null ? null : clients.byRowId(clientRowId);
  }

  async function saveCodeToken(client: OAuth2Server.Client, code: FoundCode): Promise<OAuth2Server.Token> {
    const { accountId, clientRowId, scopes, address } = code;
    const stillProved = codes.stillTaken(code.hash);
    const pair = await tokens.authorize({ accountId, clientRowId, scopes, channel: 'page', address, stillProved });
    if (pair === null || !(await codes.exchanged(code.hash, pair.authorizationId))) {
      throw new OAuth2Server.InvalidGrantError(t('api.oauth.code'));
    }
    return libraryToken(pair, client, { accountId });
  }

  return {
    async getClient(clientId, clientSecret) {
      const client = await clients.authenticate(clientId, clientSecret ?? null);
      return client === null ? false : libraryClient(client);
    },

    async authorize(client, accountId, scopes, { address, stillProved }) {
      const clientRowId = (client as LibraryClient).rowId;
      const pair = await tokens.authorize({ accountId, clientRowId, scopes, channel: 'app', address, stillProved });
      return pair === null ? null : libraryToken(pair, client, { accountId });
    },

    async getRefreshToken(refreshToken) {
      const grant = await tokens.findRefresh(refreshToken);
      const client = grant && (await clientOf(grant));
      if (!grant || !client) return false;
      return { refreshToken, scope: [...grant.scopes], client: libraryClient(client), user: { grant } };
    },

    // The library revokes the old token first and writes the new pair afterwards. Here both are one transaction,
    // in saveToken: a power cut between the two would sign the app out.
    revokeToken: async () => true,

    async getAuthorizationCode(authorizationCode) {
      const grant = await codes.find(authorizationCode);
      const client = grant && (await clientOf(grant));
      if (!grant || !client) return false;
      return {
        authorizationCode,
        // By our clock it had not expired a moment ago; the library uses another clock.
        expiresAt: new Date(Date.now() + CODE_LIFETIME),
        redirectUri: grant.redirectUri,
        scope: [...grant.scopes],
        client: libraryClient(client),
        user: { code: grant },
        ...(grant.codeChallenge === null ? {} : { codeChallenge: grant.codeChallenge, codeChallengeMethod: 'S256' }),
      };
    },

    revokeAuthorizationCode: ({ user }) => codes.use((user as { code: FoundCode }).code.hash),

    // Codes are made where the person allows them.
    saveAuthorizationCode: async () => false,

    async saveToken(token, client, user) {
      if ('code' in user) return saveCodeToken(client, (user as { code: FoundCode }).code);
      const { grant } = user as { grant: RefreshGrant };
      const pair = await tokens.rotate(grant, parseScopes(token.scope?.join(' ')) ?? []);
      if (pair === null) throw new OAuth2Server.InvalidGrantError(t('api.oauth.refreshToken'));
      return libraryToken(pair, client, user);
    },

    getAccessToken: async () => false,
  };
}

function libraryClient(client: ClientRecord): LibraryClient {
  return {
    id: client.clientId,
    rowId: client.id,
    isPublic: client.secretHash === null,
    name: client.name,
    grants: client.grants,
    redirectUris: client.redirectUris,
  };
}

function libraryToken(pair: IssuedTokens, client: OAuth2Server.Client, user: OAuth2Server.User): OAuth2Server.Token {
  return {
    accessToken: pair.accessToken,
    accessTokenExpiresAt: new Date(Date.now() + ACCESS_TOKEN_LIFETIME),
    refreshToken: pair.refreshToken,
    scope: [...pair.scopes],
    client,
    user,
  };
}
