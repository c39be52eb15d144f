import type { IncomingMessage } from 'node:http';
import type { AccountRecord, Accounts } from '../accounts/accounts.ts';
import { foldUsername } from '../accounts/usernames.ts';
import { cachedReads } from '../database/cached-reads.ts';
import type { Database } from '../database/database.ts';
import { isForBrowserPage } from '../http/connection/browser-page.ts';
import { addressOf, usesHttps } from '../http/connection/client-address.ts';
import { ApiError } from '../http/errors.ts';
import type { Clock } from '../lib/clock.ts';
import { actorOf, type Events, type Origin } from '../lib/events.ts';
import { t } from '../messages/messages.ts';
import { AppPasswordWaits } from './app-password-waits.ts';
import type { AppPassword, AppPasswords } from './app-passwords.ts';
import { type createBearer, type Principal, refuseIdleAccount } from './bearer.ts';
import type { CredentialGrant } from './credential-grant.ts';

/** The caller of a protocol for programs, such as WebDAV. */
export interface ProgramCaller extends Principal {
  readonly credential: CredentialGrant;
}

/** RFC 7617 §2: `user-id ":" password` in Base64. */
const BASIC = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i;
const BEARER = /^bearer +/i;

/** RFC 7617 §2.1: clients may send other characters than ASCII as UTF-8. */
const BASIC_CHALLENGE = 'Basic realm="Larder", charset="UTF-8"';

/** Number of app passwords cached between two writes to the database. */
const KNOWN = 1_000;

/**
 * Authenticates a request of a protocol for programs: a user name and an app password (RFC 7617), over HTTPS only, or the token
 * of an app. The account password is never accepted, so that two-step sign-in cannot be bypassed.
 *
 * Ask again during a request, with the time when it began: an app password that has expired since does not end it, a revoked one
 * does.
 * @param begunAt null when the request begins; later the time when it began, in milliseconds since the epoch
 * @throws ApiError `invalid_token`, with the challenges; `https_required` for an app password over plain HTTP;
 * `permission_denied` for one that a browser adds to a request of a page; `too_many_requests`, `account_deactivated`, `account_expired`, `password_change_required`
 */
type AuthenticateProgram = (request: IncomingMessage, begunAt: number | null) => Promise<ProgramCaller>;

export function createProgramAuth({
  appPasswords,
  accounts,
  database,
  clock,
  events,
  bearer,
}: {
  readonly appPasswords: AppPasswords;
  readonly accounts: Accounts;
  readonly database: Database;
  readonly clock: Clock;
  readonly events: Events;
  readonly bearer: ReturnType<typeof createBearer>;
}): AuthenticateProgram {
  const waits = new AppPasswordWaits(clock);

  /** Read again after every write, so revocation takes effect at once. */
  const known = cachedReads(database, 'accounts', KNOWN, async (secret: string) => {
    const password = await appPasswords.find(secret);
    const account = password === null ? null : await accounts.byId(password.accountId);
    return password === null || account === null ? null : { password, account };
  });

  async function lookUp({ name, secret }: Basic, at: number) {
    const found = await known(secret);
    if (found === null || foldUsername(found.account.username) !== name) return null;
    return found.password.endsAt > at ? found : null;
  }

  /** The same where guesses count. @throws ApiError `too_many_requests` */
  async function check(basic: Basic, from: Origin) {
    const begun = waits.begin(basic.name, from.address ?? '', basic.secret);
    if (typeof begun === 'number') {
      throw new ApiError('too_many_requests', t('api.passwords.waitAttempts', { seconds: begun }), {
        headers: { 'Retry-After': String(begun) },
      });
    }
    const found = await lookUp(basic, clock.now()).catch((error) => {
      begun.drop();
      throw error;
    });
    if (found !== null) begun.right();
    else if (begun.wrong()) {
      const account = await accounts.byUsername(basic.name);
      events.emit('login.failed', { actor: actorOf(from, account), reason: 'wrong_app_password' });
    }
    return found;
  }

  return async function authenticate(request, begunAt) {
    const { authorization } = request.headers;
    if (authorization !== undefined && BEARER.test(authorization)) {
      const principal = await bearer(request, { scopes: [] }, begunAt);
      const { credential } = principal;
      if (credential === undefined) throw new Error('a token has a grant');
      return { ...principal, credential, channel: 'webdav' };
    }
    const basic = authorization === undefined ? null : basicIn(authorization);
    if (basic === null) throw refusal(request);
    if (!usesHttps(request)) throw new ApiError('https_required', t('api.requests.httpsOnly'));
    if (isForBrowserPage(request)) throw new ApiError('permission_denied', t('api.passwords.fromPage'));
    const from: Origin = { channel: 'webdav', client: null, address: addressOf(request) };
    const found = begunAt === null ? await check(basic, from) : await lookUp(basic, begunAt);
    if (found === null) throw refusal(request);
    const { password, account } = found;
    refuseIdleAccount(account, clock.now(), false);
    appPasswords.noteUse(password.id, { address: from.address, userAgent: request.headers['user-agent'] ?? '' });
    return callerOf(password, account, from);
  };
}

interface Basic {
  /** Folded. */
  readonly name: string;
  readonly secret: string;
}

function basicIn(authorization: string): Basic | null {
  const encoded = BASIC.exec(authorization)?.[1];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? null : { name: foldUsername(text.slice(0, colon)), secret: text.slice(colon + 1) };
}

function callerOf(password: AppPassword, account: AccountRecord, from: Origin): ProgramCaller {
  const { scopes, rootUuid, isReadOnly, expiresAt } = password;
  const id = `app-password:${password.id}`;
  const client = { clientId: id, name: password.label };
  return { ...from, account, client, scopes, credential: { id, scopes, rootUuid, isReadOnly, expiresAt } };
}

/**
 * Over plain HTTP, no program is asked for a password that everybody on the way could read. Neither is a browser for its pages: it
 * would add the password to requests of other pages by itself.
 */
function refusal(request: IncomingMessage): ApiError {
  const asksForPassword = usesHttps(request) && !isForBrowserPage(request);
  return new ApiError('invalid_token', t('api.passwords.appPassword'), {
    headers: { 'WWW-Authenticate': asksForPassword ? [BASIC_CHALLENGE, 'Bearer'] : 'Bearer' },
  });
}
