import type { Grant } from '../access/shared.ts';
import type { AccountRecord } from '../accounts/account-record.ts';
import type { SharingContext } from './context.ts';

type NewSharesContext = Pick<SharingContext, 'access' | 'database' | 'shares'>;

/** What has been shared with an account since it last saw the list of all of that. */
export async function newGrantsOf(context: NewSharesContext, account: AccountRecord): Promise<readonly Grant[]> {
  const { access, database, shares } = context;
  const [records, [row]] = await Promise.all([
    shares.reaching(account.id),
    database.all<{ seen: number }>('SELECT share_id AS seen FROM seen_shares WHERE account_id = ?', [account.id]),
  ]);
  const seen = row?.seen ?? 0;
  // Rarely is anything new: what each share gives is looked up only then.
  if (!records.some(({ id }) => id > seen)) return [];
  return (await access.shared.grantsOf(account)).filter(({ id }) => id > seen);
}

/** Stores that an account has seen these. */
export async function markGrantsSeen(
  { database }: Pick<SharingContext, 'database'>,
  { id }: Pick<AccountRecord, 'id'>,
  grants: readonly Grant[],
): Promise<void> {
  if (grants.length === 0) return;
  const newest = Math.max(...grants.map((grant) => grant.id));
  await database.write((tx) =>
    tx.run(
      `INSERT INTO seen_shares (account_id, share_id) VALUES (?, ?)
       ON CONFLICT (account_id) DO UPDATE SET share_id = max(share_id, excluded.share_id)`,
      [id, newest],
    ),
  );
}
