import { type AccountRow, accountOf, SELECT_ACCOUNTS } from '../accounts/account-record.ts';
import type { AccountRecord } from '../accounts/accounts.ts';
import { reaches } from '../accounts/administration.ts';
import { ALL } from '../accounts/permissions.ts';
import type { Home } from '../catalogue/homes.ts';
import type { FilesContext } from './context.ts';

/** Whether somebody may open locks of others: in one's own home, and in those of accounts that one administers. */
export async function mayOpenLocks(context: FilesContext, account: AccountRecord, home: Home): Promise<boolean> {
  // Of several accounts with one home it is the first one's.
  const [row] = await context.database.all<AccountRow>(
    `${SELECT_ACCOUNTS} WHERE a.id = (SELECT min(id) FROM accounts WHERE home_id = ?)`,
    [home.id],
  );
  if (row === undefined) return account.type === 'superuser';
  const owner = accountOf(row);
  return owner.id === account.id || reaches(account, { ...owner, groupIds: await groupsOf(context, owner.id) });
}

/** The name of somebody for whoever asks; null where they may not know of each other. */
export async function nameForAsker(
  context: FilesContext,
  asker: AccountRecord,
  accountId: number,
): Promise<string | null> {
  const [row] = await context.database.all<AccountRow>(`${SELECT_ACCOUNTS} WHERE a.id = ?`, [accountId]);
  if (row === undefined) return null;
  const other = accountOf(row);
  const groupIds = await groupsOf(context, accountId);
  const seen = asker.permissions.users_may_see.split(',');
  const isSeen = [ALL, `u${accountId}`, ...groupIds.map((id) => `g${id}`)].some((one) => seen.includes(one));
  return isSeen || reaches(asker, { ...other, groupIds }) ? `${other.name} ${other.lastName}`.trim() : null;
}

async function groupsOf({ database }: FilesContext, accountId: number): Promise<number[]> {
  const rows = await database.all<{ group_id: number }>('SELECT group_id FROM group_members WHERE account_id = ?', [
    accountId,
  ]);
  return rows.map(({ group_id }) => group_id);
}
