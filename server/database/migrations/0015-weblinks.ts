import type { Migration } from './migration.ts';

export const weblinks: Migration = {
  name: '0015-weblinks',
  statements: [
    // Numbers are never given again: they stand in the activity log.
    `CREATE TABLE weblinks (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      -- What stands in the address: whoever knows it may come. It has to be told to its maker again and again.
      id TEXT NOT NULL UNIQUE,
      item_id INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
      creator_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      -- One that stands, or one of many for one download or for a moment.
      standing INTEGER NOT NULL,
      password_hash TEXT,
      expires_at INTEGER,
      -- 0: no limit. Downloads are counted when they are reserved.
      download_limit INTEGER NOT NULL DEFAULT 0,
      downloads INTEGER NOT NULL DEFAULT 0,
      allow_uploads INTEGER NOT NULL DEFAULT 0,
      allow_downloads INTEGER NOT NULL DEFAULT 0,
      force_save INTEGER NOT NULL DEFAULT 0,
      show_comments INTEGER NOT NULL DEFAULT 0,
      show_comments_names INTEGER NOT NULL DEFAULT 0,
      show_metadata INTEGER NOT NULL DEFAULT 0,
      notify INTEGER NOT NULL DEFAULT 0,
      download_terms TEXT NOT NULL DEFAULT '',
      require_login INTEGER NOT NULL DEFAULT 0,
      created_at INTEGER NOT NULL
    ) STRICT`,
    'CREATE UNIQUE INDEX weblinks_standing ON weblinks (item_id, creator_id) WHERE standing = 1',
    'CREATE INDEX weblinks_item ON weblinks (item_id)',
    'CREATE INDEX weblinks_creator ON weblinks (creator_id)',

    // An item that moves to another home has another owner, and has no links yet.
    `CREATE TRIGGER weblinks_moved AFTER UPDATE OF home_id ON items WHEN OLD.home_id <> NEW.home_id BEGIN
      DELETE FROM weblinks WHERE item_id = NEW.id;
    END`,

    // Downloads that are under way: one that breaks is given back, also when the server breaks.
    `CREATE TABLE weblink_downloads (
      id INTEGER PRIMARY KEY,
      link INTEGER NOT NULL REFERENCES weblinks (number) ON DELETE CASCADE
    ) STRICT`,
    'CREATE INDEX weblink_downloads_link ON weblink_downloads (link)',

    // What a browser has passed and accepted, by the hash of its cookie.
    `CREATE TABLE weblink_visits (
      link INTEGER NOT NULL REFERENCES weblinks (number) ON DELETE CASCADE,
      visitor BLOB NOT NULL,
      password_shown INTEGER NOT NULL DEFAULT 0,
      terms_accepted INTEGER NOT NULL DEFAULT 0,
      name TEXT NOT NULL DEFAULT '',
      seen_at INTEGER NOT NULL,
      PRIMARY KEY (link, visitor)
    ) STRICT, WITHOUT ROWID`,
    'CREATE INDEX weblink_visits_seen ON weblink_visits (seen_at)',

    // What visitors have sent, by the names that they gave: their own is all they see of a file request.
    `CREATE TABLE weblink_sent (
      id INTEGER PRIMARY KEY,
      link INTEGER NOT NULL REFERENCES weblinks (number) ON DELETE CASCADE,
      visitor BLOB NOT NULL,
      item_id INTEGER REFERENCES items (id) ON DELETE SET NULL,
      name TEXT NOT NULL,
      size INTEGER NOT NULL,
      sender TEXT NOT NULL,
      sent_at INTEGER NOT NULL
    ) STRICT`,
    'CREATE INDEX weblink_sent_visitor ON weblink_sent (link, visitor)',
    'CREATE INDEX weblink_sent_item ON weblink_sent (item_id) WHERE item_id IS NOT NULL',

    // Events for the maker of a link, until they are sent in one mail.
    `CREATE TABLE weblink_notices (
      link INTEGER NOT NULL REFERENCES weblinks (number) ON DELETE CASCADE,
      kind TEXT NOT NULL,
      visitor TEXT NOT NULL,
      times INTEGER NOT NULL,
      first_at INTEGER NOT NULL,
      last_at INTEGER NOT NULL,
      PRIMARY KEY (link, kind, visitor)
    ) STRICT, WITHOUT ROWID`,
  ],
};
