import { expect, it } from 'vitest';
import type { AccountCaller, Caller, LinkVisitor } from '../../dist/server/access/caller.js';
import type { accountModel as AccountModel } from '../../dist/server/accounts/account.model.js';
import type { AccountsTransaction, Database, FilesDatabase, Transaction } from '../../dist/server/database/database.js';

// Mistakes that no longer compile. Each `@ts-expect-error` fails the build when the line below it is accepted.

declare const accountModel: typeof AccountModel;
declare const visitor: LinkVisitor;
declare const caller: Caller;
declare const database: Database;
declare const forAccounts: (caller: AccountCaller) => void;
declare const deletesTokens: (tx: AccountsTransaction) => Promise<void>;
declare const changesFiles: (tx: Transaction) => Promise<void>;
declare const writesFiles: (database: Pick<FilesDatabase, 'write'>) => void;
declare const writesAccounts: (database: Pick<Database, 'write'>) => void;

/** Never called: only its types are checked. */
function mistakes(): void {
  // A visitor of a web link has no account, and reaches no function that needs one.
  // @ts-expect-error
  visitor.account.homeId;
  // @ts-expect-error
  caller.account.id;
  // @ts-expect-error
  forAccounts(visitor);
  // @ts-expect-error
  forAccounts(caller);
  // @ts-expect-error: nor can one be made up from the account of the link's creator.
  const both: LinkVisitor = { ...visitor, account: { id: 1 } };
  void both;

  // Writing accounts and tokens invalidates their caches, so a handle for files cannot be used for it, nor the reverse.
  void database.files.write(async (tx) => {
    await changesFiles(tx);
    // @ts-expect-error
    await deletesTokens(tx);
    // @ts-expect-error
    await tx.model(accountModel);
  });
  void database.write(async (tx) => {
    await changesFiles(tx);
    await deletesTokens(tx);
    await tx.model(accountModel);
  });
  // @ts-expect-error
  writesAccounts(database.files);
  // @ts-expect-error
  writesFiles(database);
  // @ts-expect-error
  writesFiles(database.photos);
  // @ts-expect-error
  writesFiles(database.activity);
}

it('the listed mistakes do not compile', () => {
  expect(mistakes).toBeTypeOf('function');
});
