import { type CountInFolder, countsThere } from '../catalogue/counts-there.ts';
import type { SqlValue } from '../database/database.ts';
import {
  accountsNamed,
  albumsNamed,
  GIVEN_BY,
  itemEvent,
  NAMED_BY_TEXT,
  SHARED_OR_LINKED_COLUMNS,
  type SharedOrLinkedItem,
  type SharedOrLinkedRow,
  type SharesAndLinksQuery,
  sharedOrLinkedFrom,
  sharedOrLinkedItems,
} from '../files/shares-and-links-query.ts';
import type { Actor } from '../lib/events.ts';
import { searchFold } from '../lib/names/names.ts';
import type { WeblinksContext } from './context.ts';
import { type LinkRecord, type LinkRow, linkOf } from './link-record.ts';

type Context = Pick<WeblinksContext, 'database' | 'links' | 'events'>;

export interface ListedLink {
  readonly link: LinkRecord;
  readonly item: SharedOrLinkedItem;
  /** How many items it opens now: those in the trash, and those that have left its album, do not count. */
  readonly items: number;
  /** The title of the album that it shows. */
  readonly album: string | null;
  readonly by: { readonly id: number; readonly username: string };
}

const FROM = `${sharedOrLinkedFrom('weblinks', 'creator_id')}
   LEFT JOIN albums ON albums.id = given.album_id`;
/** With ?4 the ids of the albums whose titles fit the text. */
const FITS = `(${NAMED_BY_TEXT} OR given.album_id IN (SELECT value FROM json_each(?4))) AND ${GIVEN_BY}`;

/** The links of all accounts, newest first, and how many match. */
export async function allLinks(
  { database }: Context,
  { text, by, before = Number.MAX_SAFE_INTEGER, limit }: SharesAndLinksQuery,
): Promise<{ links: ListedLink[]; total: number; next: number | null }> {
  const fold = searchFold(text);
  const named = await Promise.all([accountsNamed(database, fold), albumsNamed(database, fold)]);
  const params: SqlValue[] = [fold, by ?? null, ...named];
  const [rows, counted] = await Promise.all([
    database.all<LinkRow & SharedOrLinkedRow & { album: string | null }>(
      `SELECT given.*, ${SHARED_OR_LINKED_COLUMNS}, albums.title AS album ${FROM} WHERE given.number < ?5 AND ${FITS} ORDER BY given.number DESC LIMIT ?6`,
      [...params, before, limit],
    ),
    database.get<{ count: number }>(`SELECT count(*) AS count ${FROM} WHERE ${FITS}`, params),
  ]);
  const items = await sharedOrLinkedItems(database, rows);
  const counts = await countsOf(
    database,
    rows.filter(({ several }) => several === 1).map(({ number }) => number),
  );
  const links = rows.flatMap((row) => {
    const item = items.get(row.item_id);
    if (item === undefined) return [];
    const count = row.several === 1 ? (counts.get(row.number) ?? 0) : Number(item.place.state === 'there');
    const by = { id: row.by_id, username: row.by_username };
    return [{ link: linkOf(row), item, items: count, album: row.album, by }];
  });
  return { links, total: counted?.count ?? 0, next: rows.length < limit ? null : (rows.at(-1)?.number ?? null) };
}

async function countsOf(database: Context['database'], numbers: readonly number[]): Promise<Map<number, number>> {
  const rows = await database.all<CountInFolder>(
    `SELECT l.link AS "of", coalesce(i.parent_id, i.id) AS folder, count(*) AS count FROM json_each(?1) list
       CROSS JOIN weblinks w ON w.number = list.value CROSS JOIN weblink_items l ON l.link = w.number
       CROSS JOIN items i ON i.id = l.item_id AND i.missing_since IS NULL
     WHERE w.album_id IS NULL OR EXISTS (SELECT 1 FROM album_items m CROSS JOIN photos p ON p.item_id = m.item_id
       WHERE m.album_id = w.album_id AND m.item_id = l.item_id)
     GROUP BY l.link, coalesce(i.parent_id, i.id)`,
    [JSON.stringify(numbers)],
  );
  return countsThere(database, rows);
}

/** Ends links of any account, for the owner. @returns how many existed */
export async function endLinks(context: Context, numbers: readonly number[], actor: Actor): Promise<number> {
  const { database, links, events } = context;
  return database.write(async (tx) => {
    let removed = 0;
    for (const number of new Set(numbers)) {
      const link = await links.byNumber(number, tx);
      if (link === null) continue;
      const event = { ...(await itemEvent(tx, link.itemId)), items: (await links.itemsOf(number, tx)).length };
      await links.remove(tx, number);
      removed += 1;
      tx.afterCommit(() => events.emit('weblink.removed', { actor, links: 1, ...event }));
    }
    return removed;
  });
}
