import type { Database, SqlValue } from '../database/database.ts';
import type { Channel } from '../lib/events.ts';
import type { ActivityGroup } from './recipes.ts';

/** Whose entries are read. */
export interface ActivityReader {
  readonly id: number;
  readonly username: string;
  /** Milliseconds since the epoch: earlier entries are of another account that had the same name. */
  readonly registeredAt: number;
}

/** Groups that people read. */
export type OwnGroup = Exclude<ActivityGroup, 'system'>;

/** An entry as the person may see it whom it concerns. */
export interface OwnEntry {
  readonly id: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly kind: string;
  readonly group: OwnGroup;
  readonly accountId: number | null;
  readonly username: string | null;
  readonly channel: Channel;
  /** Null in entries of others, as the address is: what they use is theirs to know. */
  readonly client: string | null;
  readonly address: string | null;
  /**
   * A path or name. Of what is in the home of another person, only the name: the rest of the path may not be shared. What is shared
   * itself has no name here, but `/ROOT/<account>/<share>`, with which paths of others begin as well.
   */
  readonly subject: string;
  readonly isElsewhere: boolean;
  /** The items of a link to several, and how often something was tried. */
  readonly items: number;
  readonly attempts: number;
  /** The person or group with whom this person shared something; null in entries of others. */
  readonly to: string | null;
  /** Whether the person left an album of another one. */
  readonly hasLeft: boolean;
}

export interface OwnActivityQuery {
  /** Only entries before this one; null for the newest. */
  readonly before: number | null;
  readonly limit: number;
  /** Null for all. */
  readonly group: OwnGroup | null;
}

export interface OwnActivityPage {
  /** Newest first. */
  readonly entries: readonly OwnEntry[];
  /** The value of `before` for the next page; null after the last one. */
  readonly next: number | null;
}

/** What people did to their own account; the rest of its group is administration, and may have been done with rights since lost. */
const OWN_SECURITY = [
  'app-password.created',
  'app-password.removed',
  'authorization.granted',
  'authorization.revoked',
  'login.failed',
  'login.succeeded',
  'password.changed',
  'picture.changed',
  'profile.changed',
  'recovery-codes.renewed',
  'session.ended',
  'two-step.disabled',
  'two-step.enabled',
] as const;

interface Row {
  id: number;
  at: number;
  kind: string;
  group: OwnGroup;
  accountId: number | null;
  username: string | null;
  client: string | null;
  channel: Channel;
  address: string | null;
  subject: string;
  of: string | null;
  toOwner: string | null;
  weblink: number | null;
  items: number | null;
  attempts: number | null;
  to: string | null;
  hasLeft: number | null;
}

const COLUMNS = `id, at, kind, kind_group AS "group", account_id AS accountId, username, client, channel, address, subject,
  details ->> '$.of' AS "of", details ->> '$.toOwner' AS toOwner, details ->> '$.weblink' AS weblink,
  details ->> '$.items' AS items, details ->> '$.attempts' AS attempts, details ->> '$.to' AS "to",
  details ->> '$.left' AS hasLeft`;

/**
 * What a person did, and what others did with the files, shares and links of that person. Both are found by an index, so that a
 * page costs no more in a long log.
 */
export async function listOwnActivity(
  database: Pick<Database, 'all'>,
  reader: ActivityReader,
  { before, limit, group }: OwnActivityQuery,
): Promise<OwnActivityPage> {
  const bounds: SqlValue[] = [before ?? Number.MAX_SAFE_INTEGER, reader.registeredAt, limit + 1];
  const groups = JSON.stringify(group === null ? ['files', 'sharing', 'security'] : [group]);
  const kinds = JSON.stringify(OWN_SECURITY);
  const [own, ofOthers] = await Promise.all([
    database.all<Row>(
      `SELECT ${COLUMNS} FROM activity WHERE account_id = ?4 AND id < ?1 AND at >= ?2
         AND kind_group IN (SELECT value FROM json_each(?5))
         AND (kind_group <> 'security' OR kind IN (SELECT value FROM json_each(?6)))
       ORDER BY id DESC LIMIT ?3`,
      [...bounds, reader.id, groups, kinds],
    ),
    database.all<Row>(
      `SELECT ${COLUMNS} FROM activity WHERE details ->> '$.of' = ?4 AND id < ?1 AND at >= ?2
         AND account_id IS NOT ?5
         AND kind_group IN (SELECT value FROM json_each(?6) WHERE value <> 'security')
       ORDER BY id DESC LIMIT ?3`,
      [...bounds, reader.username, reader.id, groups],
    ),
  ]);
  const rows = [...own, ...ofOthers].sort((a, b) => b.id - a.id);
  const entries = rows.slice(0, limit).map((row) => entryFor(reader, row));
  return { entries, next: rows.length > limit ? (entries.at(-1)?.id ?? null) : null };
}

/** The path of what is shared, as those it is shared with have it. */
const SHARED_ITEM = /^\/ROOT\/\d+\/\d+$/;

function entryFor({ id, username }: ActivityReader, row: Row): OwnEntry {
  const { of, toOwner, weblink, items, attempts, ...entry } = row;
  const isOwn = row.accountId === id;
  const isElsewhere =
    isOwn && ([of, toOwner].some((owner) => owner !== null && owner !== username) || weblink !== null);
  const from = isOwn ? {} : { client: null, address: null };
  const hasLeft = row.hasLeft === 1;
  const to = isOwn && !hasLeft && row.to !== '' ? row.to : null;
  const isName = !isElsewhere || SHARED_ITEM.test(row.subject);
  const subject = isName ? row.subject : row.subject.slice(row.subject.lastIndexOf('/') + 1);
  return { ...entry, ...from, to, hasLeft, subject, isElsewhere, items: items ?? 1, attempts: attempts ?? 1 };
}
