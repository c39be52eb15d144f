import type { Migration } from './migration.ts';

/** The file types that may have embedded metadata. */
const KINDS = "('image', 'raw', 'video', 'audio', 'document', 'spreadsheet', 'presentation', 'pdf', 'ebook')";

/** Queues the file of `NEW`. */
const WAIT = `INSERT INTO embedded_states (item_id, home_id, mtime) VALUES (NEW.id, NEW.home_id, NEW.mtime)`;

export const embedded: Migration = {
  name: '0017-embedded',
  statements: [
    // The reading state of embedded metadata of every file, with the states of "text_states". Values stay until newer ones have
    // been read.
    `CREATE TABLE embedded_states (
      item_id INTEGER PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE,
      home_id TEXT NOT NULL,
      state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'away', 'indexed', 'empty', 'failed')),
      tries INTEGER NOT NULL DEFAULT 0,
      mtime INTEGER NOT NULL
    ) STRICT`,
    "CREATE INDEX embedded_states_waiting ON embedded_states (home_id, tries, mtime DESC) WHERE state = 'waiting'",
    "CREATE INDEX embedded_states_away ON embedded_states (item_id) WHERE state = 'away'",

    // Where a picture or a film was taken, in degrees.
    `CREATE TABLE embedded_places (
      item_id INTEGER PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE,
      latitude REAL NOT NULL,
      longitude REAL NOT NULL
    ) STRICT`,

    // When a picture or a film was taken, in milliseconds, if known: the order of the photos.
    'ALTER TABLE items ADD COLUMN taken INTEGER',
    'DROP INDEX items_newest',
    "CREATE INDEX items_newest ON items (home_id, kind, coalesce(taken, mtime)) WHERE kind IN ('image', 'raw', 'audio')",

    `CREATE TRIGGER items_embedded_insert AFTER INSERT ON items WHEN NEW.kind IN ${KINDS} BEGIN ${WAIT}; END`,
    `CREATE TRIGGER items_embedded_change AFTER UPDATE OF identity, kind ON items
      WHEN NEW.kind IN ${KINDS} AND (OLD.identity <> NEW.identity OR OLD.kind <> NEW.kind) BEGIN
      ${WAIT} ON CONFLICT (item_id) DO UPDATE SET state = 'waiting', tries = 0, mtime = excluded.mtime;
    END`,
    // No reader handles files of this name, so the embedded values are deleted. Only keys of embedded fields contain a dot.
    `CREATE TRIGGER items_embedded_none AFTER UPDATE OF kind ON items WHEN OLD.kind IN ${KINDS} AND NEW.kind NOT IN ${KINDS} BEGIN
      DELETE FROM embedded_states WHERE item_id = OLD.id;
      DELETE FROM embedded_places WHERE item_id = OLD.id;
      DELETE FROM metadata_values WHERE item_id = OLD.id
        AND field_id IN (SELECT id FROM metadata_fields WHERE system LIKE '%.%');
      UPDATE items SET taken = NULL WHERE id = OLD.id;
    END`,
    // Under another extension another reader may be able to.
    `CREATE TRIGGER items_embedded_rename AFTER UPDATE OF name ON items WHEN NEW.kind IN ${KINDS} AND OLD.name <> NEW.name BEGIN
      UPDATE embedded_states SET state = 'waiting', tries = 0 WHERE item_id = NEW.id AND state IN ('away', 'empty', 'failed');
    END`,
    `CREATE TRIGGER items_embedded_return AFTER UPDATE OF missing_since ON items
      WHEN OLD.missing_since IS NOT NULL AND NEW.missing_since IS NULL AND NEW.kind IN ${KINDS} BEGIN
      UPDATE embedded_states SET state = 'waiting' WHERE item_id = NEW.id AND state = 'away';
    END`,
    `CREATE TRIGGER items_embedded_move AFTER UPDATE OF home_id ON items
      WHEN OLD.home_id <> NEW.home_id AND NEW.kind IN ${KINDS} BEGIN
      UPDATE embedded_states SET home_id = NEW.home_id WHERE item_id = NEW.id;
    END`,

    `INSERT INTO embedded_states (item_id, home_id, mtime) SELECT id, home_id, mtime FROM items WHERE kind IN ${KINDS}`,
  ],
};
