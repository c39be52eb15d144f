import type { Database } from '../../database/database.ts';
import { type Clock, DAY } from '../../lib/clock.ts';
import { randomToken, tokenHash } from '../../lib/random.ts';
import type { StillProved } from './proof-validity.ts';

/**
 * Browsers that have signed in to an account before (OWASP, "Slow Down Online Guessing Attacks with Device Cookies"). Guessing by
 * strangers neither delays nor blocks them; their own wrong passwords are counted separately.
 */
export interface Devices {
  /**
   * Remembers that a browser has signed in.
   * @param token of its cookie; reused only if it was issued here
   * @returns the new content of its cookie: 256 random bits, of which only the hash is stored; null when the proof is no longer
   * valid
   */
  remember(accountId: number, token: string | null, stillProved: StillProved): Promise<string | null>;
  /** Whether a browser with this cookie has signed in to the account before. */
  isKnown(accountId: number, token: string | null): Promise<boolean>;
  /** Counts a wrong password from a known browser. After `most` in a row it counts as unknown again. */
  noteWrong(accountId: number, token: string, most: number): Promise<void>;
  purge(): Promise<void>;
}

/** How long a browser is remembered after its last use. */
export const DEVICE_LIFETIME = 365 * DAY;
/** Most browsers of one account; the least recently used one is dropped first. */
const MAX_OF_ONE = 50;

export function createDevices(database: Database, clock: Clock): Devices {
  const since = () => clock.now() - DEVICE_LIFETIME;
  return {
    remember(accountId, presented, stillProved) {
      const fresh = randomToken();
      return database.write(async (tx) => {
        if (!(await stillProved(tx))) return null;
        const sql = 'SELECT 1 FROM devices WHERE hash = ?';
        const isOurs = presented !== null && (await tx.get(sql, [tokenHash(presented)])) !== undefined;
        const token = isOurs ? presented : fresh;
        await tx.run(
          `INSERT INTO devices (hash, account_id, wrong_attempts, last_used_at) VALUES (?1, ?2, 0, ?3)
           ON CONFLICT DO UPDATE SET wrong_attempts = 0, last_used_at = ?3`,
          [tokenHash(token), accountId, clock.now()],
        );
        await tx.run(
          `DELETE FROM devices WHERE account_id = ?1 AND hash NOT IN
             (SELECT hash FROM devices WHERE account_id = ?1 ORDER BY last_used_at DESC LIMIT ?2)`,
          [accountId, MAX_OF_ONE],
        );
        return token;
      });
    },

    async isKnown(accountId, token) {
      if (token === null) return false;
      const sql = 'SELECT 1 FROM devices WHERE hash = ? AND account_id = ? AND last_used_at > ?';
      return (await database.get(sql, [tokenHash(token), accountId, since()])) !== undefined;
    },

    async noteWrong(accountId, token, most) {
      const key = [tokenHash(token), accountId];
      await database.write(async (tx) => {
        await tx.run('UPDATE devices SET wrong_attempts = wrong_attempts + 1 WHERE hash = ? AND account_id = ?', key);
        await tx.run('DELETE FROM devices WHERE hash = ? AND account_id = ? AND wrong_attempts >= ?', [...key, most]);
      });
    },

    async purge() {
      await database.write((tx) => tx.run('DELETE FROM devices WHERE last_used_at <= ?', [since()]));
    },
  };
}
