import { searchFold } from '../../lib/names/names.ts';
import type { Transaction } from '../write-queue.ts';
import type { Migration } from './migration.ts';

const FILL_BATCH = 5_000;

/** What files say of themselves: for each set its fields, as `key:name`, with the kind where that is not text. */
const EMBEDDED: readonly { readonly set: string; readonly name: string; readonly fields: string }[] = [
  {
    set: 'image',
    name: 'Image',
    fields:
      'taken:Date taken:date|camera:Camera|lens:Lens|author:Author|title:Title|description:Description:longtext|copyright:Copyright|keywords:Keywords|dimensions:Dimensions|exposure:Exposure time|aperture:Aperture|iso:ISO:number|focal:Focal length|place:Place',
  },
  {
    set: 'video',
    name: 'Video',
    fields:
      'title:Title|author:Author|taken:Date taken:date|duration:Duration|dimensions:Dimensions|codec:Codec|camera:Camera|place:Place',
  },
  {
    set: 'audio',
    name: 'Audio',
    fields:
      'title:Title|artist:Artist|album:Album|albumartist:Album artist|track:Track:number|year:Year:number|genre:Genre|composer:Composer|duration:Duration|bitrate:Bit rate',
  },
  {
    set: 'document',
    name: 'Document',
    fields:
      'title:Title|author:Author|subject:Subject|keywords:Keywords|description:Description:longtext|created:Created:date|modified:Modified:date|pages:Pages:number|application:Application|language:Language',
  },
];

/** What people put on files and folders, kept like fields so that it is found like fields. */
const MARKS = 'tag:Tags|rating:Rating:stars|label:Label';

function fieldsOf(set: string, fields: string, keyOf: (key: string) => string): string {
  const rows = fields.split('|').map((field, index) => {
    const [key = '', name = '', kind = 'text'] = field.split(':');
    return `((SELECT id FROM metadata_sets WHERE system = '${set}'), '${name}', '${kind}', '${keyOf(key)}', ${index})`;
  });
  return `INSERT INTO metadata_fields (set_id, name, kind, system, position) VALUES ${rows.join(', ')}`;
}

