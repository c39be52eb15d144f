import { setImmediate as turn } from 'node:timers/promises';
import type { ChildrenSince } from '../database/database.ts';
import { LruCache } from '../lib/lru-cache.ts';
import type { Disk, DiskListing } from '../storage/disk/disk.ts';
import type { FolderWatch, WatchMark } from '../storage/disk/watch.ts';
import type { HomeRoot } from '../storage/paths/folder-handle.ts';
import type { FolderContent } from './folder-items.ts';
import type { Home } from './homes.ts';

/** What had been reported of a folder before it was read, and when that was. */
export interface Look {
  readonly mark: WatchMark | null;
  /** By the clock of `performance`. */
  readonly began: number;
}

interface Snapshot {
  readonly content: FolderContent;
  readonly homeRoot: HomeRoot;
  /** What has happened to the rows of its items since they were read. */
  readonly rows: ChildrenSince;
  /** Null when changes of the folder may go unnoticed. */
  mark: WatchMark | null;
  /** When it was last read from the disk. */
  lookedAt: number;
  /** How long that took, in milliseconds. */
  took: number;
  isLooking: boolean;
}

/** Bytes of all snapshots together. */
const BYTES = 32 * 1_024 * 1_024;
/**
 * Milliseconds, and a multiple of the time that reading takes: how long a snapshot counts without reading the folder again. The
 * watch reports every change but those through another hard link of a file, or through mapped memory.
 */
const READ_AFTER = 2_000;
const READ_AFTER_TIMES = 30;

/** Number of entries from which on it is worth reading only what has changed, and the most names that are read so. */
const WORTH_IT = 500;
const MOST_CHANGED = 200;

/** A content, and the names of the entries that may have changed since. */
export interface Changed {
  readonly content: FolderContent;
  readonly names: readonly string[];
}

/**
 * The last contents of folders. A snapshot is current while the watch has reported nothing, and the rows are unchanged; half-way
 * to its end the folder is read again in the background.
 */
export class FolderSnapshots {
  readonly #snapshots = new LruCache<Snapshot>(BYTES, ({ content }) => bytesIn(content));
  readonly #watches: ReadonlyMap<string, FolderWatch>;
  readonly #disk: Pick<Disk, 'isStalled'>;

  constructor(watches: ReadonlyMap<string, FolderWatch>, disk: Pick<Disk, 'isStalled'>) {
    this.#watches = watches;
    this.#disk = disk;
  }

