import type { FilesDatabase } from '../database/database.ts';
import type { Clock } from '../lib/clock.ts';

/** A file that a visitor of a link has sent. */
export interface SentFile {
  /** Its name on the visitor's side, with its folders. */
  readonly name: string;
  readonly size: number;
  readonly sentAt: number;
}

/** Files received through links, and their senders. */
export interface SentFiles {
  add(sent: {
    readonly link: number;
    readonly visitor: Buffer;
    readonly itemId: number;
    readonly name: string;
    readonly size: number;
    /** The visitor's name, as they entered it. */
    readonly sender: string;
  }): Promise<void>;
  /** The files a visitor sent, newest first. */
  by(link: number, visitor: Buffer): Promise<SentFile[]>;
  /** The sender of a file; null for one that did not arrive through a link. */
  senderOf(uuid: string): Promise<string | null>;
}

const MAX_SHOWN = 500;

export function createSentFiles(database: FilesDatabase, clock: Clock): SentFiles {
  return {
    async add({ link, visitor, itemId, name, size, sender }) {
      await database.write((tx) =>
        tx.run(
          'INSERT INTO weblink_sent (link, visitor, item_id, name, size, sender, sent_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
          [link, visitor, itemId, name, size, sender, clock.now()],
        ),
      );
    },

    async by(link, visitor) {
      const rows = await database.all<{ name: string; size: number; sent_at: number }>(
        'SELECT name, size, sent_at FROM weblink_sent WHERE link = ? AND visitor = ? ORDER BY id DESC LIMIT ?',
        [link, visitor, MAX_SHOWN],
      );
      return rows.map(({ name, size, sent_at: sentAt }) => ({ name, size, sentAt }));
    },

    async senderOf(uuid) {
      const row = await database.get<{ sender: string }>(
        `SELECT sender FROM weblink_sent WHERE item_id = (SELECT id FROM items WHERE uuid = ?) ORDER BY id DESC LIMIT 1`,
        [uuid],
      );
      return row?.sender ?? null;
    },
  };
}
