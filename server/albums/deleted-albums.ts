import type { Transaction } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';
import { HOUR } from '../lib/clock.ts';
import { t } from '../messages/messages.ts';
import { WITHOUT_MEMBERS } from '../shares/album-shares.ts';
import type { Recipient } from '../shares/share-record.ts';

// What is kept of a deleted album for a while, so that its deletion can be undone.

/** Milliseconds. */
const KEPT_FOR = HOUR;
/** Of an account: the last ones. */
const KEPT = 20;

/** Of a web link: all but its item and its album. */
export const LINK_COLUMNS = [
  ...['number', 'id', 'creator_id', 'standing', 'password_hash', 'expires_at', 'download_limit', 'downloads'],
  ...['uncounted', 'allow_uploads', 'allow_downloads', 'force_save', 'show_comments', 'show_comments_names'],
  ...['show_metadata', 'notify', 'download_terms', 'require_login', 'created_at', 'several'],
] as const;

/** Downloads that were running end with the link. They are not counted. */
const KEPT_LINK = LINK_COLUMNS.map((column) =>
  column === 'downloads'
    ? 'max(0, w.downloads - (SELECT count(*) FROM weblink_downloads d WHERE d.link = w.number))'
    : `w.${column}`,
);

/** What may return with an album. */
export interface Returning {
  /** Those whom it may be shared with. */
  readonly recipients: readonly Recipient[];
  readonly mayLink: boolean;
}

/** How many items, shares and web links could not return. */
export interface Lost {
  readonly items: number;
  readonly shares: number;
  readonly links: number;
}

/** Keeps what an album has, before it is deleted. */
export async function keepAlbum(tx: Transaction, id: number, now: number): Promise<void> {
  await purgeDeletedAlbums(tx, now);
  await tx.run(
    `INSERT INTO deleted_albums (uuid, id, account_id, deleted_at, title, sort, cover_id, folder_id, created_at,
       items, shares, left_by, links, imported)
     SELECT a.uuid, a.id, a.account_id, ?2, a.title, a.sort, a.cover_id, a.folder_id, a.created_at,
       (SELECT json_group_array(json_array(m.item_id, i.home_id, m.added_by, m.added_at, m.place))
          FROM album_items m CROSS JOIN items i ON i.id = m.item_id WHERE m.album_id = a.id),
       (SELECT json_group_array(json_array(given.uid, given.gid, given.role, given.created_at))
          FROM (SELECT * FROM album_shares WHERE album_id = a.id ORDER BY id) given),
       (SELECT json_group_array(account_id) FROM album_left WHERE album_id = a.id),
       (SELECT json_group_array(json_array(json_array(${KEPT_LINK.join(', ')}),
            (SELECT json_group_array(item_id) FROM (SELECT item_id FROM weblink_items WHERE link = w.number ORDER BY position))))
          FROM weblinks w WHERE w.album_id = a.id AND w.album_id IS NOT NULL),
       (SELECT json_group_array(json_array(import_id, folder)) FROM import_albums WHERE album_id = a.id)
     FROM albums a WHERE a.id = ?1`,
    [id, now],
  );
  await tx.run(
    `DELETE FROM deleted_albums WHERE uuid IN (SELECT uuid FROM deleted_albums
       WHERE account_id = (SELECT account_id FROM albums WHERE id = ?) ORDER BY deleted_at DESC, rowid DESC LIMIT -1 OFFSET ${KEPT})`,
    [id],
  );
}

/** Forgets those that were deleted long ago. */
export async function purgeDeletedAlbums(tx: Transaction, now: number): Promise<void> {
  await tx.run('DELETE FROM deleted_albums WHERE deleted_at <= ?', [now - KEPT_FOR]);
}

interface KeptRow {
  shares: string;
  links: string;
  items: string;
}

/** Whom a deleted album of an account was shared with; null if there is no such album. */
export async function recipientsOfDeleted(
  reader: Pick<Transaction, 'all'>,
  accountId: number,
  uuid: string,
  now: number,
): Promise<readonly Recipient[] | null> {
  const [row] = await reader.all<{ shares: string }>(
    'SELECT shares FROM deleted_albums WHERE uuid = ? AND account_id = ? AND deleted_at > ?',
    [uuid, accountId, now - KEPT_FOR],
  );
  return row === undefined ? null : sharesIn(row).map(({ recipient }) => recipient);
}

/**
 * Brings a deleted album back, with all that may return: items that still are there, shares, and links with their addresses.
 * @throws ApiError `not_found` if there is no such album, and for the album of a folder that is gone, or is shown again by now
 */
