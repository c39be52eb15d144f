import type { FilesDatabase, Transaction } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';
import { t } from '../messages/messages.ts';
import { ended } from './link-end.ts';

/**
 * The number of downloads of each link, in the database: those counted, those in progress, which hold a slot until they are
 * counted or give it back, and uncounted bytes as fractions of whole downloads. Whenever fractions add up to one, it is counted.
 */
interface DownloadSlots {
  /**
   * Takes a slot before the first byte.
   * @param reclaimed the fraction that was added when this download was aborted, and that it now continues
   * @returns the id of the slot
   * @throws ApiError `link_used_up`; `not_found` for a link that no longer exists
   */
  take(link: number, reclaimed: number): Promise<number>;
  /** The download is counted: its slot is never given back. */
  settle(slot: number): Promise<void>;
  /** The download was aborted before that. @param fraction what was sent of it */
  giveBack(link: number, slot: number, fraction: number): Promise<void>;
  /**
   * Restarts a download that has sent something already: gives its slot back, and takes another.
   * @returns the id of the slot @throws ApiError `link_used_up`, with the slot given back
   */
  retake(link: number, slot: number, fraction: number): Promise<number>;
  /** Adds what will be sent beyond a counted download. @throws ApiError `link_used_up` if that makes one too many */
  addFraction(link: number, fraction: number): Promise<void>;
  /** Gives back the slots that were taken when the last server stopped. */
  recover(): Promise<void>;
}

/** A whole, less possible rounding errors of the sum. */
const WHOLE = 1 - 1e-9;

export function createDownloadSlots(database: FilesDatabase): DownloadSlots {
  /** @returns whether a slot was free */
  async function taken(tx: Transaction, link: number, reclaimed: number): Promise<number | null> {
    const { changes } = await tx.run(
      `UPDATE weblinks SET downloads = downloads + 1, uncounted = uncounted - ?2
       WHERE number = ?1 AND (download_limit = 0 OR downloads < download_limit)`,
      [link, reclaimed],
    );
    return changes === 0 ? null : (await tx.run('INSERT INTO weblink_downloads (link) VALUES (?)', [link])).lastId;
  }

  /** Counts a whole download made of fractions, as far as the limit allows. */
  async function countWhole(tx: Transaction, link: number): Promise<void> {
    await tx.run(
      `UPDATE weblinks SET uncounted = uncounted - 1, downloads = downloads + 1
       WHERE number = ? AND uncounted >= ? AND (download_limit = 0 OR downloads < download_limit)`,
      [link, WHOLE],
    );
  }

  async function givenBack(tx: Transaction, link: number, slot: number, fraction: number): Promise<void> {
    const { changes } = await tx.run('DELETE FROM weblink_downloads WHERE id = ?', [slot]);
    if (changes === 0) return;
    await tx.run('UPDATE weblinks SET downloads = max(downloads - 1, 0), uncounted = uncounted + ? WHERE number = ?', [
      fraction,
      link,
    ]);
    await countWhole(tx, link);
  }

  return {
    take: (link, reclaimed) =>
      database.write(async (tx) => {
        const slot = await taken(tx, link, reclaimed);
        if (slot !== null) return slot;
        const there = await tx.get('SELECT 1 FROM weblinks WHERE number = ?', [link]);
        throw there === undefined ? new ApiError('not_found', t('api.links.notFound')) : usedUp();
      }),

    async settle(slot) {
      await database.write((tx) => tx.run('DELETE FROM weblink_downloads WHERE id = ?', [slot]));
    },

    giveBack: (link, slot, fraction) => database.write((tx) => givenBack(tx, link, slot, fraction)),

    async retake(link, slot, fraction) {
      const again = await database.write(async (tx) => {
        await givenBack(tx, link, slot, fraction);
        return taken(tx, link, 0);
      });
      if (again === null) throw usedUp();
      return again;
    },

    addFraction: (link, fraction) =>
      database.write(async (tx) => {
        await tx.run('UPDATE weblinks SET uncounted = uncounted + ? WHERE number = ?', [fraction, link]);
        await countWhole(tx, link);
        const tooMany = await tx.get('SELECT 1 FROM weblinks WHERE number = ? AND uncounted >= ?', [link, WHOLE]);
        if (tooMany !== undefined) throw usedUp();
      }),

    async recover() {
      await database.write(async (tx) => {
        await tx.run(
          `UPDATE weblinks SET downloads = max(downloads - (SELECT count(*) FROM weblink_downloads WHERE link = number), 0)
           WHERE number IN (SELECT link FROM weblink_downloads)`,
        );
        await tx.run('DELETE FROM weblink_downloads');
      });
    },
  };
}

function usedUp(): ApiError {
  return ended('link_used_up');
}
