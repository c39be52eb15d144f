import type { Migration } from './migration.ts';

/**
 * A checksum that an app stated belongs to the tag of a content. Its inode, size and time come back when another program writes
 * another content and sets the time back.
 */
export const checksumTags: Migration = {
  name: '0041-checksum-tags',
  statements: [
    "ALTER TABLE dav_checksums ADD COLUMN tag TEXT NOT NULL DEFAULT ''",
    `UPDATE dav_checksums SET tag = items.tag FROM items
      WHERE items.id = dav_checksums.item_id AND items.identity = dav_checksums.identity`,
    "DELETE FROM dav_checksums WHERE tag = ''",
    'ALTER TABLE dav_checksums DROP COLUMN identity',
  ],
};