  /** To be called before the folder is read. */
  look(home: Home, segments: readonly string[]): Look {
    return { mark: this.#watches.get(home.id)?.mark(segments) ?? null, began: performance.now() };
  }

  has(home: Home, segments: readonly string[]): boolean {
    return this.#of(home, segments) !== undefined;
  }

  /**
   * The content, if nothing can have changed. Waits for the end of the event loop's turn: the system passed on the request of the
   * caller together with everything that happened before it, or after that. Our own changes are in the rows.
   * @param lookAgain called when the folder should be read again, without waiting for it
   */
  async current(
    home: Home,
    segments: readonly string[],
    lookAgain: () => Promise<unknown>,
  ): Promise<FolderContent | null> {
    const snapshot = this.#of(home, segments);
    if (snapshot === undefined || snapshot.mark === null) return null;
    const age = performance.now() - snapshot.lookedAt;
    const end = endOf(snapshot);
    if (age >= end) return null;
    await turn();
    const isCurrent =
      snapshot.mark.isUnchanged() && snapshot.rows.isUnchanged() && !this.#disk.isStalled(home.homeRoot);
    if (!isCurrent) return null;
    if (age >= end / 2 && !snapshot.isLooking) {
      snapshot.isLooking = true;
      void lookAgain()
        // The next request that reads the folder itself reports the problem.
        .catch(() => undefined)
        .finally(() => {
          snapshot.isLooking = false;
        });
    }
    return snapshot.content;
  }

  /** The content as it was, if a new listing is the same and the rows are unchanged. */
  confirmed(home: Home, segments: readonly string[], listing: DiskListing, look: Look): FolderContent | null {
    const snapshot = this.#of(home, segments);
    if (!snapshot?.rows.isUnchanged() || !isSame(snapshot.content.listing, listing)) return null;
    Object.assign(snapshot, timing(listing, look));
    return snapshot.content;
  }

  /**
   * A content in which only some entries or their rows have changed, with their names. Others need not be read again.
   * @returns null where that is unknown, or not worth it
   */
  changed(home: Home, segments: readonly string[]): Changed | null {
    const snapshot = this.#of(home, segments);
    if (snapshot === undefined || snapshot.mark === null || this.#disk.isStalled(home.homeRoot)) return null;
    const { content, mark, rows } = snapshot;
    const { names: all, others } = content.listing;
    if (all.length < WORTH_IT || others > 0 || performance.now() - snapshot.lookedAt >= endOf(snapshot)) return null;
    const [entries, items] = [mark.changedNames(), rows.changedNames()];
    if (entries === null || items === null) return null;
    const names = [...new Set([...entries, ...items])];
    // Node replaces what it cannot decode.
    const isUsable = names.length <= MOST_CHANGED && !names.some((name) => name.includes('\ufffd'));
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
    { look, rows, base }: { look: Look; rows: ChildrenSince; base?: FolderContent },
  ): void {
    if (bytesIn(content) > BYTES) return;
    const { homeRoot } = home;
    const before = this.#of(home, segments);
    if (base !== undefined && before?.content !== base) return;
    this.#snapshots.set(keyOf(home, segments), {
      ...{ content, homeRoot, rows, isLooking: false },
      ...timing(content.listing, look),
      // The folder as a whole has the age of its last complete reading.
      ...(base === undefined || before === undefined ? {} : { lookedAt: before.lookedAt, took: before.took }),
    });
  }

  #of(home: Home, segments: readonly string[]): Snapshot | undefined {
    const snapshot = this.#snapshots.get(keyOf(home, segments));
    return snapshot?.homeRoot.root === home.homeRoot.root ? snapshot : undefined;
  }
}

/** In the spelling it was requested in: another one, and one that has to be exact, may lead elsewhere. */
function keyOf({ id, homeRoot: { exact } }: Home, segments: readonly string[]): string {
  return [id, exact ?? '', ...segments].join('/');
}

/** Milliseconds after which a snapshot no longer counts. */
function endOf({ took }: Pick<Snapshot, 'took'>): number {
  return Math.max(READ_AFTER, READ_AFTER_TIMES * took);
}

function timing(listing: DiskListing, { mark, began }: Look): Pick<Snapshot, 'mark' | 'lookedAt' | 'took'> {
  const isTelling = mark !== null && listing.isReported && mark.covers(listing);
  return { mark: isTelling ? mark : null, lookedAt: began, took: performance.now() - began };
}

/** Whether the disk's answer is the same as before: names, types, inodes, sizes and times in nanoseconds. */
function isSame(a: DiskListing, b: DiskListing): boolean {
  if (a.names.length !== b.names.length || a.folderCount !== b.folderCount) return false;
  for (const column of ['inodes', 'births', 'changes', 'sizes'] as const) {
    if (Buffer.compare(bytesOf(a[column]), bytesOf(b[column])) !== 0) return false;
  }
  return isSameFolder(a, b) && a.names.every((name, index) => name === b.names[index]);
}

/** Whether two listings are of the same folder, by names and identities of all folders on the path. */
export function isSameFolder({ folders: a }: DiskListing, { folders: b }: DiskListing): boolean {
  return (
    a.length === b.length && a.every(({ name, identity }, at) => name === b[at]?.name && identity === b[at].identity)
  );
}

/** Approximate memory of a listing: its columns, the id and uuid of each item, and the names. */
function bytesIn({ listing: { names } }: FolderContent): number {
  return names.reduce((sum, name) => sum + name.length, 2_000 + 160 * names.length);
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}
