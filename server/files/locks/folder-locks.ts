import type { FilesDatabase } from '../../database/database.ts';

/**
 * The homes that have locks on folders. Few have, and every upload of a new file would have to look for one, so homes without are
 * remembered. Only this process adds locks.
 */
export class FolderLocks {
  readonly #free = new Set<string>();
  #added = 0;

  /** Whether a home may have a lock on a folder, expired ones included. */
  async mayExistIn(database: Pick<FilesDatabase, 'get'>, homeId: string): Promise<boolean> {
    if (this.#free.has(homeId)) return false;
    const before = this.#added;
    const found = await database.get(
      'SELECT 1 FROM locks CROSS JOIN items ON items.id = item_id WHERE home_id = ? AND is_dir = 1 LIMIT 1',
      [homeId],
    );
    if (found !== undefined) return true;
    if (this.#added === before) this.#free.add(homeId);
    return false;
  }

  /** Call it before a lock on a folder is added. */
  noteAdded(homeId: string): void {
    this.#added += 1;
    this.#free.delete(homeId);
  }
}