export async function restoreAlbum(
  tx: Transaction,
  accountId: number,
  uuid: string,
  now: number,
  { recipients, mayLink }: Returning,
): Promise<Lost> {
  const kept = 'FROM deleted_albums d WHERE d.uuid = ?1 AND d.account_id = ?2 AND d.deleted_at > ?3';
  const params = [uuid, accountId, now - KEPT_FOR];
  const row = await tx.get<KeptRow & { id: number }>(`SELECT id, shares, links, items ${kept}`, params);
  const { changes } = await tx.run(
    `INSERT INTO albums (id, uuid, account_id, title, sort, cover_id, folder_id, created_at)
     SELECT d.id, d.uuid, d.account_id, d.title, d.sort, (SELECT id FROM items WHERE id = d.cover_id), d.folder_id, d.created_at
     ${kept} AND (d.folder_id IS NULL OR (EXISTS (SELECT 1 FROM items WHERE id = d.folder_id)
       AND NOT EXISTS (SELECT 1 FROM albums WHERE folder_id = d.folder_id AND account_id = d.account_id)))`,
    params,
  );
  if (row === undefined || changes === 0) throw new ApiError('not_found', t('api.albums.notFound'));
  const shares = await returnShares(tx, row, recipients);
  const items = await returnItems(tx, row);
  const links = mayLink ? await returnLinks(tx, row) : 0;
  // Imports that made it, or continue it, go on with it.
  await tx.run(
    `UPDATE import_albums SET album_id = ?1 FROM deleted_albums d CROSS JOIN json_each(d.imported) one
     WHERE d.id = ?1 AND import_albums.import_id = one.value ->> 0 AND import_albums.folder = one.value ->> 1
       AND import_albums.album_id IS NULL`,
    [row.id],
  );
  await tx.run('DELETE FROM deleted_albums WHERE uuid = ?', [uuid]);
  return {
    items: lengthOf(row.items) - items,
    shares: lengthOf(row.shares) - shares,
    links: lengthOf(row.links) - links,
  };
}

async function returnShares(
  tx: Transaction,
  row: KeptRow & { readonly id: number },
  recipients: readonly Recipient[],
): Promise<number> {
  let count = 0;
  for (const { recipient, role, createdAt } of sharesIn(row)) {
    const { uid, gid } = recipient;
    if (!recipients.some((one) => one.uid === uid && one.gid === gid)) continue;
    const { changes } = await tx.run(
      `INSERT INTO album_shares (album_id, uid, gid, role, created_at) SELECT ?1, ?2, ?3, ?4, ?5
       WHERE EXISTS (SELECT 1 FROM accounts WHERE id = ?2) OR EXISTS (SELECT 1 FROM groups WHERE id = ?3)`,
      [row.id, uid, gid, role, createdAt],
    );
    count += changes;
  }
  await tx.run(
    `INSERT INTO album_left (album_id, account_id) SELECT d.id, a.id FROM deleted_albums d
       CROSS JOIN json_each(d.left_by) l CROSS JOIN accounts a ON a.id = l.value WHERE d.id = ?`,
    [row.id],
  );
  return count;
}

/** What people added who no longer have the album, or who no longer have the item, is theirs: it does not return. */
async function returnItems(tx: Transaction, { id, items }: KeptRow & { readonly id: number }): Promise<number> {
  await tx.run(
    `INSERT INTO album_items (album_id, item_id, added_by, added_at, place)
     SELECT ?1, i.id, CASE WHEN i.home_id = kept.value ->> 1 THEN a.id END, kept.value ->> 3, kept.value ->> 4
     FROM json_each(?2) kept CROSS JOIN items i ON i.id = kept.value ->> 0 LEFT JOIN accounts a ON a.id = kept.value ->> 2`,
    [id, items],
  );
  await tx.run(WITHOUT_MEMBERS, [id]);
  const left = await tx.get<{ count: number }>('SELECT count(*) AS count FROM album_items WHERE album_id = ?', [id]);
  return left?.count ?? 0;
}

async function returnLinks(tx: Transaction, { id, links }: KeptRow & { readonly id: number }): Promise<number> {
  let count = 0;
  for (const [values, itemIds] of JSON.parse(links) as [(string | number | null)[], number[]][]) {
    const [number, , creator] = values;
    // The link shows what its maker added, and nothing else.
    const items = await tx.all<{ item_id: number }>(
      `SELECT m.item_id FROM json_each(?1) list CROSS JOIN album_items m ON m.album_id = ?2 AND m.item_id = list.value
       WHERE m.added_by = ?3 ORDER BY list.key`,
      [JSON.stringify(itemIds), id, creator ?? null],
    );
    const ids = items.map(({ item_id: item }) => item);
    const [first] = ids;
    if (first === undefined) continue;
    await tx.run(
      `INSERT INTO weblinks (${LINK_COLUMNS.join(', ')}, item_id, album_id)
       VALUES (${LINK_COLUMNS.map(() => '?').join(', ')}, ?, ?)`,
      [...values, first, id],
    );
    await tx.run('INSERT INTO weblink_items (link, item_id, position) SELECT ?, value, key FROM json_each(?)', [
      ...[number ?? null, JSON.stringify(ids)],
    ]);
    count += 1;
  }
  return count;
}

function sharesIn({ shares }: Pick<KeptRow, 'shares'>) {
  const rows = JSON.parse(shares) as [number | null, number | null, string, number][];
  return rows.map(([uid, gid, role, createdAt]) => ({
    recipient: (uid === null ? { uid: null, gid: gid ?? 0 } : { uid, gid: null }) satisfies Recipient as Recipient,
    role,
    createdAt,
  }));
}

function lengthOf(list: string): number {
  return (JSON.parse(list) as unknown[]).length;
}
