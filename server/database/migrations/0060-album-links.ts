import type { Migration } from './migration.ts';

/** Most items of a link to an album. */
const MAX_ITEMS = 1_000;

/** The links to the album of a row, by the same account. */
const LINKS = (row: 'NEW' | 'OLD') =>
  `SELECT number FROM weblinks WHERE album_id = ${row}.album_id AND album_id IS NOT NULL`;

/** An item that the maker of a link added to its album is in the link. */
const FOLLOW = `INSERT OR IGNORE INTO weblink_items (link, item_id, position)
    SELECT number, NEW.item_id, NEW.place FROM weblinks
    WHERE album_id = NEW.album_id AND album_id IS NOT NULL AND creator_id = NEW.added_by
      AND (SELECT count(*) FROM weblink_items WHERE link = number) < ${MAX_ITEMS};
  -- The item that such a link has as its own may have been taken out.
  UPDATE weblinks SET item_id = NEW.item_id
    WHERE album_id = NEW.album_id AND album_id IS NOT NULL AND creator_id = NEW.added_by
      AND NOT EXISTS (SELECT 1 FROM weblink_items WHERE link = number AND item_id = weblinks.item_id);`;

/** What is taken out of an album is in none of its links. */
const LEAVE = `DELETE FROM weblink_items WHERE item_id = OLD.item_id AND link IN (${LINKS('OLD')});
  UPDATE weblinks SET item_id = (SELECT item_id FROM weblink_items WHERE link = number ORDER BY position LIMIT 1)
    WHERE album_id = OLD.album_id AND album_id IS NOT NULL AND item_id = OLD.item_id
      AND EXISTS (SELECT 1 FROM weblink_items WHERE link = number);`;

/** Links to albums: links to several items, which follow what their makers have in the album. */
export const albumLinks: Migration = {
  name: '0060-album-links',
  statements: [
    'ALTER TABLE weblinks ADD COLUMN album_id INTEGER REFERENCES albums (id) ON DELETE CASCADE',
    'CREATE INDEX weblinks_album ON weblinks (album_id) WHERE album_id IS NOT NULL',
    `CREATE TRIGGER album_links_added AFTER INSERT ON album_items BEGIN ${FOLLOW} END`,
    `CREATE TRIGGER album_links_removed AFTER DELETE ON album_items BEGIN ${LEAVE} END`,
    // When an account is deleted, its links are, too.
    `CREATE TRIGGER album_links_changed AFTER UPDATE OF added_by ON album_items WHEN OLD.added_by IS NOT NEW.added_by BEGIN
      ${LEAVE}
      ${FOLLOW}
    END`,
  ],
};