export const metadata: Migration = {
  name: '0016-metadata',
  statements: [
    // What the owner defines. "system": those that are there from the start, by a key that code knows them by; null: the
    // owner's own. Ids are never given again: apps keep them.
    `CREATE TABLE metadata_sets (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL,
      system TEXT UNIQUE,
      position INTEGER NOT NULL
    ) STRICT`,
    `CREATE TABLE metadata_fields (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      set_id INTEGER NOT NULL REFERENCES metadata_sets (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('text', 'longtext', 'number', 'date', 'choice', 'choices', 'stars')),
      -- What there is to choose from, as JSON; empty for other kinds.
      options TEXT NOT NULL DEFAULT '[]',
      system TEXT UNIQUE,
      position INTEGER NOT NULL
    ) STRICT`,
    'CREATE INDEX metadata_fields_set ON metadata_fields (set_id)',
    `CREATE TABLE metadata_types (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL,
      system TEXT UNIQUE,
      -- Of the owner's own: without dots, in lower case, with spaces between them.
      extensions TEXT NOT NULL DEFAULT '',
      position INTEGER NOT NULL
    ) STRICT`,
    `CREATE TABLE metadata_type_sets (
      type_id INTEGER NOT NULL REFERENCES metadata_types (id) ON DELETE CASCADE,
      set_id INTEGER NOT NULL REFERENCES metadata_sets (id) ON DELETE CASCADE,
      PRIMARY KEY (type_id, set_id)
    ) STRICT, WITHOUT ROWID`,
    'CREATE INDEX metadata_type_sets_set ON metadata_type_sets (set_id)',

    `INSERT INTO metadata_sets (name, system, position) VALUES ${EMBEDDED.map(({ set, name }, index) => `('${name}', '${set}', ${index})`).join(', ')}, ('Marks', 'marks', ${EMBEDDED.length})`,
    ...EMBEDDED.map(({ set, fields }) => fieldsOf(set, fields, (key) => `${set}.${key}`)),
    fieldsOf('marks', MARKS, (key) => key),
    // The first one is for every file and folder, whatever its name.
    `INSERT INTO metadata_types (name, system, position) VALUES ('Everything', 'any', 0), ${EMBEDDED.map(({ set, name }, index) => `('${name}', '${set}', ${index + 1})`).join(', ')}`,
    `INSERT INTO metadata_type_sets SELECT t.id, s.id FROM metadata_types t CROSS JOIN metadata_sets s ON s.system = t.system`,

    // Every value once, however many files have it. "fold" is the search form of texts, empty for other kinds. A value is deleted
    // with its last item; a change of an item's value has to delete the old one.
    `CREATE TABLE metadata_terms (
      id INTEGER PRIMARY KEY,
      field_id INTEGER NOT NULL REFERENCES metadata_fields (id) ON DELETE CASCADE,
      fold TEXT NOT NULL,
      value TEXT NOT NULL,
      UNIQUE (field_id, value)
    ) STRICT`,
    // By their runs of three letters, as names are.
    `CREATE VIRTUAL TABLE metadata_folds USING fts5 (
      fold, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
    )`,
    `CREATE TRIGGER metadata_terms_insert AFTER INSERT ON metadata_terms WHEN NEW.fold <> '' BEGIN
      INSERT INTO metadata_folds (rowid, fold) VALUES (NEW.id, NEW.fold);
    END`,
    `CREATE TRIGGER metadata_terms_change AFTER UPDATE OF fold ON metadata_terms WHEN OLD.fold <> NEW.fold BEGIN
      DELETE FROM metadata_folds WHERE rowid = OLD.id AND OLD.fold <> '';
      INSERT INTO metadata_folds (rowid, fold) SELECT NEW.id, NEW.fold WHERE NEW.fold <> '';
    END`,
    `CREATE TRIGGER metadata_terms_delete AFTER DELETE ON metadata_terms WHEN OLD.fold <> '' BEGIN
      DELETE FROM metadata_folds WHERE rowid = OLD.id;
    END`,

    // The values of an item in a field, in order. "home_id" is that of the item, because searches are per home.
    `CREATE TABLE metadata_values (
      item_id INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
      field_id INTEGER NOT NULL,
      position INTEGER NOT NULL,
      term_id INTEGER NOT NULL REFERENCES metadata_terms (id) ON DELETE CASCADE,
      home_id TEXT NOT NULL,
      -- Of tags and labels, "#rgb" or "#rrggbb".
      color TEXT,
      PRIMARY KEY (item_id, field_id, position)
    ) STRICT, WITHOUT ROWID`,
    'CREATE INDEX metadata_values_term ON metadata_values (term_id, home_id, item_id)',
    `CREATE TRIGGER metadata_values_delete AFTER DELETE ON metadata_values BEGIN
      DELETE FROM metadata_terms WHERE id = OLD.term_id
        AND NOT EXISTS (SELECT 1 FROM metadata_values WHERE term_id = OLD.term_id);
    END`,
    `CREATE TRIGGER items_metadata_move AFTER UPDATE OF home_id ON items WHEN OLD.home_id <> NEW.home_id BEGIN
      UPDATE metadata_values SET home_id = NEW.home_id WHERE item_id = NEW.id;
    END`,

    // Comments are found in the same way.
    "ALTER TABLE comments ADD COLUMN fold TEXT NOT NULL DEFAULT ''",
    `CREATE VIRTUAL TABLE comment_folds USING fts5 (
      fold, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
    )`,
    `CREATE TRIGGER comments_insert AFTER INSERT ON comments WHEN NEW.fold <> '' BEGIN
      INSERT INTO comment_folds (rowid, fold) VALUES (NEW.id, NEW.fold);
    END`,
    `CREATE TRIGGER comments_change AFTER UPDATE OF fold ON comments WHEN OLD.fold <> NEW.fold BEGIN
      DELETE FROM comment_folds WHERE rowid = OLD.id AND OLD.fold <> '';
      INSERT INTO comment_folds (rowid, fold) SELECT NEW.id, NEW.fold WHERE NEW.fold <> '';
    END`,
    `CREATE TRIGGER comments_delete AFTER DELETE ON comments WHEN OLD.fold <> '' BEGIN
      DELETE FROM comment_folds WHERE rowid = OLD.id;
    END`,
  ],

  async fill(tx: Transaction) {
    for (let last = 0; ; ) {
      const rows = await tx.all<{ id: number; comment: string }>(
        'SELECT id, comment FROM comments WHERE id > ? ORDER BY id LIMIT ?',
        [last, FILL_BATCH],
      );
      if (rows.length === 0) return;
      last = rows.at(-1)?.id ?? last;
      const filled = rows.map(({ id, comment }) => [id, searchFold(comment)]);
      await tx.run('UPDATE comments SET fold = value->>1 FROM json_each(?) WHERE comments.id = value->>0', [
        JSON.stringify(filled),
      ]);
    }
  },
};
