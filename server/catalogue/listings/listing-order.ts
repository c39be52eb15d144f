import { LruCache } from '../../lib/lru-cache.ts';
import type { Unchanged } from '../../lib/unchanged.ts';

/** Folders whose last listing is known, over all homes. */
const FOLDERS = 10_000;

/**
 * To be called when the listing is there, before it is compared with the rows: listings that began earlier are outdated from now on.
 * @param folders the keys of the folders that were listed
 * @returns tells whether no listing of one of these folders that began later has taken effect
 */
type TakeEffect = (folders: readonly string[]) => Unchanged;

/**
 * The order in which listings of folders began. A slow listing can end after a faster one that began later. Compared with the rows
 * then, it would mark as missing what another program has made in between, and what the faster one has recorded.
 */
export class ListingOrder {
  /** The number of the newest listing that has taken effect, by folder. */
  readonly #newest = new LruCache<number>(FOLDERS);
  #begun = 0;

  /** To be called before the disk is read. */
  begin(): TakeEffect {
    this.#begun += 1;
    const number = this.#begun;
    const newestOf = (folder: string) => this.#newest.get(folder) ?? 0;
    return (folders) => {
      for (const folder of folders) this.#newest.set(folder, Math.max(number, newestOf(folder)));
      return () => folders.every((folder) => newestOf(folder) <= number);
    };
  }
}
