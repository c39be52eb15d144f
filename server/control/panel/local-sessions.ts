import { createHash } from 'node:crypto';
import type { AccountRecord, Accounts } from '../../accounts/accounts.ts';
import { mayOpenPanelHere, mayStay } from '../../accounts/permissions/account-status.ts';
import type { Database } from '../../database/database.ts';
import { type Clock, DAY, HOUR } from '../../lib/clock.ts';
import { equalSecrets, randomToken, tokenHash } from '../../lib/random.ts';

/** However active. */
const LONGEST = 30 * DAY;
const UNUSED = 7 * DAY;
/** The last use is written at most this often: a page that is open asks every few seconds. */
const WRITTEN_EVERY = HOUR;
const MOST = 50;

/**
 * Browsers on Larder's own computer that the owner has signed in. Stored as hashes, so that a restart ends none of them. A change of
 * password or second factor ends all, and a restored backup contains none.
 */
interface LocalSessions {
  /** @returns the token for the browser: 256 random bits */
  begin(account: AccountRecord): Promise<string>;
  /** @param isUse false for a check that does not extend the session */
  isValid(token: string, isUse?: boolean): Promise<boolean>;
  end(token: string): Promise<void>;
}

interface SessionRow {
  readonly accountId: number;
  readonly proof: Buffer;
  readonly beganAt: number;
  readonly usedAt: number;
}

export function createLocalSessions({
  accounts,
  database,
  clock,
}: {
  accounts: Pick<Accounts, 'byId'>;
  database: Pick<Database, 'get' | 'write'>;
  clock: Clock;
}): LocalSessions {
  const end = (token: string) =>
    database
      .write((tx) => tx.run('DELETE FROM panel_sessions WHERE hash = ?', [tokenHash(token)]))
      .then(() => undefined);

  return {
    async begin(account) {
      const token = randomToken();
      const now = clock.now();
      await database.write(async (tx) => {
        await tx.run('DELETE FROM panel_sessions WHERE began_at < ? OR used_at < ?', [now - LONGEST, now - UNUSED]);
        await tx.run(
          `DELETE FROM panel_sessions WHERE hash IN
             (SELECT hash FROM panel_sessions ORDER BY used_at DESC LIMIT -1 OFFSET ${MOST - 1})`,
        );
        await tx.run(
          'INSERT INTO panel_sessions (hash, account_id, proof, began_at, used_at) VALUES (?1, ?2, ?3, ?4, ?4)',
          [tokenHash(token), account.id, proofOf(account), now],
        );
      });
      return token;
    },

    async isValid(token, isUse = true) {
      const row = await database.get<SessionRow>(
        `SELECT account_id AS accountId, proof, began_at AS beganAt, used_at AS usedAt FROM panel_sessions WHERE hash = ?`,
        [tokenHash(token)],
      );
      if (row === undefined) return false;
      const now = clock.now();
      const account = await accounts.byId(row.accountId);
      const isLive = now - row.beganAt < LONGEST && now - row.usedAt < UNUSED;
      const isSame =
        account !== null &&
        mayOpenPanelHere(account) &&
        mayStay(account, now) &&
        equalSecrets(row.proof, proofOf(account));
      if (!isLive || !isSame) {
        await end(token);
        return false;
      }
      if (isUse && now - row.usedAt >= WRITTEN_EVERY)
        await database.write((tx) =>
          tx.run('UPDATE panel_sessions SET used_at = ? WHERE hash = ?', [now, tokenHash(token)]),
        );
      return true;
    },

    end,
  };
}

function proofOf({ passwordHash, twoStepKey }: Pick<AccountRecord, 'passwordHash' | 'twoStepKey'>): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([passwordHash, twoStepKey]))
    .digest();
}
