import type { Migration } from './migration.ts';

/** How people want to see folders, wherever these are: the look stays when a folder is renamed or moved. */
export const itemLooks: Migration = {
  name: '0072-item-looks',
  statements: [
    // Lists, which are no items, and what was chosen before stay in `folder_looks`, by their paths.
    `CREATE TABLE item_looks (
      account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      item_id INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
      view TEXT NOT NULL,
      sort TEXT NOT NULL,
      direction TEXT NOT NULL,
      chosen_at INTEGER NOT NULL,
      PRIMARY KEY (account_id, item_id)
    ) STRICT, WITHOUT ROWID`,
    'CREATE INDEX item_looks_item ON item_looks (item_id)',
  ],
};
