import type { Transaction } from '../write-queue.ts';
import type { Migration } from './migration.ts';

const FILL_BATCH = 5_000;

export const contentTags: Migration = {
  name: '0033-content-tags',
  statements: [
    // Names the content of a file: the entity tag without its quotes. Empty for a folder.
    "ALTER TABLE items ADD COLUMN tag TEXT NOT NULL DEFAULT ''",
    // When content or attributes of the file last changed, in microseconds, as the disk tells: it had the content of the tag then.
    // Negative while that is unproven. Null as long as nobody has looked, and for a folder.
    'ALTER TABLE items ADD COLUMN touched INTEGER',
    // How often the file was found to have another content, with the same inode, size and time.
    'ALTER TABLE items ADD COLUMN edits INTEGER NOT NULL DEFAULT 0',

    'DROP INDEX items_unhashed',
    // The files that are still to be hashed in the background: without a hash, or with one that is to be compared.
    `CREATE INDEX items_unproven ON items (id)
      WHERE (sha256 IS NULL OR touched < 0) AND is_dir = 0 AND missing_since IS NULL`,

    // Another content with the same size and time: what was made of the earlier one counts no longer.
    `CREATE TRIGGER items_tag_change AFTER UPDATE OF tag ON items
      WHEN OLD.tag <> NEW.tag AND OLD.identity = NEW.identity AND NEW.is_dir = 0 BEGIN
      UPDATE items SET edits = edits + 1 WHERE id = NEW.id;
      UPDATE text_states SET state = 'waiting', tries = 0 WHERE item_id = NEW.id;
      UPDATE embedded_states SET state = 'waiting', tries = 0 WHERE item_id = NEW.id;
      DELETE FROM dav_checksums WHERE item_id = NEW.id;
      DELETE FROM thumbnail_failures WHERE home_id = NEW.home_id AND identity = NEW.identity;
    END`,
  ],

  /** The tags that were computed from size, time and inode until now: what clients know stays true. */
  async fill(tx: Transaction) {
    for (let last = 0; ; ) {
      const rows = await tx.all<{ id: number; identity: string }>(
        "SELECT id, identity FROM items WHERE id > ? AND is_dir = 0 AND identity <> '' ORDER BY id LIMIT ?",
        [last, FILL_BATCH],
      );
      if (rows.length === 0) break;
      last = rows.at(-1)?.id ?? last;
      const tags = rows.map(({ id, identity }) => [id, earlierTag(identity)]);
      await tx.run('UPDATE items SET tag = value->>1 FROM json_each(?) WHERE items.id = value->>0', [
        JSON.stringify(tags),
      ]);
    }
  },
};

/** @param identity `f`, and inode, creation time, size and modification time, separated by dots */
function earlierTag(identity: string): string {
  const parts = identity.slice(1).split('.');
  return [parts[0], parts[2], parts[3]].map((part) => BigInt(part ?? 0).toString(36)).join('-');
}
