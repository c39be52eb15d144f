import type { Migration } from './migration.ts';

/** What counts towards the room that a home takes: files as they are and their earlier contents, deleted ones too. */
const COUNTED = (row: string) => `${row}.is_dir = 0 AND ${row}.missing_since IS NULL`;
const VERSIONS_OF = (row: string) => `(SELECT coalesce(sum(size), 0) FROM versions WHERE item_id = ${row}.id)`;

export const people: Migration = {
  name: '0007-people',
  statements: [
    // Permissions are one JSON object with the names of the API document; a name that is absent has its default.
    `CREATE TABLE roles (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL,
      name_fold TEXT NOT NULL UNIQUE,
      permissions TEXT NOT NULL,
      home_template TEXT NOT NULL DEFAULT '',
      created_at INTEGER NOT NULL
    ) STRICT`,

    "ALTER TABLE accounts ADD COLUMN permissions TEXT NOT NULL DEFAULT '{}'",
    'ALTER TABLE accounts ADD COLUMN role_id INTEGER REFERENCES roles (id) ON DELETE SET NULL',
    // The independent administrator whom the account belongs to.
    'ALTER TABLE accounts ADD COLUMN owner_id INTEGER REFERENCES accounts (id) ON DELETE SET NULL',
    'ALTER TABLE accounts ADD COLUMN receive_notifications INTEGER NOT NULL DEFAULT 0',
    "ALTER TABLE accounts ADD COLUMN phone TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE accounts ADD COLUMN company TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE accounts ADD COLUMN website TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE accounts ADD COLUMN description TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE accounts ADD COLUMN logo_url TEXT NOT NULL DEFAULT ''",
    'CREATE INDEX accounts_role ON accounts (role_id)',
    'CREATE INDEX accounts_owner ON accounts (owner_id)',

    // A group of an independent administrator is theirs; every other is the household's. The same name may be in both.
    `CREATE TABLE groups (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL,
      name_fold TEXT NOT NULL,
      owner_id INTEGER REFERENCES accounts (id) ON DELETE CASCADE,
      created_at INTEGER NOT NULL
    ) STRICT`,
    'CREATE UNIQUE INDEX groups_name ON groups (name_fold, coalesce(owner_id, 0))',
    'CREATE INDEX groups_owner ON groups (owner_id)',
    `CREATE TABLE group_members (
      group_id INTEGER NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
      account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      PRIMARY KEY (group_id, account_id)
    ) STRICT, WITHOUT ROWID`,
    'CREATE INDEX group_members_account ON group_members (account_id)',

    // Bytes used by a home, maintained by triggers so that no write can forget it.
    'ALTER TABLE homes ADD COLUMN used INTEGER NOT NULL DEFAULT 0',
    `UPDATE homes SET used =
      (SELECT coalesce(sum(size), 0) FROM items WHERE home_id = homes.id AND is_dir = 0 AND missing_since IS NULL) +
      (SELECT coalesce(sum(v.size), 0) FROM versions v JOIN items i ON i.id = v.item_id WHERE i.home_id = homes.id)`,
    `CREATE TRIGGER items_used_insert AFTER INSERT ON items WHEN ${COUNTED('NEW')} AND NEW.size <> 0 BEGIN
      UPDATE homes SET used = used + NEW.size WHERE id = NEW.home_id;
    END`,
    `CREATE TRIGGER items_used_update AFTER UPDATE OF size, missing_since, is_dir ON items
      WHEN OLD.home_id = NEW.home_id AND ((${COUNTED('OLD')}) <> (${COUNTED('NEW')}) OR OLD.size <> NEW.size) BEGIN
      UPDATE homes SET used = used - OLD.size * (${COUNTED('OLD')}) + NEW.size * (${COUNTED('NEW')}) WHERE id = NEW.home_id;
    END`,
    `CREATE TRIGGER items_used_move AFTER UPDATE OF home_id ON items WHEN OLD.home_id <> NEW.home_id BEGIN
      UPDATE homes SET used = used - OLD.size * (${COUNTED('OLD')}) - ${VERSIONS_OF('NEW')} WHERE id = OLD.home_id;
      UPDATE homes SET used = used + NEW.size * (${COUNTED('NEW')}) + ${VERSIONS_OF('NEW')} WHERE id = NEW.home_id;
    END`,
    // Before the deletion: afterwards the home of the row's versions would be unknown.
    `CREATE TRIGGER items_used_delete BEFORE DELETE ON items BEGIN
      DELETE FROM versions WHERE item_id = OLD.id;
      UPDATE homes SET used = used - OLD.size * (${COUNTED('OLD')}) WHERE id = OLD.home_id AND OLD.size <> 0;
    END`,
    `CREATE TRIGGER versions_used_insert AFTER INSERT ON versions BEGIN
      UPDATE homes SET used = used + NEW.size WHERE id = (SELECT home_id FROM items WHERE id = NEW.item_id);
    END`,
    `CREATE TRIGGER versions_used_delete AFTER DELETE ON versions BEGIN
      UPDATE homes SET used = used - OLD.size WHERE id = (SELECT home_id FROM items WHERE id = OLD.item_id);
    END`,
    `CREATE TRIGGER versions_used_update AFTER UPDATE OF size, item_id ON versions BEGIN
      UPDATE homes SET used = used - OLD.size WHERE id = (SELECT home_id FROM items WHERE id = OLD.item_id);
      UPDATE homes SET used = used + NEW.size WHERE id = (SELECT home_id FROM items WHERE id = NEW.item_id);
    END`,
  ],
};
