import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { AccountsTransaction, Database } from '../../database/database.ts';
import type { Clock } from '../../lib/clock.ts';
import { tokenHash } from '../../lib/random.ts';
import type { AccountRecord } from '../accounts.ts';
import type { StillProved } from './proof-validity.ts';

/** Two-step sign-in: time-based codes (TOTP, RFC 6238), and recovery codes for a lost phone. */
export interface TwoStep {
  /** A new key in base32: 160 random bits, as RFC 4226 §4 recommends. */
  newKey(): string;
  /** The content of the QR code for authenticator apps. */
  address(key: string, username: string, household: string): string;
  /**
   * Enables it, or changes the key, if the first code proves that the app has the key.
   * @returns ten recovery codes, to be shown once; null when the code is wrong, or the earlier proof is no longer valid
   */
  enable(accountId: number, key: string, code: string, stillProved: StillProved): Promise<string[] | null>;
  disable(accountId: number, tx: AccountsTransaction): Promise<void>;
  /** Replaces the recovery codes by ten new ones. */
  renewRecoveryCodes(accountId: number, tx: AccountsTransaction): Promise<string[]>;
  recoveryCodesLeft(accountId: number): Promise<number>;
  /** Whether a code proves the second factor. Every code works once (RFC 6238 §5.2), recovery codes too. */
  redeem(account: Pick<AccountRecord, 'id' | 'twoStepKey'>, code: string): Promise<boolean>;
}

/** The defaults of all authenticator apps; many ignore other values. */
const PARAMETERS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
const KEY_BYTES = 20;
/** Accepted time steps before and after the present one: clocks differ, and people type slowly (RFC 6238 §5.2). */
const WINDOW = 1;

const RECOVERY_CODES = 10;
/** Crockford's base 32, for copying by hand. 16 characters have 80 bits: too many to guess, even from a hash. */
const RECOVERY_SIGNS = '0123456789abcdefghjkmnpqrstvwxyz';
const RECOVERY_LENGTH = 16;

export function createTwoStep(database: Database, clock: Clock): TwoStep {
  /** The time step of the code, or null. */
  function stepOf(key: string, code: string): number | null {
    const timestamp = clock.now();
    const delta = totp(key).validate({ token: code, timestamp, window: WINDOW });
    return delta === null ? null : Math.floor(timestamp / (PARAMETERS.period * 1_000)) + delta;
  }

  async function storeRecoveryCodes(accountId: number, tx: AccountsTransaction): Promise<string[]> {
    await tx.run('DELETE FROM recovery_codes WHERE account_id = ?', [accountId]);
    const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
    for (const code of codes) {
      await tx.run('INSERT INTO recovery_codes (hash, account_id) VALUES (?, ?)', [recoveryHash(code), accountId]);
    }
    return codes;
  }

  return {
    newKey: () => new Secret({ size: KEY_BYTES }).base32,

    address: (key, username, household) =>
      new TOTP({ ...PARAMETERS, issuer: household, label: username, secret: Secret.fromBase32(key) }).toString(),

    async enable(accountId, key, code, stillProved) {
      const step = /^[A-Z2-7]{32}$/.test(key) ? stepOf(key, plain(code)) : null;
      if (step === null) return null;
      return database.write(async (tx) => {
        if (!(await stillProved(tx))) return null;
        await tx.run('UPDATE accounts SET two_step_key = ?, two_step_since = ?, two_step_last_step = ? WHERE id = ?', [
          key,
          clock.now(),
          step,
          accountId,
        ]);
        return storeRecoveryCodes(accountId, tx);
      });
    },

    async disable(accountId, tx) {
      await tx.run(
        `UPDATE accounts SET two_step_key = NULL, two_step_since = NULL, two_step_last_step = NULL, two_step_required = 0
         WHERE id = ?`,
        [accountId],
      );
      await tx.run('DELETE FROM recovery_codes WHERE account_id = ?', [accountId]);
    },

    renewRecoveryCodes: storeRecoveryCodes,

    async recoveryCodesLeft(accountId) {
      const sql = 'SELECT count(*) AS count FROM recovery_codes WHERE account_id = ?';
      return (await database.get<{ count: number }>(sql, [accountId]))?.count ?? 0;
    },

    async redeem({ id, twoStepKey }, given) {
      const code = plain(given);
      if (twoStepKey === null) return false;
      if (code.length === RECOVERY_LENGTH) {
        const { changes } = await database.write((tx) =>
          tx.run('DELETE FROM recovery_codes WHERE hash = ? AND account_id = ?', [recoveryHash(code), id]),
        );
        return changes > 0;
      }
      const step = stepOf(twoStepKey, code);
      if (step === null) return false;
      const { changes } = await database.write((tx) =>
        tx.run(
          'UPDATE accounts SET two_step_last_step = ? WHERE id = ? AND two_step_key = ? AND two_step_last_step < ?',
          [step, id, twoStepKey, step],
        ),
      );
      return changes > 0;
    },
  };
}

function totp(key: string): TOTP {
  return new TOTP({ ...PARAMETERS, secret: Secret.fromBase32(key) });
}

/** Accepts codes in groups and capitals. */
function plain(code: string): string {
  return code.replace(/[\s-]/g, '').toLowerCase();
}

/** Four groups of four. */
function newRecoveryCode(): string {
  // 256 is a multiple of 32, so all characters are equally likely.
  const signs = [...randomBytes(RECOVERY_LENGTH)].map((byte) => RECOVERY_SIGNS[byte % RECOVERY_SIGNS.length]).join('');
  return (signs.match(/.{4}/g) ?? []).join('-');
}

function recoveryHash(code: string): Buffer {
  const read = plain(code).replaceAll('o', '0').replace(/[il]/g, '1');
  return tokenHash(`recovery ${read}`);
}
