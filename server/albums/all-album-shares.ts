import { type CountInFolder, countsThere } from '../catalogue/counts-there.ts';
import type { FilesDatabase, SqlValue } from '../database/database.ts';
import {
  accountsNamed,
  albumsNamed,
  GIVEN_BY,
  groupsNamed,
  type SharesAndLinksQuery,
} from '../files/shares-and-links-query.ts';
import type { Actor } from '../lib/events.ts';
import { searchFold } from '../lib/names/names.ts';
import type { AlbumRole, AlbumShares } from '../shares/album-shares.ts';
import type { Recipient } from '../shares/share-record.ts';
import type { SharingContext } from '../sharing/context.ts';
import { type NamedRecipient, namedRecipient } from '../sharing/recipients.ts';

/** An album that an account shares with someone. */
export interface ListedAlbumShare {
  readonly id: number;
  readonly title: string;
  /** How many photos and films are in it, whoever sees them, without those in the trash. */
  readonly items: number;
  readonly by: { readonly id: number; readonly username: string };
  readonly to: NamedRecipient;
  readonly role: AlbumRole;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

interface Row {
  id: number;
  album_id: number;
  uid: number | null;
  gid: number | null;
  role: AlbumRole;
  created_at: number;
  title: string;
  by_id: number;
  by_username: string;
}

const FROM = `FROM album_shares AS given CROSS JOIN albums ON albums.id = given.album_id
   CROSS JOIN accounts ON accounts.id = albums.account_id`;
const COLUMNS = 'given.*, albums.title, accounts.id AS by_id, accounts.username AS by_username';
/** With ?1 the folded text, and the ids of the accounts, groups and albums whose names fit it in ?3, ?4 and ?5. */
const FITS = `(?1 = '' OR albums.id IN (SELECT value FROM json_each(?5)) OR accounts.id IN (SELECT value FROM json_each(?3))
   OR given.uid IN (SELECT value FROM json_each(?3)) OR given.gid IN (SELECT value FROM json_each(?4))) AND ${GIVEN_BY}`;

/** The albums that accounts share, once for each recipient, the newest shares first, and how many match. */
export async function allAlbumShares(
  context: SharingContext,
  { text, by, before = Number.MAX_SAFE_INTEGER, limit }: SharesAndLinksQuery,
): Promise<{ shares: ListedAlbumShare[]; total: number; next: number | null }> {
  const { database } = context;
  const fold = searchFold(text);
  const named = [accountsNamed(database, fold), groupsNamed(database, fold), albumsNamed(database, fold)];
  const params: SqlValue[] = [fold, by ?? null, ...(await Promise.all(named))];
  const [rows, counted] = await Promise.all([
    database.all<Row>(`SELECT ${COLUMNS} ${FROM} WHERE given.id < ?6 AND ${FITS} ORDER BY given.id DESC LIMIT ?7`, [
      ...params,
      before,
      limit,
    ]),
    database.get<{ count: number }>(`SELECT count(*) AS count ${FROM} WHERE ${FITS}`, params),
  ]);
  const counts = await countsOf(database, [...new Set(rows.map(({ album_id: album }) => album))]);
  const shares: ListedAlbumShare[] = [];
  for (const row of rows) {
    const to = await namedRecipient(context, recipientOf(row));
    if (to === null) continue;
    const { id, title, role, created_at: createdAt } = row;
    const items = counts.get(row.album_id) ?? 0;
    shares.push({ id, title, items, role, createdAt, to, by: { id: row.by_id, username: row.by_username } });
  }
  return { shares, total: counted?.count ?? 0, next: rows.length < limit ? null : (rows.at(-1)?.id ?? null) };
}

/** How many photos and films are in these albums, without those in the trash. */
async function countsOf(database: FilesDatabase, albumIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await database.all<CountInFolder>(
    `SELECT m.album_id AS "of", p.folder_id AS folder, count(*) AS count FROM json_each(?1) list
       CROSS JOIN album_items m ON m.album_id = list.value CROSS JOIN photos p ON p.item_id = m.item_id
       CROSS JOIN items i ON i.id = m.item_id AND i.missing_since IS NULL
     GROUP BY m.album_id, p.folder_id`,
    [JSON.stringify(albumIds)],
  );
  return countsThere(database, rows);
}

/**
 * Ends the sharing of albums of any account, for the owner. What the recipients added leaves these albums.
 * @returns how many existed
 */
export async function endAlbumShares(
  context: SharingContext & { readonly albumShares: AlbumShares },
  ids: readonly number[],
  actor: Actor,
): Promise<number> {
  const { accountsDatabase, albumShares, events } = context;
  return accountsDatabase.write(async (tx) => {
    let ended = 0;
    for (const id of new Set(ids)) {
      const [row] = await tx.all<Row>(`SELECT ${COLUMNS} ${FROM} WHERE given.id = ?`, [id]);
      if (row === undefined) continue;
      const to = await namedRecipient(context, recipientOf(row), tx);
      await albumShares.remove(tx, row.album_id, recipientOf(row));
      ended += 1;
      const { title, by_username: owner } = row;
      tx.afterCommit(() =>
        events.emit('album.unshared', { actor, title, owner, to: to?.name ?? '', kind: to?.kind ?? 'user' }),
      );
    }
    return ended;
  });
}

const recipientOf = ({ uid, gid }: Pick<Row, 'uid' | 'gid'>): Recipient =>
  uid !== null ? { uid, gid: null } : { uid: null, gid: gid ?? 0 };
