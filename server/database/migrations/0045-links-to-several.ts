import type { Migration } from './migration.ts';

/** Of the links to several items that have this item as their own: another of their items, if they have one. */
const NEXT_ITEM = `UPDATE weblinks SET item_id = (
    SELECT item_id FROM weblink_items WHERE link = weblinks.number AND item_id <> OLD.id ORDER BY position LIMIT 1
  ) WHERE item_id = OLD.id AND several = 1
    AND EXISTS (SELECT 1 FROM weblink_items WHERE link = weblinks.number AND item_id <> OLD.id);`;

/** Links that open several items. `weblinks.item_id` is one of them, so that such a link ends with the last of its items. */
export const linksToSeveral: Migration = {
  name: '0045-links-to-several',
  statements: [
    'ALTER TABLE weblinks ADD COLUMN several INTEGER NOT NULL DEFAULT 0',
    `CREATE TABLE weblink_items (
      link INTEGER NOT NULL REFERENCES weblinks (number) ON DELETE CASCADE,
      item_id INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      PRIMARY KEY (link, item_id)
    ) STRICT, WITHOUT ROWID`,
    'CREATE INDEX weblink_items_item ON weblink_items (item_id)',
    `CREATE TRIGGER weblink_items_deleted BEFORE DELETE ON items BEGIN ${NEXT_ITEM} END`,
    // Before the trigger that ends the links of an item that moves to another home.
    `CREATE TRIGGER weblink_items_moved BEFORE UPDATE OF home_id ON items WHEN OLD.home_id <> NEW.home_id BEGIN
      ${NEXT_ITEM}
      DELETE FROM weblink_items WHERE item_id = OLD.id;
    END`,
  ],
};
