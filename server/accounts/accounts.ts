import type { AccountsTransaction, Database } from '../database/database.ts';
import type { Clock } from '../lib/clock.ts';
import { FieldProblem } from '../lib/errors/field-problem.ts';
import type { Actor, Events } from '../lib/events.ts';
import { t } from '../messages/messages.ts';
import { type AccountColumns, accountModel } from './account.model.ts';
import type { AccountRecord } from './account-record.ts';
import { type AccountRow, accountOf, SELECT_ACCOUNTS } from './account-rows.ts';
import type { AccountType } from './account-type.ts';
import { type Permissions, sparsePermissions } from './permissions/permissions.ts';
import { foldUsername, usernameProblem } from './usernames.ts';

export type { AccountRecord } from './account-record.ts';

/** The superuser, who set the installation up. */
export const OWNER_ID = 1;

/** An invalid value for an account. */
export class AccountProblem extends FieldProblem {}

/** Another account has this user name, or one that looks the same. */
export class UsernameInUse extends AccountProblem {
  constructor() {
    super('username', t('api.accounts.usernameInUse'));
  }
}

interface NewAccount {
  type: AccountType;
  username: string;
  name: string;
  homeId: string | null;
  /** Null for an account that cannot sign in until one is set. */
  passwordHash: string | null;
}

export interface Accounts {
  byId(id: number, within?: AccountsTransaction): Promise<AccountRecord | null>;
  byUsername(username: string): Promise<AccountRecord | null>;
  count(): Promise<number>;
  /** Checks and prepares what `add` needs, outside of the transaction. @throws AccountProblem */
  prepare(account: NewAccount): Promise<PreparedAccount>;
  /** @throws UsernameInUse */
  add(account: PreparedAccount, by: Actor, tx: AccountsTransaction): Promise<AccountRecord>;
  /** Writes the given fields only. @throws UsernameInUse */
  write(id: number, fields: AccountFields, tx: AccountsTransaction): Promise<void>;
  /**
   * Sets a password that was hashed already.
   * @param liftLock also lifts a block by wrong passwords, because the caller was authenticated in a stronger way
   * @param instead the hash that must still be stored, null for none; by default any
   * @returns whether it was set
   */
  setPassword(
    id: number,
    passwordHash: string,
    options: { liftLock: boolean; instead?: string | null },
    tx: AccountsTransaction,
  ): Promise<boolean>;
  /**
   * The account with an e-mail address or user name, for a forgotten password; null also when several share the address, and for
   * guests, who have no password.
   */
  byNameOrEmail(text: string): Promise<AccountRecord | null>;
}

export type PreparedAccount = NewAccount & { readonly isPrepared: true };

/** The writable fields of an account, as stored. */
export interface AccountFields {
  readonly username?: string;
  readonly name?: string;
  readonly lastName?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly company?: string;
  readonly website?: string;
  readonly description?: string;
  readonly logoUrl?: string;
  readonly receiveNotifications?: boolean;
  /** False is set by an administrator; true also forgets wrong passwords. */
  readonly activated?: boolean;
  readonly expiresAt?: number | null;
  readonly requirePasswordChange?: boolean;
  /** Required at the next sign-in, if it is not set up. */
  readonly twoStepEnabled?: boolean;
  readonly ownerId?: number | null;
  readonly permissions?: Partial<Permissions>;
  readonly roleId?: number | null;
  readonly homeId?: string | null;
}

/** Forgets wrong passwords. */
const UNBLOCKED = { failedLoginAttempts: 0, blockedUntil: null, blockCount: 0 } as const;

/** Fields that are stored unchanged. */
const PLAIN_FIELDS = [
  'name',
  'lastName',
  'email',
  'phone',
  'company',
  'website',
  'description',
  'logoUrl',
  'receiveNotifications',
  'expiresAt',
  'requirePasswordChange',
  'twoStepEnabled',
  'ownerId',
  'roleId',
  'homeId',
] as const satisfies (keyof AccountFields & keyof AccountColumns)[];

