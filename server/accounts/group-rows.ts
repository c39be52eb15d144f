import type { DatabaseReader } from '../database/database.ts';

/** The ids of the groups of accounts, in their order, by the ids of the accounts; nothing for an account without groups. */
export async function groupIdsOf(
  reader: Pick<DatabaseReader, 'all'>,
  accountIds: readonly number[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  const rows = await reader.all<{ account_id: number; group_id: number }>(
    `SELECT account_id, group_id FROM group_members WHERE account_id IN (SELECT value FROM json_each(?))
     ORDER BY account_id, group_id`,
    [JSON.stringify(accountIds)],
  );
  const byAccount = new Map<number, number[]>();
  for (const { account_id: accountId, group_id: groupId } of rows) {
    byAccount.set(accountId, [...(byAccount.get(accountId) ?? []), groupId]);
  }
  return byAccount;
}
