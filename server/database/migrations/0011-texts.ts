import type { Migration } from './migration.ts';

/** The file types that may have text. */
const KINDS = "('text', 'code', 'document', 'spreadsheet', 'presentation', 'pdf', 'ebook')";

/** Queues the file of `NEW`. */
const WAIT = `INSERT INTO text_states (item_id, home_id, mtime) VALUES (NEW.id, NEW.home_id, NEW.mtime)`;

export const texts: Migration = {
  name: '0011-texts',
  statements: [
    // The words of documents, by item id; only for searching, since texts are never read from here. The text is split into words
    // before: the tokenizer splits at spaces, and keeps everything beyond ASCII. Without prefix indexes, which take three times
    // as long to write and are hardly faster for words of two letters.
    "CREATE VIRTUAL TABLE texts USING fts5 (words, content = '', contentless_delete = 1, tokenize = 'ascii')",

    // The reading state of every file with text. "waiting": to be read; "away": not found where the catalogue has it, as in the
    // trash; "empty": without readable words; "failed": unreadable until it changes. "tries" counts reads that began without
    // ending.
    `CREATE TABLE text_states (
      item_id INTEGER PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE,
      home_id TEXT NOT NULL,
      state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'away', 'indexed', 'empty', 'failed')),
      tries INTEGER NOT NULL DEFAULT 0,
      mtime INTEGER NOT NULL
    ) STRICT`,
    "CREATE INDEX text_states_waiting ON text_states (home_id, tries, mtime DESC) WHERE state = 'waiting'",
    "CREATE INDEX text_states_away ON text_states (item_id) WHERE state = 'away'",

    `CREATE TRIGGER items_text_insert AFTER INSERT ON items WHEN NEW.kind IN ${KINDS} BEGIN ${WAIT}; END`,
    // A text that was read stays until the new one is: it is mostly still true.
    `CREATE TRIGGER items_text_change AFTER UPDATE OF identity, kind ON items
      WHEN NEW.kind IN ${KINDS} AND (OLD.identity <> NEW.identity OR OLD.kind <> NEW.kind) BEGIN
      ${WAIT} ON CONFLICT (item_id) DO UPDATE SET state = 'waiting', tries = 0, mtime = excluded.mtime;
    END`,
    `CREATE TRIGGER items_text_none AFTER UPDATE OF kind ON items WHEN OLD.kind IN ${KINDS} AND NEW.kind NOT IN ${KINDS} BEGIN
      DELETE FROM text_states WHERE item_id = OLD.id;
    END`,
    // Under another extension another reader may be able to.
    `CREATE TRIGGER items_text_rename AFTER UPDATE OF name ON items WHEN NEW.kind IN ${KINDS} AND OLD.name <> NEW.name BEGIN
      UPDATE text_states SET state = 'waiting', tries = 0 WHERE item_id = NEW.id AND state IN ('away', 'empty', 'failed');
    END`,
    `CREATE TRIGGER items_text_return AFTER UPDATE OF missing_since ON items
      WHEN OLD.missing_since IS NOT NULL AND NEW.missing_since IS NULL AND NEW.kind IN ${KINDS} BEGIN
      UPDATE text_states SET state = 'waiting' WHERE item_id = NEW.id AND state = 'away';
    END`,
    `CREATE TRIGGER items_text_move AFTER UPDATE OF home_id ON items
      WHEN OLD.home_id <> NEW.home_id AND NEW.kind IN ${KINDS} BEGIN
      UPDATE text_states SET home_id = NEW.home_id WHERE item_id = NEW.id;
    END`,
    `CREATE TRIGGER text_states_delete AFTER DELETE ON text_states BEGIN
      DELETE FROM texts WHERE rowid = OLD.item_id;
    END`,

    `INSERT INTO text_states (item_id, home_id, mtime) SELECT id, home_id, mtime FROM items WHERE kind IN ${KINDS}`,
  ],
};
