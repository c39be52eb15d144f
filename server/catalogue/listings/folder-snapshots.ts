import { setImmediate as turn } from 'node:timers/promises';
import type { ChildrenSince } from '../../database/database.ts';
import { ignoreFailure } from '../../lib/async/ignore-failure.ts';
import { LruCache } from '../../lib/lru-cache.ts';
import type { Disk, DiskListing } from '../../storage/disk/disk.ts';
import type { HomeRoot } from '../../storage/paths/folder-handle.ts';
import type { FolderWatch, WatchMark } from '../../storage/watch/watch.ts';
import type { Home } from '../homes.ts';
import type { FolderContent } from './folder-items.ts';
import { isSameListing } from './same-listing.ts';

/** The start of a reading of a folder: to be taken before its entries are read. */
interface ReadingStart {
  readonly mark: WatchMark | null;
  /** By the clock of `performance`. */
  readonly startedAt: number;
}

interface Snapshot {
  readonly content: FolderContent;
  readonly homeRoot: HomeRoot;
  /** What has happened to the rows of its items since they were read. */
  readonly rows: ChildrenSince;
  /** Null when changes of the folder may go unnoticed. */
  mark: WatchMark | null;
  /** When the whole folder was last read from the disk. */
  readAt: number;
  /** How long that took, in milliseconds. */
  readDuration: number;
  isRefreshing: boolean;
}

/** Bytes of all snapshots together. */
const BYTES = 32 * 1_024 * 1_024;
/**
 * The lifetime of a snapshot: at least so many milliseconds, and a multiple of the time that reading took. The watch reports every
 * change but those through another hard link of a file, or through mapped memory.
 */
const LIFETIME = 2_000;
const LIFETIME_READINGS = 30;

/** Folders with at least so many entries are patched: reading a smaller one takes about as long. */
const PATCHED_FROM = 500;
/** Most entries that are patched: with more, the folder is read. */
const MAX_PATCHED = 200;

/** A content, and the names of the entries that may have changed since. */
interface PartlyOutdated {
  readonly content: FolderContent;
  readonly names: readonly string[];
}

/**
 * The last contents of folders. A snapshot is current while the watch has reported nothing and the rows are unchanged. When half
 * of its lifetime is over, the folder is read again in the background.
 */
export class FolderSnapshots {
  readonly #snapshots = new LruCache<Snapshot>(BYTES, ({ content }) => approximateBytes(content));
  readonly #watches: ReadonlyMap<string, FolderWatch>;
  readonly #disk: Pick<Disk, 'isStalled'>;

  constructor(watches: ReadonlyMap<string, FolderWatch>, disk: Pick<Disk, 'isStalled'>) {
    this.#watches = watches;
    this.#disk = disk;
  }

