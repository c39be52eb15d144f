import type { AccountRecord, Accounts } from '../../accounts/accounts.ts';
import { mayOpenPanel, mayStay } from '../../accounts/permissions/account-status.ts';
import { type Clock, HOUR, MINUTE } from '../../lib/clock.ts';
import { randomToken, tokenHash } from '../../lib/random.ts';
import type { Settings } from '../../settings/settings.ts';

/** However active: a browser left signed in somewhere stays so for this long at most. */
const LONGEST = 12 * HOUR;
const MOST = 50;

/** Sessions of the control panel over the network. Kept in memory only: a restart ends them all. */
interface RemoteSessions {
  /** @returns the token for the browser: 256 random bits, of which only the hash is stored here */
  begin(account: AccountRecord): string;
  /**
   * Whether a token still opens the panel: not idle for too long, and its account unchanged since it signed in, with the same
   * password and second factor.
   * @param isUse false for a check that does not extend the session
   */
  isValid(token: string, isUse?: boolean): Promise<boolean>;
  end(token: string): void;
  endAll(): void;
}

interface RemoteSession {
  readonly accountId: number;
  readonly passwordHash: string | null;
  readonly twoStepKey: string | null;
  readonly began: number;
  lastUsed: number;
}

export function createRemoteSessions({
  accounts,
  settings,
  clock,
}: {
  accounts: Accounts;
  settings: Settings;
  clock: Clock;
}): RemoteSessions {
  const sessions = new Map<string, RemoteSession>();
  const nameOf = (token: string) => tokenHash(token).toString('base64');

  const isOver = ({ began, lastUsed }: RemoteSession) =>
    clock.now() - began >= LONGEST || clock.now() - lastUsed >= settings.values.sessionMinutes * MINUTE;

  return {
    begin({ id: accountId, passwordHash, twoStepKey }) {
      for (const [name, session] of sessions) if (isOver(session)) sessions.delete(name);
      const [oldest] = sessions.keys();
      if (sessions.size >= MOST && oldest !== undefined) sessions.delete(oldest);
      const token = randomToken();
      const now = clock.now();
      sessions.set(nameOf(token), { accountId, passwordHash, twoStepKey, began: now, lastUsed: now });
      return token;
    },

    async isValid(token, isUse = true) {
      const name = nameOf(token);
      const session = sessions.get(name);
      if (session === undefined) return false;
      const account = await accounts.byId(session.accountId);
      const isSame =
        account !== null &&
        mayOpenPanel(account) &&
        mayStay(account, clock.now()) &&
        account.passwordHash === session.passwordHash &&
        account.twoStepKey === session.twoStepKey;
      if (!isSame || isOver(session) || !sessions.has(name)) {
        sessions.delete(name);
        return false;
      }
      if (isUse) session.lastUsed = clock.now();
      return true;
    },

    end(token) {
      sessions.delete(nameOf(token));
    },

    endAll() {
      sessions.clear();
    },
  };
}
