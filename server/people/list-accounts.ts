import type { AccountRecord } from '../accounts/account-record.ts';
import { accountsByIds } from '../accounts/account-rows.ts';
import type { Database, SqlValue } from '../database/database.ts';
import type { Clock } from '../lib/clock.ts';
import { normalized } from '../lib/names/normalized.ts';

interface AccountQuery {
  /** A part of a name, user name or e-mail address, in any case. */
  readonly text?: string | undefined;
  readonly group?: number | undefined;
  readonly role?: number | undefined;
  readonly owner?: number | undefined;
  /** Only accounts with these ids. */
  readonly ids?: readonly number[] | undefined;
  /** Guests, or all other accounts; both if omitted. */
  readonly kind?: 'people' | 'guests' | undefined;
  readonly state?: 'active' | 'deactivated' | 'expired' | 'administrators' | 'guests' | undefined;
  readonly sort: 'username' | 'name' | 'used' | 'lastLogin' | 'registered';
  readonly order: 'asc' | 'desc';
  readonly start: number;
  readonly limit: number;
}

interface ListedAccount {
  readonly account: AccountRecord;
  /** Bytes. */
  readonly used: number;
  readonly groups: readonly string[];
}

interface Light {
  id: number;
  username: string;
  name: string;
  last_name: string;
  email: string;
  registered_at: number;
  last_login_at: number | null;
  used: number | null;
}

const COLLATOR = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

const SORTS: Record<AccountQuery['sort'], (a: Light, b: Light) => number> = {
  username: (a, b) => COLLATOR.compare(a.username, b.username),
  name: (a, b) => COLLATOR.compare(`${a.name} ${a.last_name}`, `${b.name} ${b.last_name}`),
  used: (a, b) => (a.used ?? 0) - (b.used ?? 0),
  lastLogin: (a, b) => (a.last_login_at ?? 0) - (b.last_login_at ?? 0),
  registered: (a, b) => a.registered_at - b.registered_at,
};

/**
 * One page of the matching accounts, and how many match. Names are compared here and not in SQL, which does not handle accents or
 * case beyond ASCII; for ten thousand accounts that takes a few hundredths of a second.
 */
export async function listAccounts(
  database: Database,
  clock: Clock,
  query: AccountQuery,
): Promise<{ accounts: ListedAccount[]; total: number }> {
  const { where, params } = conditions(query, clock.now());
  const all = await database.all<Light>(
    `SELECT a.id, a.username, a.name, a.last_name, a.email, a.registered_at, a.last_login_at, h.used
     FROM accounts a LEFT JOIN homes h ON h.id = a.home_id WHERE ${where}`,
    params,
  );
  const requested = folded(query.text ?? '');
  const fits = all.filter(({ username, name, last_name: lastName, email }) =>
    [username, `${name} ${lastName}`, email].some((text) => folded(text).includes(requested)),
  );
  const direction = query.order === 'desc' ? -1 : 1;
  fits.sort((a, b) => direction * SORTS[query.sort](a, b) || a.id - b.id);
  const page = fits.slice(query.start, query.start + query.limit);
  return { total: fits.length, accounts: await inFull(database, page) };
}

async function inFull(database: Database, page: readonly Light[]): Promise<ListedAccount[]> {
  const ids = page.map(({ id }) => id);
  const [accounts, memberships] = await Promise.all([
    accountsByIds(database, ids),
    database.all<{ account_id: number; name: string }>(
      `SELECT m.account_id, g.name FROM group_members m JOIN groups g ON g.id = m.group_id
       WHERE m.account_id IN (SELECT value FROM json_each(?)) ORDER BY g.name_fold`,
      [JSON.stringify(ids)],
    ),
  ]);
  const byId = new Map(accounts.map((account) => [account.id, account]));
  return page.flatMap(({ id, used }) => {
    const account = byId.get(id);
    const groups = memberships.filter((membership) => membership.account_id === id).map(({ name }) => name);
    return account === undefined ? [] : [{ account, used: used ?? 0, groups }];
  });
}

function folded(text: string): string {
  return normalized(text, 'NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** By an administrator, or temporarily by wrong passwords, like `deactivationOf`. Takes the present time. */
const DEACTIVATED = "a.activated = 0 OR (a.type != 'superuser' AND coalesce(a.blocked_until, 0) > ?)";

function conditions(query: AccountQuery, now: number): { where: string; params: SqlValue[] } {
  const where = ['1'];
  const params: SqlValue[] = [];
  const and = (condition: string, ...values: SqlValue[]) => {
    where.push(condition);
    params.push(...values);
  };
  if (query.group !== undefined) {
    and('a.id IN (SELECT account_id FROM group_members WHERE group_id = ?)', query.group);
  }
  if (query.role !== undefined) and('a.role_id = ?', query.role);
  if (query.owner !== undefined) and('a.owner_id = ?', query.owner);
  if (query.ids !== undefined) and('a.id IN (SELECT value FROM json_each(?))', JSON.stringify(query.ids));
  if (query.kind === 'people') and("a.type != 'guest'");
  if (query.kind === 'guests') and("a.type = 'guest'");
  if (query.state === 'active') {
    and(`NOT (${DEACTIVATED}) AND (a.expires_at IS NULL OR a.expires_at > ?)`, now, now);
  }
  if (query.state === 'deactivated') and(DEACTIVATED, now);
  if (query.state === 'expired') and('a.expires_at <= ?', now);
  if (query.state === 'guests') and("a.type = 'guest'");
  if (query.state === 'administrators') {
    and(
      `(a.type = 'superuser' OR coalesce(
        (SELECT permissions ->> 'admin_type' FROM roles WHERE id = a.role_id),
        CASE WHEN a.role_id IS NULL THEN a.permissions ->> 'admin_type' END) IS NOT NULL)`,
    );
  }
  return { where: where.join(' AND '), params };
}
