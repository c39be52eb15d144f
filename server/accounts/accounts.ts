import type { Database, Transaction } from '../database/database.ts';
import type { Clock } from '../lib/clock.ts';
import type { Events } from '../lib/events.ts';
import { FieldProblem } from '../lib/field-problem.ts';
import { type AccountModel, type AccountRecord, type AccountType, defineAccountModel } from './account.model.ts';
import { hashPassword, passwordProblem } from './passwords.ts';
import { foldUsername, usernameProblem } from './usernames.ts';

export type { AccountRecord } from './account.model.ts';

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
  readonly model: AccountModel;
  byId(id: number): Promise<AccountRecord | null>;
  byUsername(username: string): Promise<AccountRecord | null>;
  count(): Promise<number>;
  /** Checks and hashes what `add` needs, outside of the transaction. @throws AccountProblem */
  prepare(account: NewAccount): Promise<PreparedAccount>;
  add(account: PreparedAccount, tx: Transaction): Promise<AccountRecord>;
  /** Opens a deactivated account again and forgets its wrong passwords. @returns false when there is no such account */
  activate(username: string): Promise<boolean>;
}

export interface PreparedAccount extends Omit<NewAccount, 'password'> {
  readonly passwordHash: string;
}

export function createAccounts(database: Database, clock: Clock, events: Events): Accounts {
  const model = defineAccountModel(database);

  async function byUsername(username: string): Promise<AccountRecord | null> {
    // No account has such a name, and SQLite reads a statement up to its first NUL.
    if (username.includes('\0')) return null;
    return model.findOne({ where: { usernameFold: foldUsername(username) } });
  }

  return {
    model,
    byId: (id) => model.findByPk(id),
    byUsername,
    count: () => model.count(),

    async prepare({ password, ...account }) {
      const nameProblem = usernameProblem(account.username);
      if (nameProblem !== null) throw new AccountProblem('username', nameProblem);
      if (account.name.trim() === '') throw new AccountProblem('name', 'A first name is needed.');
      const problem = passwordProblem(password, account.username);
      if (problem !== null) throw new AccountProblem('password', problem);
      return { ...account, passwordHash: await hashPassword(password) };
    },

    async add(account, tx) {
      const usernameFold = foldUsername(account.username);
      const taken = await model.findOne({ where: { usernameFold }, transaction: tx.sequelize });
      if (taken !== null) throw new AccountProblem('username', 'This user name is in use.');
      const record = await model.create(
        { ...account, usernameFold, registeredAt: clock.now() },
        { transaction: tx.sequelize },
      );
      tx.afterCommit(() => events.emit('account.created', { accountId: record.id, username: record.username }));
      return record;
    },

    async activate(username) {
      const account = await byUsername(username);
      if (account === null) return false;
      await database.write((tx) =>
        account.update(
          { activated: true, deactivatedReason: null, failedLoginAttempts: 0 },
          { transaction: tx.sequelize },
        ),
      );
      events.emit('account.activated', { accountId: account.id });
      return true;
    },
  };
}
