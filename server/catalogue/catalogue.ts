import { setTimeout as wait } from 'node:timers/promises';
import type { FilesDatabase } from '../database/database.ts';
import { systemFailure } from '../http/system-failure.ts';
import { ignoreFailure } from '../lib/async/ignore-failure.ts';
import { type Clock, MINUTE } from '../lib/clock.ts';
import { LockTimeout, type PathLocks } from '../lib/concurrency/path-locks.ts';
import type { Log } from '../lib/log/log.ts';
import { LruCache } from '../lib/lru-cache.ts';
import { foldName } from '../lib/names/names.ts';
import type { Unchanged } from '../lib/unchanged.ts';
import type { Disk } from '../storage/disk/disk.ts';
import { nullIfGone, StorageError } from '../storage/errors.ts';
import type { FolderWatch } from '../storage/watch/watch.ts';
import { knownItem } from './find.ts';
import type { Home } from './homes.ts';
import { createKnownContents, type KnownContents } from './known-contents.ts';
import { type FolderContent, FolderItems, folderId } from './listings/folder-items.ts';
import { FolderSnapshots } from './listings/folder-snapshots.ts';
import { ListingOrder } from './listings/listing-order.ts';
import { patchContent } from './listings/patch-content.ts';
import { isSameFolder } from './listings/same-listing.ts';
import { knownDepth, knownOf, reconcileFolders } from './reconcile/reconcile-folders.ts';
import { createRecordNew, type RecordNew } from './record-new.ts';

export type { FolderContent } from './listings/folder-items.ts';

interface ListOptions {
  /** False bypasses the cache: a walk through everything would displace frequent entries. */
  readonly remember?: boolean;
  /** For read-only requests: they succeed even if the database is full, locked or read-only. The rows may be outdated then. */
  readonly allowStaleRows?: boolean;
}

interface TryOptions extends ListOptions {
  readonly through?: Disk;
  /** Counts even when a listing that began later was faster. */
  readonly mustSucceed?: boolean;
}

export interface ComparedFolder {
  readonly segments: readonly string[];
  /** Of its row, if known: rows are found faster then. */
  readonly id?: number | undefined;
}

export interface Catalogue {
  /**
   * The present contents of a folder: reads the disk and reconciles the rows.
   * @throws StorageError, and the database's error when it refuses writes, unless `allowStaleRows`
   */
  list(home: Home, segments: readonly string[], options?: ListOptions): Promise<FolderContent>;
  /**
   * The same for many folders whose parents were compared before, in the background and with few transactions.
   * @returns for as many of them, from the first on, as have about {@link COMPARED_BATCH} entries together; null for a missing
   * folder
   * @throws StorageError when the home is offline, or a folder cannot be read
   */
  compare(home: Home, folders: readonly ComparedFolder[]): Promise<(FolderContent | null)[]>;
  /**
   * Called before something is used by its path, and before that is locked: an item that another program moved there gets its own
   * row, with its stars, versions and lock. Does nothing if there is no item.
   * @returns false if there is no item
   */
  ensureItemRow(home: Home, segments: readonly string[]): Promise<boolean>;
  /** The same for a destination folder. Recent results are cached. */
  ensureFolderRows(home: Home, segments: readonly string[]): Promise<void>;
  /**
   * Wraps every change that we make in a home. A listing taken during one may be outdated when it is compared, and must not mark
   * anything missing.
   */
  changing<T>(home: Home, change: () => Promise<T>): Promise<T>;
  /** @returns a function that tells whether no such change was in progress, and none has begun since */
  unchangedSince(home: Home): Unchanged;
  /** What is known, without asking the disk. */
  readonly contents: KnownContents;
  readonly recordNew: RecordNew;
}

