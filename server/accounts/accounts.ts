import type { Database, Transaction } from '../database/database.ts';
import type { Clock } from '../lib/clock.ts';
import type { Actor, Events } from '../lib/events.ts';
import { FieldProblem } from '../lib/field-problem.ts';
import { once } from '../lib/once.ts';
import { type AccountRecord, type AccountRow, type AccountType, accountOf } from './account-record.ts';
import { hashPassword, passwordProblem } from './passwords.ts';
import { foldUsername, usernameProblem } from './usernames.ts';

export type { AccountRecord } from './account-record.ts';

/** The superuser, who set the installation up. */
export const OWNER_ID = 1;

/** A value that an account cannot have. */
export class AccountProblem extends FieldProblem {}

export interface NewAccount {
  type: AccountType;
  username: string;
  name: string;
  password: string;
  homeId: string | null;
}

export interface Accounts {
  byId(id: number): Promise<AccountRecord | null>;
  byUsername(username: string): Promise<AccountRecord | null>;
  count(): Promise<number>;
  /** Checks and hashes what `add` needs, outside of the transaction. @throws AccountProblem */
  prepare(account: NewAccount): Promise<PreparedAccount>;
  add(account: PreparedAccount, by: Actor, tx: Transaction): Promise<AccountRecord>;
  /** Opens a deactivated account again and forgets its wrong passwords. @returns false when there is no such account */
  activate(username: string, by: Actor): Promise<boolean>;
}

export interface PreparedAccount extends Omit<NewAccount, 'password'> {
  readonly passwordHash: string;
}

export function createAccounts(database: Database, clock: Clock, events: Events): Accounts {
  // Every request reads an account and very few write one: the model layer is loaded for those.
  const model = once(async () => (await import('./account.model.ts')).defineAccountModel(database));

  async function read(reader: Pick<Transaction, 'get'>, where: string, value: string | number) {
    const row = await reader.get<AccountRow>(`SELECT * FROM accounts WHERE ${where} = ?`, [value]);
    return row === undefined ? null : accountOf(row);
  }

  const byUsername = (username: string) => read(database, 'username_fold', foldUsername(username));

  return {
    byId: (id) => read(database, 'id', id),
    byUsername,
    count: async () => (await database.get<{ count: number }>('SELECT count(*) AS count FROM accounts'))?.count ?? 0,

    async prepare({ password, ...account }) {
      const nameProblem = usernameProblem(account.username);
      if (nameProblem !== null) throw new AccountProblem('username', nameProblem);
      if (account.name.trim() === '') throw new AccountProblem('name', 'A first name is needed.');
      const problem = passwordProblem(password, account.username);
      if (problem !== null) throw new AccountProblem('password', problem);
      await model();
      return { ...account, passwordHash: await hashPassword(password) };
    },

    async add(account, by, tx) {
      const usernameFold = foldUsername(account.username);
      const accounts = await model();
      if ((await read(tx, 'username_fold', usernameFold)) !== null)
        throw new AccountProblem('username', 'This user name is in use.');
      const { id } = await accounts.create(
        { ...account, usernameFold, registeredAt: clock.now() },
        { transaction: tx.sequelize },
      );
      const record = await read(tx, 'id', id);
      if (record === null) throw new Error('the account that was just added is not there');
      tx.afterCommit(() => events.emit('account.created', { actor: by, accountId: id, username: record.username }));
      return record;
    },

    async activate(username, by) {
      const account = await byUsername(username);
      if (account === null) return false;
      const accounts = await model();
      await database.write((tx) =>
        accounts.update(
          { activated: true, deactivatedReason: null, failedLoginAttempts: 0 },
          { where: { id: account.id }, transaction: tx.sequelize },
        ),
      );
      events.emit('account.activated', { actor: by, accountId: account.id, username: account.username });
      return true;
    },
  };
}
