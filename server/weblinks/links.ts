import type { FilesDatabase, SqlValue, Transaction } from '../database/database.ts';
import { type Clock, DAY } from '../lib/clock.ts';
import { randomAlphanumeric } from '../lib/random.ts';
import { linkEnd } from './link-end.ts';
import { type LinkRecord, type LinkRow, type LinkRules, linkOf } from './link-record.ts';

/** Length of an id: 190 bits. */
const ID_LENGTH = 32;
/** Milliseconds for which temporary and single-download links answer that they have ended. */
const ENDED_FOR = 30 * DAY;

type Reader = Pick<Transaction, 'get' | 'all'>;

interface NewLink extends LinkRules {
  readonly itemId: number;
  readonly creatorId: number;
  readonly isPermanent: boolean;
  readonly passwordHash: string | null;
  /** The album that a link to several follows. */
  readonly albumId?: number;
}

/** The records of web links. `open-link.ts` decides what a link opens at the moment. */
export interface Links {
  byId(id: string): Promise<LinkRecord | null>;
  byNumber(number: number, within?: Reader): Promise<LinkRecord | null>;
  /** All links of an item alone: the permanent one first, then newest first. */
  of(itemId: number, within?: Reader): Promise<LinkRecord[]>;
  /** All links to single items that an account made, newest first. */
  by(creatorId: number): Promise<LinkRecord[]>;
  /** All links of the items of a home, in the order of `of`. */
  inHome(homeId: string): Promise<LinkRecord[]>;
  /** All links to several items that an account made, newest first. */
  ofSeveralBy(creatorId: number): Promise<LinkRecord[]>;
  /** The ids of the items of a link to several, in the order in which they were chosen, or that of the album. */
  itemsOf(number: number, within?: Pick<FilesDatabase, 'all'>): Promise<number[]>;
  /** @param several the items of a link to several, of which `itemId` is one */
  add(tx: Transaction, link: NewLink, several?: readonly number[]): Promise<LinkRecord>;
  /** The title of the album that a link follows; null for any other link. */
  albumTitle(link: Pick<LinkRecord, 'albumId'>): Promise<string | null>;
  /** @param passwordHash undefined: unchanged */
  change(tx: Transaction, number: number, rules: LinkRules, passwordHash: string | null | undefined): Promise<void>;
  remove(tx: Transaction, number: number): Promise<void>;
  /** Deletes temporary and single-download links that ended long ago. */
  purge(): Promise<void>;
}

const ORDER = 'ORDER BY standing DESC, number DESC';

export function createLinks(database: FilesDatabase, clock: Clock): Links {
  async function many(reader: Reader, sql: string, params: readonly SqlValue[]): Promise<LinkRecord[]> {
    return (await reader.all<LinkRow>(sql, [...params])).map(linkOf);
  }
  const by = (creatorId: number, several: 0 | 1) =>
    many(database, 'SELECT * FROM weblinks WHERE creator_id = ? AND several = ? ORDER BY number DESC', [
      ...[creatorId, several],
    ]);
  const one = async (reader: Reader, column: 'id' | 'number', value: SqlValue) =>
    (await many(reader, `SELECT * FROM weblinks WHERE ${column} = ?`, [value]))[0] ?? null;

  return {
    byId: (id) => one(database, 'id', id),
    byNumber: (number, within = database) => one(within, 'number', number),
    of: (itemId, within = database) =>
      many(within, `SELECT * FROM weblinks WHERE item_id = ? AND several = 0 ${ORDER}`, [itemId]),
    by: (creatorId) => by(creatorId, 0),
    ofSeveralBy: (creatorId) => by(creatorId, 1),

    async itemsOf(number, within = database) {
      const rows = await within.all<{ item_id: number }>(
        // An album has photos and films only.
        `SELECT l.item_id FROM weblink_items l CROSS JOIN weblinks w ON w.number = l.link
           LEFT JOIN albums a ON a.id = w.album_id LEFT JOIN photos p ON p.item_id = l.item_id
           LEFT JOIN album_items m ON m.album_id = a.id AND m.item_id = l.item_id
         WHERE l.link = ? AND (w.album_id IS NULL OR (p.item_id IS NOT NULL AND m.item_id IS NOT NULL))
         ORDER BY CASE a.sort WHEN 'taken' THEN p.local WHEN 'hand' THEN m.place END, l.position`,
        [number],
      );
      return rows.map(({ item_id: itemId }) => itemId);
    },

    inHome: (homeId) =>
      many(
        database,
        `SELECT * FROM weblinks WHERE ? = (SELECT home_id FROM items WHERE items.id = item_id) AND several = 0 ${ORDER}`,
        [homeId],
      ),

    async add(tx, link, several = []) {
      const [row] = await tx.all<LinkRow>(
        `INSERT INTO weblinks (id, item_id, creator_id, standing, created_at, password_hash, expires_at, download_limit,
           allow_uploads, allow_downloads, force_save, show_comments, show_comments_names, show_metadata, notify,
           download_terms, require_login, several, album_id)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING *`,
        [
          ...[randomAlphanumeric(ID_LENGTH), link.itemId, link.creatorId, Number(link.isPermanent), clock.now()],
          ...[link.passwordHash, ...ruleValues(link), Number(several.length > 0), link.albumId ?? null],
        ],
      );
      const added = linkOf(row as LinkRow);
      await tx.run('INSERT INTO weblink_items (link, item_id, position) SELECT ?, value, key FROM json_each(?)', [
        ...[added.number, JSON.stringify(several)],
      ]);
      return added;
    },

    async albumTitle({ albumId }) {
      if (albumId === null) return null;
      const row = await database.get<{ title: string }>('SELECT title FROM albums WHERE id = ?', [albumId]);
      return row?.title ?? null;
    },

    async change(tx, number, rules, passwordHash) {
      await tx.run(
        `UPDATE weblinks SET expires_at = ?, download_limit = ?, allow_uploads = ?, allow_downloads = ?, force_save = ?,
           show_comments = ?, show_comments_names = ?, show_metadata = ?, notify = ?, download_terms = ?, require_login = ?
         WHERE number = ?`,
        [...ruleValues(rules), number],
      );
      if (passwordHash === undefined) return;
      await tx.run('UPDATE weblinks SET password_hash = ? WHERE number = ?', [passwordHash, number]);
    },

    async remove(tx, number) {
      await tx.run('DELETE FROM weblinks WHERE number = ?', [number]);
    },

    async purge() {
      const before = clock.now() - ENDED_FOR;
      const old = await many(database, 'SELECT * FROM weblinks WHERE standing = 0 AND created_at <= ?', [before]);
      const ended = old.filter((link) => linkEnd(link, before) !== null);
      if (ended.length === 0) return;
      await database.write(async (tx) => {
        for (const { number } of ended) await tx.run('DELETE FROM weblinks WHERE number = ?', [number]);
      });
    },
  };
}

function ruleValues(rules: LinkRules): SqlValue[] {
  return [
    rules.expiresAt,
    rules.downloadLimit,
    ...[rules.allowUploads, rules.allowDownloads, rules.forceSave].map(Number),
    ...[rules.showComments, rules.showCommentsNames, rules.showMetadata, rules.notify].map(Number),
    rules.downloadTerms,
    Number(rules.requireLogin),
  ];
}