export function createAccounts(database: Database, clock: Clock, events: Events): Accounts {
  async function read(reader: Pick<AccountsTransaction, 'get'>, where: string, value: string | number) {
    const row = await reader.get<AccountRow>(`${SELECT_ACCOUNTS} WHERE a.${where} = ?`, [value]);
    return row === undefined ? null : accountOf(row);
  }

  const byUsername = (username: string) => read(database, 'username_fold', foldUsername(username));

  return {
    byId: (id, within) => read(within ?? database, 'id', id),
    byUsername,
    count: async () => (await database.get<{ count: number }>('SELECT count(*) AS count FROM accounts'))?.count ?? 0,

    async prepare(account) {
      const nameProblem = usernameProblem(account.username);
      if (nameProblem !== null) throw new AccountProblem('username', nameProblem);
      if (account.name.trim() === '') throw new AccountProblem('name', t('api.accounts.nameMissing'));
      // Checked before anything is created for the account, such as a home, and again when it is added.
      if ((await read(database, 'username_fold', foldUsername(account.username))) !== null) throw new UsernameInUse();
      // Every request reads an account but very few write one, so models are loaded for those only.
      await database.loadModels();
      return { ...account, isPrepared: true };
    },

    async add({ isPrepared, ...account }, by, tx) {
      const usernameFold = foldUsername(account.username);
      if ((await read(tx, 'username_fold', usernameFold)) !== null) throw new UsernameInUse();
      const accounts = await tx.model(accountModel);
      const { id } = await accounts.create({ ...account, usernameFold, registeredAt: clock.now() });
      const record = await read(tx, 'id', id);
      if (record === null) throw new Error('the account that was just added is not there');
      tx.afterCommit(() => events.emit('account.created', { actor: by, accountId: id, username: record.username }));
      return record;
    },

    async write(id, fields, tx) {
      const values: Partial<AccountColumns> = {};
      if (fields.username !== undefined) {
        const usernameFold = foldUsername(fields.username);
        const other = await read(tx, 'username_fold', usernameFold);
        if (other !== null && other.id !== id) throw new UsernameInUse();
        Object.assign(values, { username: fields.username, usernameFold });
      }
      for (const field of PLAIN_FIELDS) {
        const value = fields[field];
        if (value !== undefined) Object.assign(values, { [field]: typeof value === 'string' ? value.trim() : value });
      }
      if (fields.permissions !== undefined) values.permissions = sparsePermissions(fields.permissions);
      if (fields.activated === true) Object.assign(values, { activated: true, deactivatedReason: null }, UNBLOCKED);
      if (fields.activated === false) {
        Object.assign(values, { activated: false, deactivatedReason: 'administrator' });
      }
      if (Object.keys(values).length > 0) await (await tx.model(accountModel)).update(values, { where: { id } });
    },

    async setPassword(id, passwordHash, { liftLock, instead }, tx) {
      if (instead !== undefined && (await read(tx, 'id', id))?.passwordHash !== instead) return false;
      await tx.run(
        'UPDATE accounts SET password_hash = ?, password_changed_at = ?, require_password_change = 0 WHERE id = ?',
        [passwordHash, clock.now(), id],
      );
      await tx.run('DELETE FROM password_resets WHERE account_id = ?', [id]);
      // Someone who knew the old password may have signed in with it.
      await tx.run('DELETE FROM devices WHERE account_id = ?', [id]);
      if (!liftLock) return true;
      await (await tx.model(accountModel)).update(UNBLOCKED, { where: { id } });
      return true;
    },

    async byNameOrEmail(text) {
      const byName = await byUsername(text);
      if (byName?.type === 'guest') return null;
      if (byName !== null || !text.includes('@')) return byName;
      const rows = await database.all<AccountRow>(
        `${SELECT_ACCOUNTS} WHERE lower(a.email) = lower(?) AND a.type <> 'guest' LIMIT 2`,
        [text.trim()],
      );
      const [only] = rows;
      return rows.length === 1 && only !== undefined ? accountOf(only) : null;
    },
  };
}
