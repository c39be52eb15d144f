import type { Database, SqlValue } from '../database/database.ts';
import type { Channel } from '../lib/events.ts';
import { normalized } from '../lib/names/normalized.ts';
import type { ActivityGroup } from './recipes.ts';

/** A query; every condition narrows the result. Times are milliseconds since the epoch. */
export interface ActivityQuery {
  /** Only rows before this one; by default the newest. */
  readonly before?: number | undefined;
  readonly limit: number;
  readonly accountId?: number | undefined;
  readonly group?: ActivityGroup | undefined;
  readonly kinds?: readonly string[] | undefined;
  readonly since?: number | undefined;
  /** Exclusive. */
  readonly until?: number | undefined;
  /** A part of a path, a name or an address, in any case. */
  readonly text?: string | undefined;
}

interface ActivityEntry {
  readonly id: number;
  readonly at: number;
  readonly kind: string;
  readonly group: ActivityGroup;
  readonly accountId: number | null;
  readonly username: string | null;
  readonly clientId: string | null;
  readonly client: string | null;
  readonly channel: Channel;
  readonly address: string | null;
  readonly subject: string;
  readonly details: Record<string, unknown>;
}

export interface ActivityPage {
  /** Newest first. */
  readonly entries: ActivityEntry[];
  /** The value of `before` for the next page; null after the last one. */
  readonly next: number | null;
}

/** Rows one statement examines: others read through the same connection. */
const REACH = 50_000;

const SELECT = `SELECT id, at, kind, kind_group AS "group", account_id AS accountId, username, client_id AS clientId,
  client, channel, address, subject, details FROM activity WHERE id < ? AND id >= ?`;
const SEARCHED = ['subject', 'username', 'client', 'address', "details ->> '$.from'"];

type Row = Omit<ActivityEntry, 'details'> & { details: string | null };

/** A page of the log. */
export async function listActivity(
  database: Pick<Database, 'all' | 'get'>,
  query: ActivityQuery,
): Promise<ActivityPage> {
  const ends = await database.get<{ first: number | null; last: number | null }>(
    'SELECT (SELECT min(id) FROM activity) AS first, (SELECT max(id) FROM activity) AS last',
  );
  const first = ends?.first ?? 1;
  const { sql, params } = conditions(query);
  const isFound = textFilter(query.text ?? '');
  const found: ActivityEntry[] = [];
  let before = Math.min(query.before ?? Number.MAX_SAFE_INTEGER, (ends?.last ?? 0) + 1);
  // One more than requested shows that there is another page.
  while (found.length <= query.limit && before > first) {
    const from = Math.max(first, before - REACH);
    const limit = query.limit + 1 - found.length;
    const rows = await database.all<Row>(`${SELECT}${sql} ORDER BY id DESC LIMIT ?`, [before, from, ...params, limit]);
    found.push(...rows.map(entryOf).filter(isFound));
    before = rows.length < limit ? from : (rows.at(-1)?.id ?? from);
  }
  const entries = found.slice(0, query.limit);
  return { entries, next: found.length > query.limit ? (entries.at(-1)?.id ?? null) : null };
}

function entryOf({ details, ...row }: Row): ActivityEntry {
  return { ...row, details: details === null ? {} : JSON.parse(details) };
}

function conditions(query: ActivityQuery): { sql: string; params: SqlValue[] } {
  const parts: string[] = [];
  const params: SqlValue[] = [];
  const add = (sql: string, value: SqlValue | undefined, times = 1) => {
    if (value === undefined) return;
    parts.push(` AND ${sql}`);
    for (let time = 0; time < times; time += 1) params.push(value);
  };
  add('account_id = ?', query.accountId);
  add('kind_group = ?', query.group);
  add('kind IN (SELECT value FROM json_each(?))', query.kinds && JSON.stringify(query.kinds));
  add('at >= ?', query.since);
  add('at < ?', query.until);
  const text = query.text ?? '';
  const likes = SEARCHED.map((column) => `${column} LIKE ? ESCAPE '\\'`).join(' OR ');
  add(`(${likes})`, text === '' ? undefined : pattern(text), SEARCHED.length);
  return { sql: parts.join(''), params };
}

/** SQLite ignores case for ASCII only: other characters become wildcards here, and `textFilter` compares them. */
function pattern(text: string): string {
  const escaped = normalized(text, 'NFC').replace(/[\\%_]/g, '\\$&');
  return `%${escaped.replace(/[^\p{ASCII}]+/gu, '%')}%`;
}

function textFilter(text: string): (entry: ActivityEntry) => boolean {
  if (/^\p{ASCII}*$/u.test(text)) return () => true;
  const wanted = folded(text);
  return ({ subject, username, client, address, details: { from } }) =>
    [subject, username, client, address, from].some((one) => typeof one === 'string' && folded(one).includes(wanted));
}

function folded(text: string): string {
  return normalized(normalized(text, 'NFC').toLowerCase(), 'NFC');
}
