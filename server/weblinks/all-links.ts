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
  /** How many items it opens beside this one. */
  readonly further: number;
  /** The title of the album that it shows. */
  readonly album: string | null;
  readonly by: { readonly id: number; readonly username: string };
}

const FURTHER = '(SELECT max(count(*) - 1, 0) FROM weblink_items WHERE link = given.number)';
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
    database.all<LinkRow & SharedOrLinkedRow & { further: number; album: string | null }>(
      `SELECT given.*, ${SHARED_OR_LINKED_COLUMNS}, ${FURTHER} AS further, albums.title AS album ${FROM} WHERE given.number < ?5 AND ${FITS} ORDER BY given.number DESC LIMIT ?6`,
      [...params, before, limit],
    ),
    database.get<{ count: number }>(`SELECT count(*) AS count ${FROM} WHERE ${FITS}`, params),
  ]);
  const items = await sharedOrLinkedItems(database, rows);
  const links = rows.flatMap((row) => {
    const item = items.get(row.item_id);
    const { further, album } = row;
    return item === undefined
      ? []
      : [{ link: linkOf(row), item, further, album, by: { id: row.by_id, username: row.by_username } }];
  });
  return { links, total: counted?.count ?? 0, next: rows.length < limit ? null : (rows.at(-1)?.number ?? null) };
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