/** Approximate number of entries per transaction, so that other writers do not wait long. */
const COMPARED_BATCH = 2_000;
/** Milliseconds that a comparison waits at most for a moment without changes of ours, and between two checks. */
const LONGEST_WAIT = 2_000;
const SHORT_WAIT = 20;
/** Tries to list without a lock, while no change of ours is in progress. */
const FREE_TRIES = 2;
/** Tries with the lock that give way to newer listings. One more does not. */
const LOCKED_TRIES = 3;
/** Milliseconds between two log lines about a database that refuses writes. */
const LOG_INTERVAL = MINUTE;

/** Number of folders known to have rows, over all homes. */
const KNOWN_FOLDERS = 10_000;

interface CatalogueParts {
  readonly database: FilesDatabase;
  readonly disk: Disk;
  /** The same disks with separate threads, for background work. */
  readonly backgroundDisk: Disk;
  /** Those of the homes that are online, by the ids of the homes. */
  readonly watches: ReadonlyMap<string, FolderWatch>;
  readonly clock: Clock;
  readonly locks: PathLocks;
  readonly log: Log;
}

export function createCatalogue({
  database,
  disk,
  backgroundDisk,
  watches,
  clock,
  locks,
  log,
}: CatalogueParts): Catalogue {
  const changes = new Map<string, { underWay: number; begun: number }>();
  const snapshots = new FolderSnapshots(watches, disk);
  const order = new ListingOrder();

  let lastLogged = Number.NEGATIVE_INFINITY;
  let knownFolders = new LruCache<true>(KNOWN_FOLDERS);

  /** Writes other than our own changes may have moved folders, so the cache is cleared. */
  async function reconciled(
    through: Disk,
    home: Home,
    listed: Parameters<typeof reconcileFolders>[2],
    isUnchanged: Unchanged,
  ): ReturnType<typeof reconcileFolders> {
    const areRowsUnchanged = database.unchangedSince('files');
    const items = await reconcileFolders({ database, disk: through, clock }, home, listed, isUnchanged);
    if (!areRowsUnchanged()) knownFolders = new LruCache(KNOWN_FOLDERS);
    return items;
  }

  function changesIn(home: Home): { underWay: number; begun: number } {
    const counts = changes.get(home.id) ?? { underWay: 0, begun: 0 };
    changes.set(home.id, counts);
    return counts;
  }

  function unchangedSince(home: Home): Unchanged {
    const counts = changesIn(home);
    // A change in progress can have an effect at any moment until it ends, even if it has ended by the time of the check.
    if (counts.underWay > 0) return () => false;
    const { begun } = counts;
    return () => counts.begun === begun;
  }

  /**
   * @returns null when a change of ours was in progress, so that listing and rows may be from different sides of it, or when a
   * listing that began later was faster
   */
  async function tryList(
    home: Home,
    segments: readonly string[],
    isUnchanged: Unchanged,
    { remember = true, allowStaleRows = false, through = disk, mustSucceed = false }: TryOptions,
  ): Promise<FolderContent | null> {
    if (remember && through === disk) {
      const content = await tryPatch(home, segments, isUnchanged);
      if (content === 'outdated') return null;
      if (content !== null) return content;
    }
    const start = snapshots.startReading(home, segments);
    const takeEffect = order.begin();
    const listing = await through.run('list', { homeRoot: home.homeRoot, segments });
    const isNewest = takeEffect([lockKey(home, segments)]);
    const renewed = snapshots.renew(home, segments, listing, start);
    if (renewed !== null) return renewed;
    const childrenSince = database.childrenSince();
    const isValid = () => isUnchanged() && (mustSucceed || isNewest());
    const writing = reconciled(through, home, [{ listing }], isValid);
    const [items] = (await (allowStaleRows ? writing.catch(refused) : writing)) ?? [];
    // If nothing can be written, the disk's answer and existing rows are still valid.
    if (items === 'refused') return { listing, items: await knownOf(database, home.id, listing) };
    if (items === undefined) return null;
    const content = { listing, items };
    const id = remember ? (items.parentId ?? (await folderId(database, home.id, listing.folders))) : null;
    const rows = id === null ? null : childrenSince(id);
    if (rows?.isUnchanged()) snapshots.remember(home, segments, content, { start, rows });
    return content;
  }

  /**
   * Reads only the entries that have changed since the folder was read.
   * @returns null when the whole folder has to be read; `outdated` when {@link tryList} would return null
   */
  async function tryPatch(
    home: Home,
    segments: readonly string[],
    isUnchanged: Unchanged,
  ): Promise<FolderContent | 'outdated' | null> {
    // Both before it is known which entries have changed: later changes count for the next time.
    const childrenSince = database.childrenSince();
    const start = snapshots.startReading(home, segments);
    const outdated = snapshots.partlyOutdated(home, segments);
    const id = outdated?.content.items.parentId ?? null;
    if (outdated === null || id === null) return null;
    const { content: before, names } = outdated;
    const takeEffect = order.begin();
    const { listing } = await disk.run('listNames', { homeRoot: home.homeRoot, segments, names });
    const isNewest = takeEffect([lockKey(home, segments)]);
    if (listing === null || listing.others > 0 || !isSameFolder(listing, before.listing)) return null;
    const isValid = () => isUnchanged() && isNewest();
    const compared = reconciled(disk, home, [{ listing, only: names }], isValid);
    // What the database refuses is found out, and reported, when the whole folder is read.
    const found = await ignoreFailure(compared, 'failed to record the names that are new in a folder');
    if (found === null) return 'outdated';
    const [items] = found ?? [];
    if (items === undefined) return null;
    const content = patchContent(before, names, { listing, items });
    const rows = childrenSince(id);
    if (rows.isUnchanged()) snapshots.remember(home, segments, content, { start, rows, base: before });
    return content;
  }

  /** Logged as a problem of the machine, for its owner. */
  function refused(error: unknown): ['refused'] {
    if (systemFailure(error) === null) throw error;
    const now = performance.now();
    if (now - lastLogged >= LOG_INTERVAL) {
      lastLogged = now;
      log.warn({ err: error }, 'listed a folder, but failed to record its new files');
    }
    return ['refused'];
  }

  /** The disk's answer and the known rows, without writing. */
  async function listOnly(home: Home, segments: readonly string[]): Promise<FolderContent> {
    const listing = await disk.run('list', { homeRoot: home.homeRoot, segments });
    return { listing, items: await knownOf(database, home.id, listing) };
  }

  /** A folder that another program moved here keeps its row, and with it all rows below: listing its parent ensures that. */
  async function ensurePathRows(home: Home, segments: readonly string[]): Promise<void> {
    const depth = await knownDepth(database, home.id, segments);
    for (let above = Math.max(depth - 1, 0); above < segments.length; above += 1) {
      await list(home, segments.slice(0, above), { remember: false });
    }
  }

  async function list(
    home: Home,
    segments: readonly string[],
    options: Omit<TryOptions, 'mustSucceed'> = {},
  ): Promise<FolderContent> {
    if (options.remember !== false && options.through === undefined) {
      const current = await snapshots.current(home, segments, () =>
        // Not the thread that requests wait for.
        tryList(home, segments, unchangedSince(home), { allowStaleRows: true, through: backgroundDisk }),
      );
      if (current !== null) return current;
    }
    if (segments.length > 0 && !snapshots.has(home, segments)) {
      const way = ensurePathRows(home, segments);
      // A locked database is not waited for a second time.
      if (options.allowStaleRows && (await way.catch(refused)) !== undefined) return listOnly(home, segments);
      await way;
    }
    for (let attempt = 1; attempt <= FREE_TRIES; attempt += 1) {
      const isUnchanged = unchangedSince(home);
      if (!isUnchanged()) break;
      const content = await tryList(home, segments, isUnchanged, options);
      if (content !== null) return content;
    }
    // Changes never pause. With the folder locked, none of our operations changes it or its parents.
    const locked = locks.run([lockKey(home, segments)], async () => {
      for (let attempt = 1; attempt <= LOCKED_TRIES; attempt += 1) {
        const content = await tryList(home, segments, () => true, options);
        if (content !== null) return content;
      }
      return tryList(home, segments, () => true, { ...options, mustSucceed: true });
    });
    const content = await locked.catch(async (error) => {
      // The holder of the lock may wait for the database itself: a read-only request is answered anyway.
      if (!(error instanceof LockTimeout) || !options.allowStaleRows) throw error;
      return listOnly(home, segments);
    });
    if (content === null) throw new Error('a locked folder was not listed');
    return content;
  }

  async function compare(home: Home, folders: readonly ComparedFolder[]): Promise<(FolderContent | null)[]> {
    const counts = changesIn(home);
    // A lock would delay changes in these folders, which are usually short.
    for (let waited = 0; waited < LONGEST_WAIT && counts.underWay > 0; waited += SHORT_WAIT) {
      await wait(SHORT_WAIT, undefined, { ref: false });
    }
    const isUnchanged = unchangedSince(home);
    const takeEffect = order.begin();
    const { listings } = await backgroundDisk.run('listSome', {
      homeRoot: home.homeRoot,
      folders: folders.map(({ segments }) => segments),
      entries: COMPARED_BATCH,
    });
    const there = folders.flatMap(({ segments, id }, index) => {
      const listing = listings[index] ?? null;
      return listing === null ? [] : [{ listing, id, segments }];
    });
    const isNewest = takeEffect(there.map(({ segments }) => lockKey(home, segments)));
    const isValid = () => isUnchanged() && isNewest();
    const items = isValid() ? await reconciled(backgroundDisk, home, there, isValid) : null;
    if (items !== null) {
      const contents = there.map(({ listing }, index) => ({ listing, items: items[index] ?? new FolderItems(0) }));
      return listings.map((listing) => (listing === null ? null : (contents.shift() ?? null)));
    }
    const contents: (FolderContent | null)[] = [];
    for (const { segments } of folders.slice(0, listings.length)) {
      contents.push(await list(home, segments, { remember: false, through: backgroundDisk }).catch(nullIfGone));
    }
    return contents;
  }

  async function ensureItemRow(home: Home, segments: readonly string[]): Promise<boolean> {
    try {
      const found = await disk.run('stat', { homeRoot: home.homeRoot, segments });
      const item = segments.length === 0 ? null : await knownItem(database, home.id, found);
      const isKnown = segments.length === 0 || item?.isDir === found.entry.isDir;
      if (!isKnown) await list(home, segments.slice(0, -1), { remember: false });
    } catch (error) {
      // The operation that uses the path reports the same error.
      if (!(error instanceof StorageError)) throw error;
      return error.reason !== 'not-found';
    }
    return true;
  }

  async function ensureFolderRows(home: Home, segments: readonly string[]): Promise<void> {
    const key = [home.id, ...segments].join('/');
    if (segments.length === 0 || knownFolders.get(key)) return;
    try {
      const isKnown = async () => (await knownDepth(database, home.id, segments)) > segments.length;
      if (!(await isKnown())) await ensurePathRows(home, segments);
      const known = knownFolders;
      if (await isKnown()) known.set(key, true);
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
    }
  }

  return {
    list,
    compare,
    ensureItemRow,
    ensureFolderRows,
    unchangedSince,
    contents: createKnownContents(database),
    recordNew: createRecordNew(database),

    async changing(home, change) {
      const counts = changesIn(home);
      counts.begun += 1;
      counts.underWay += 1;
      try {
        return await change();
      } finally {
        counts.underWay -= 1;
      }
    },
  };
}

/** The lock key of a path: one for all spellings that a disk may treat as equal. */
export function lockKey(home: Home, segments: readonly string[]): string {
  return [home.id, ...segments.map(foldName)].join('/');
}
