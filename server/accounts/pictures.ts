import { createHash } from 'node:crypto';
import type { Database } from '../database/database.ts';
import { MEGABYTE } from '../lib/bytes.ts';
import type { Clock } from '../lib/clock.ts';
import { Semaphore } from '../lib/concurrency/semaphore.ts';

/** Most bytes of an image sent. */
export const MAX_IMAGE = 20 * MEGABYTE;
/** Images in memory at the same time, over all entry points; further ones are not read yet. */
const CONCURRENCY = 2;

/** A small square JPEG. */
interface AccountPicture {
  readonly content: Buffer;
  /** SHA-256 of the content, in hexadecimal digits. */
  readonly hash: string;
  /** Milliseconds since the epoch. */
  readonly changedAt: number;
}

export interface AccountPictures {
  /** Waits until there is memory for one more image. @returns a function that releases it */
  takeTurn(): Promise<() => void>;
  /** Makes the picture of an account from any image. @throws JobError */
  set(accountId: number, image: Uint8Array): Promise<AccountPicture>;
  /** Also succeeds when there is none. */
  remove(accountId: number): Promise<void>;
  read(accountId: number): Promise<AccountPicture | null>;
}

interface PictureRow {
  content: Buffer;
  hash: string;
  changed_at: number;
}

/** @param decode makes the stored picture from untrusted bytes. @throws JobError */
export function createAccountPictures({
  database,
  clock,
  decode,
}: {
  database: Database;
  clock: Clock;
  decode: (image: Uint8Array) => Promise<Uint8Array>;
}): AccountPictures {
  const turns = new Semaphore(CONCURRENCY);
  return {
    takeTurn: () => turns.take(),

    async set(accountId, image) {
      const made = await decode(image);
      const content = Buffer.from(made.buffer, made.byteOffset, made.byteLength);
      const hash = createHash('sha256').update(content).digest('hex');
      const changedAt = clock.now();
      await database.write((tx) =>
        tx.run(
          `INSERT INTO account_pictures (account_id, content, hash, changed_at) VALUES (?, ?, ?, ?)
           ON CONFLICT (account_id) DO UPDATE SET content = excluded.content, hash = excluded.hash, changed_at = excluded.changed_at`,
          [accountId, content, hash, changedAt],
        ),
      );
      return { content, hash, changedAt };
    },

    async remove(accountId) {
      await database.write((tx) => tx.run('DELETE FROM account_pictures WHERE account_id = ?', [accountId]));
    },

    async read(accountId) {
      const row = await database.get<PictureRow>(
        'SELECT content, hash, changed_at FROM account_pictures WHERE account_id = ?',
        [accountId],
      );
      return row === undefined ? null : { content: row.content, hash: row.hash, changedAt: row.changed_at };
    },
  };
}
