import type { Database } from '../../database/database.ts';
import { type Clock, DAY, MINUTE } from '../../lib/clock.ts';
import type { AccountRecord } from '../account-record.ts';

/** The first block by wrong passwords; each further one doubles it, up to the longest. */
const FIRST_BLOCK = 15 * MINUTE;
const LONGEST_BLOCK = DAY;
/** This long after a block, the next one counts as a first one again. */
const FORGET_AFTER = DAY;

/**
 * Counts the wrong passwords of accounts. Too many deactivate an account temporarily (§3): for 15 minutes the first time and at
 * most 24 hours. Then the count begins again.
 */
interface PasswordBlocks {
  /** @param most wrong passwords in a row that block the account @returns whether it is blocked from now on */
  noteWrong(accountId: number, most: number): Promise<boolean>;
  /** Resets the count after a right password. A block caused by strangers stays. */
  noteRight(accountId: number): Promise<void>;
}

interface BlockRow {
  failed_login_attempts: number;
  blocked_until: number | null;
  block_count: number;
}

export function createPasswordBlocks(database: Database, clock: Clock): PasswordBlocks {
  return {
    noteWrong: (accountId, most) =>
      database.write(async (tx) => {
        const now = clock.now();
        const [row] = await tx.all<BlockRow>(
          `UPDATE accounts SET failed_login_attempts =
             CASE WHEN blocked_until <= ?2 AND failed_login_attempts >= ?3 THEN 1 ELSE failed_login_attempts + 1 END
           WHERE id = ?1 RETURNING failed_login_attempts, blocked_until, block_count`,
          [accountId, now, most],
        );
        if (row === undefined || row.failed_login_attempts < most || (row.blocked_until ?? 0) > now) return false;
        const before = (row.blocked_until ?? 0) > now - FORGET_AFTER ? row.block_count : 0;
        const until = now + Math.min(FIRST_BLOCK * 2 ** before, LONGEST_BLOCK);
        await tx.run('UPDATE accounts SET blocked_until = ?, block_count = ? WHERE id = ?', [
          until,
          before + 1,
          accountId,
        ]);
        return true;
      }),

    async noteRight(accountId) {
      await database.write((tx) =>
        tx.run(`UPDATE accounts SET failed_login_attempts = 0 WHERE id = ? AND coalesce(blocked_until, 0) <= ?`, [
          accountId,
          clock.now(),
        ]),
      );
    },
  };
}

/** Milliseconds for which wrong passwords still block an account for unknown browsers and apps; 0 when they do not. */
export function blockedFor({ blockedUntil }: Pick<AccountRecord, 'blockedUntil'>, now: number): number {
  // After the clock was set back, a block is never longer than the maximum.
  return Math.min(Math.max(0, (blockedUntil ?? 0) - now), LONGEST_BLOCK);
}