  /** To be called before the folder is read. */
  startReading(home: Home, segments: readonly string[]): ReadingStart {
    return { mark: this.#watches.get(home.id)?.mark(segments) ?? null, startedAt: performance.now() };
  }

  has(home: Home, segments: readonly string[]): boolean {
    return this.#find(home, segments) !== undefined;
  }

  /**
   * The content, if nothing can have changed. Waits for the end of the event loop's turn: the system delivered the request of the
   * caller together with the events of everything that happened before it, or after them. Our own changes are in the rows.
   * @param refresh called when the folder should be read again, without waiting for it
   */
  async current(
    home: Home,
    segments: readonly string[],
    refresh: () => Promise<unknown>,
  ): Promise<FolderContent | null> {
    const snapshot = this.#find(home, segments);
    if (snapshot === undefined || snapshot.mark === null) return null;
    const age = performance.now() - snapshot.readAt;
    const lifetime = lifetimeOf(snapshot);
    if (age >= lifetime) return null;
    await turn();
    const isCurrent =
      snapshot.mark.isUnchanged() && snapshot.rows.isUnchanged() && !this.#disk.isStalled(home.homeRoot);
    if (!isCurrent) return null;
    if (age >= lifetime / 2 && !snapshot.isRefreshing) {
      snapshot.isRefreshing = true;
      // The next request that reads the folder itself reports the problem.
      void ignoreFailure(refresh(), 'failed to refresh a folder in advance').finally(() => {
        snapshot.isRefreshing = false;
      });
    }
    return snapshot.content;
  }

  /** Starts a new lifetime of the content if a new listing is the same and the rows are unchanged; null otherwise. */
  renew(home: Home, segments: readonly string[], listing: DiskListing, start: ReadingStart): FolderContent | null {
    const snapshot = this.#find(home, segments);
    if (!snapshot?.rows.isUnchanged() || !isSameListing(snapshot.content.listing, listing)) return null;
    Object.assign(snapshot, timing(listing, start));
    return snapshot.content;
  }

  /**
   * A content in which only some entries or their rows have changed, with their names. Others need not be read again.
   * @returns null where that is unknown, or the whole folder should be read
   */
  partlyOutdated(home: Home, segments: readonly string[]): PartlyOutdated | null {
    const snapshot = this.#find(home, segments);
    if (snapshot === undefined || snapshot.mark === null || this.#disk.isStalled(home.homeRoot)) return null;
    const { content, mark, rows } = snapshot;
    const { names: all, others } = content.listing;
    const isDue = performance.now() - snapshot.readAt >= lifetimeOf(snapshot);
    if (all.length < PATCHED_FROM || others > 0 || isDue) return null;
    const [entries, items] = [mark.changedNames(), rows.changedNames()];
    if (entries === null || items === null) return null;
    const names = [...new Set([...entries, ...items])];
    // Node replaces what it cannot decode.
    const isUsable = names.length <= MAX_PATCHED && !names.some((name) => name.includes('\ufffd'));
    return isUsable ? { content, names } : null;
  }

  /**
   * @param rows since before they were read
   * @param base the content of which only the changed entries were read again; it counts only while it is the last one
   */
  remember(
    home: Home,
    segments: readonly string[],
    content: FolderContent,
    { start, rows, base }: { start: ReadingStart; rows: ChildrenSince; base?: FolderContent },
  ): void {
    if (approximateBytes(content) > BYTES) return;
    const { homeRoot } = home;
    const before = this.#find(home, segments);
    if (base !== undefined && before?.content !== base) return;
    this.#snapshots.set(keyOf(home, segments), {
      ...{ content, homeRoot, rows, isRefreshing: false },
      ...timing(content.listing, start),
      // The folder as a whole has the age of its last complete reading.
      ...(base === undefined || before === undefined
        ? {}
        : { readAt: before.readAt, readDuration: before.readDuration }),
    });
  }

  #find(home: Home, segments: readonly string[]): Snapshot | undefined {
    const snapshot = this.#snapshots.get(keyOf(home, segments));
    return snapshot?.homeRoot.root === home.homeRoot.root ? snapshot : undefined;
  }
}

/** In the spelling it was requested in: another one, and one that has to be exact, may lead elsewhere. */
function keyOf({ id, homeRoot: { exact } }: Home, segments: readonly string[]): string {
  return [id, exact ?? '', ...segments].join('/');
}

/** In milliseconds. */
function lifetimeOf({ readDuration }: Pick<Snapshot, 'readDuration'>): number {
  return Math.max(LIFETIME, LIFETIME_READINGS * readDuration);
}

function timing(
  listing: DiskListing,
  { mark, startedAt }: ReadingStart,
): Pick<Snapshot, 'mark' | 'readAt' | 'readDuration'> {
  const isCovered = mark !== null && listing.isReported && mark.covers(listing);
  return { mark: isCovered ? mark : null, readAt: startedAt, readDuration: performance.now() - startedAt };
}

/** Memory of a listing: its columns, the id, uuid and tag of each item, and the names. */
function approximateBytes({ listing: { names } }: FolderContent): number {
  return names.reduce((sum, name) => sum + name.length, 2_000 + 200 * names.length);
}
