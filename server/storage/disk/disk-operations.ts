import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  utimesSync,
} from 'node:fs';
import { type FailPoints, failPoint } from '../../lib/process/fail-points.ts';
import { cachedName, readCached, writeCached } from '../content/cached-files.ts';
import { storedFolder } from '../content/stored-folder.ts';
import { isNotFound, orNullIfGone, StorageError } from '../errors.ts';
import { type FolderHandle, type HomeRoot, isExact, isReserved, nameOnDisk } from '../paths/folder-handle.ts';
import { FolderNames } from '../paths/folder-names.ts';
import { undecodableNamesIn } from '../paths/invalid-encoding.ts';
import { afterChange, entryAfter, moveItem, moveToNewName, placeNew, placeOver } from '../paths/naming.ts';
import { changeIn, entriesOf, last, withOpenPath, withOpenPathRetained, withParent } from '../paths/open-path.ts';
import { diskEntry } from './disk-entry.ts';
import { listFolder } from './disk-listing.ts';
import type { DiskListing, DiskOperation, DiskOperations, OpenedFile } from './disk-protocol.ts';
import { hashParts } from './hash-parts.ts';
import { isSilentDisk, probeHome, reportsChanges } from './probe-home.ts';
import { isSettled } from './time-resolution.ts';

type Handlers = { [Name in DiskOperation]: (input: DiskOperations[Name]['input']) => DiskOperations[Name]['output'] };

/**
 * The operations of a disk thread: every call blocks only that thread.
 * @param beat called repeatedly by long operations, to show progress
 */
export function diskOperations(points: FailPoints, beat: () => void = () => undefined): Handlers {
  const names = new FolderNames();
  const naming = { points, names };
  const reporting = new Map<bigint, boolean>();
  const isReported = (folder: FolderHandle) => {
    const { dev } = folder.stats;
    const known = reporting.get(dev) ?? reportsChanges(folder.at('.'));
    reporting.set(dev, known);
    return known;
  };
  /** @param only the names to list; by default all */
  const listingOf = (handles: readonly FolderHandle[], only?: readonly string[]): DiskListing => ({
    ...listFolder(last(handles), { isRoot: handles.length === 1, beat, only }),
    folders: entriesOf(handles),
    stamp: stampOf(last(handles).stats),
    isReported: isReported(last(handles)),
  });
  const list: Handlers['list'] = ({ homeRoot, segments }) =>
    withOpenPath(names, homeRoot, segments, (handles) => listingOf(handles));
  const stat: Handlers['stat'] = ({ homeRoot, segments }) =>
    withParent(names, homeRoot, segments, (handles, name) => {
      if (name === null) return { parents: [], entry: diskEntry('', last(handles).stats) };
      const stats = lstatSync(last(handles).at(name), { bigint: true });
      if (!stats.isFile() && !stats.isDirectory()) throw new StorageError('not-found');
      return { parents: entriesOf(handles), entry: diskEntry(name, stats) };
    });
  const open: Handlers['open'] = ({ homeRoot, segments }) =>
    withParent(names, homeRoot, segments, (handles, name) => {
      if (name === null) throw new StorageError('is-a-folder');
      const path = last(handles).at(name);
      const seen = lstatSync(path, { bigint: true });
      if (seen.isDirectory()) throw new StorageError('is-a-folder');
      // Opening a pipe or a device could block forever, so the type is checked before, and again after opening.
      if (!seen.isFile()) throw new StorageError('not-found');
      failPoint(points, 'storage.open');
      const fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
      const stats = fstatSync(fd, { bigint: true });
      if (!stats.isFile() || stats.ino !== seen.ino || stats.dev !== seen.dev || !last(handles).isUnchanged()) {
        closeSync(fd);
        throw new StorageError('not-found');
      }
      return { parents: entriesOf(handles), entry: diskEntry(name, stats), fd };
    });
  return {
    homeState: ({ homeRoot }) => ({ state: probeHome(homeRoot) }),

    isSilent: ({ homeRoot }) => ({ silent: isSilentDisk(homeRoot.root) }),

    createIncoming: ({ path }) => ({ fd: openSync(path, 'wx', 0o666) }),

    list,

    listNames: ({ homeRoot, segments, names: only }) =>
      withOpenPath(names, homeRoot, segments, (handles) => ({
        listing: handles.some(({ isLoose }) => isLoose) ? null : listingOf(handles, only),
      })),

    listSome({ homeRoot, folders, entries }) {
      const listings: (DiskListing | null)[] = [];
      let count = 0;
      for (const segments of folders) {
        const listing = orNullIfGone(() => list({ homeRoot, segments }));
        listings.push(listing);
        count += listing?.names.length ?? 0;
        if (count >= entries) break;
      }
      return { listings };
    },

    inspect: ({ homeRoot, segments }) => {
      const name = segments.at(-1);
      try {
        return withOpenPath(names, homeRoot, segments.slice(0, -1), (handles) => {
          const stats = name === undefined ? last(handles).stats : statByName(homeRoot, handles, name);
          return { hasFolder: true, entry: stats === null ? null : diskEntry(name ?? '', stats) };
        });
      } catch (error) {
        if (isNotFound(error)) return { hasFolder: false, entry: null };
        throw error;
      }
    },

    occupied: ({ homeRoot, segments }) => {
      const name = segments.at(-1) ?? '';
      try {
        return withOpenPath(names, homeRoot, segments.slice(0, -1), (handles) => {
          const twin = handles.length === 1 && isReserved(name) ? name : names.twinOf(last(handles), name);
          if (twin === null) return { by: null };
          const stats = lstatSync(last(handles).at(twin), { throwIfNoEntry: false });
          return { by: stats?.isDirectory() ? ('folder' as const) : ('file' as const) };
        });
      } catch (error) {
        if (isNotFound(error)) return { by: null };
        throw error;
      }
    },

    stat,

    identities: ({ homeRoot, paths }) => ({
      identities: paths.map((segments) =>
        orNullIfGone(() =>
          withParent(names, homeRoot, segments, (handles, name) => {
            beat();
            const stats = name === null ? last(handles).stats : lstatSync(last(handles).at(name), { bigint: true });
            return stats.isFile() || stats.isDirectory() ? diskEntry(name ?? '', stats).identity : null;
          }),
        ),
      ),
    }),

    folderTimes: ({ homeRoot, segments, names: children }) =>
      withOpenPath(names, homeRoot, segments, (handles) => ({
        times: children.map((name) => {
          beat();
          const stats = lstatSync(last(handles).at(name), { bigint: true, throwIfNoEntry: false });
          return stats?.isDirectory() ? String(stats.mtimeNs) : null;
        }),
      })),

    oddNames: ({ homeRoot, segments }) =>
      withOpenPath(names, homeRoot, segments, (handles) => ({ undecodable: undecodableNamesIn(last(handles)) })),

    openUnlessCached({ homeRoot, segments, cache: { folder, variant, content }, known }) {
      const { entry } = stat({ homeRoot, segments });
      const nothing = { entry, name: '', bytes: null, opened: null };
      if (entry.isDir) return nothing;
      const name = cachedName(homeRoot.homeId, entry, content, variant);
      if (name === known) return { ...nothing, name };
      const bytes = readCached(folder, name);
      if (bytes !== null) return { ...nothing, name, bytes };
      const opened = open({ homeRoot, segments });
      return {
        entry: opened.entry,
        name: cachedName(homeRoot.homeId, opened.entry, content, variant),
        bytes: null,
        opened,
      };
    },

    readCached: ({ folder, name }) => ({ bytes: readCached(folder, name) }),

    cache: ({ folder, files }) => ({ written: writeCached(folder, files) }),

    open,

    openSome({ homeRoot, paths }) {
      const files: (OpenedFile | null)[] = [];
      try {
        for (const segments of paths) {
          beat();
          files.push(unlessOffline(() => open({ homeRoot, segments })));
        }
        return { files };
      } catch (error) {
        for (const file of files) if (file !== null) closeSync(file.fd);
        throw error;
      }
    },

    hashPart: hashParts(beat),

    publish: ({ homeRoot, parent, name, incoming }) =>
      changeIn(names, homeRoot, parent, (folder, isRoot) => {
        if (isRoot && isReserved(name)) throw new StorageError('taken', name);
        failPoint(points, 'storage.publish.found-folder');
        placeNew(naming, folder, name, incoming);
        return { entry: entryAfter(points, 'storage.publish.named', folder, name), replaced: null };
      }),

    publishOver: ({ homeRoot, parent, name, incoming, retainAs }) =>
      changeIn(names, homeRoot, parent, (folder, isRoot) => {
        if (isRoot && isReserved(name)) throw new StorageError('taken', name);
        failPoint(points, 'storage.publish.found-folder');
        const { target, before } = placeOver(naming, folder, name, incoming, retainAs);
        return { entry: entryAfter(points, 'storage.publish.named', folder, target), replaced: before };
      }),

    createFolder: ({ homeRoot, parent, name }) =>
      changeIn(names, homeRoot, parent, (folder, isRoot) => {
        if (isRoot && isReserved(name)) throw new StorageError('taken', name);
        const twin = names.twinOf(folder, name);
        if (twin !== null) throw new StorageError('taken', twin);
        mkdirSync(folder.at(name));
        names.added(folder, name);
        return { entry: diskEntry(name, lstatSync(folder.at(name), { bigint: true })), replaced: null };
      }),

    setFolderTime: ({ homeRoot, segments, time }) =>
      withOpenPathRetained(names, homeRoot, segments, (handles) => {
        const folder = last(handles);
        if (!folder.isUnchanged()) throw new StorageError('not-found');
        utimesSync(folder.at('.'), new Date(), new Date(time));
        return { folderFd: folder.fd };
      }),

    move: ({ homeRoot, toHomeRoot = homeRoot, from, parent, name, retainAs }) => {
      const source = from.at(-1);
      if (source === undefined) throw new StorageError('not-found');
      return withOpenPathRetained(names, homeRoot, from.slice(0, -1), (fromHandles) => {
        if (fromHandles.length === 1 && isReserved(source)) throw new StorageError('not-found');
        const fromFolder = last(fromHandles);
        const found = nameOnDisk(fromFolder, source, isExact(homeRoot, from.length - 1));
        const moved = moveItem(naming, { homeRoot: toHomeRoot, fromFolder, found, parent, name, retainAs });
        return { ...moved, fromFolderFd: fromFolder.fd };
      });
    },

    moveIn: ({ homeRoot, parent, name, source }) =>
      changeIn(names, homeRoot, parent, (folder, isRoot) => {
        if (isRoot && isReserved(name)) throw new StorageError('taken', name);
        failPoint(points, 'storage.put-back');
        if (names.twinOf(folder, name) !== null || !moveToNewName(points, source, folder.at(name))) {
          throw new StorageError('taken', name);
        }
        return { entry: entryAfter(points, 'storage.put-back.named', folder, name), replaced: null };
      }),

    listStored: ({ path }) => ({ folder: storedFolder(path) }),

    moveOut: ({ homeRoot, segments, target }) => {
      const name = segments.at(-1);
      if (name === undefined) throw new StorageError('not-found');
      return changeIn(names, homeRoot, segments.slice(0, -1), (folder, isRoot) => {
        if (isRoot && isReserved(name)) throw new StorageError('not-found');
        const found = nameOnDisk(folder, name, isExact(homeRoot, segments.length - 1));
        const stats = lstatSync(folder.at(found), { bigint: true });
        if (!stats.isFile() && !stats.isDirectory()) throw new StorageError('not-found');
        failPoint(points, 'storage.take-out');
        renameSync(folder.at(found), target);
        afterChange(() => failPoint(points, 'storage.taken-out'));
        return { entry: diskEntry(found, stats), replaced: null };
      });
    },
  };
}

/** @returns null for a file that cannot be opened @throws StorageError `offline` */
function unlessOffline<T>(open: () => T): T | null {
  try {
    return open();
  } catch (error) {
    if (error instanceof StorageError && error.reason === 'offline') throw error;
    return null;
  }
}

/** The item of this name; null if there is none, or for special files. @param handles of all folders of its path */
function statByName(homeRoot: HomeRoot, handles: readonly FolderHandle[], name: string): BigIntStats | null {
  if (handles.length === 1 && isReserved(name)) return null;
  const folder = last(handles);
  return orNullIfGone(() => {
    const mustBeSame = homeRoot.distinguishesForms === true && isExact(homeRoot, handles.length - 1);
    const found = nameOnDisk(folder, name, mustBeSame);
    const stats = lstatSync(folder.at(found), { bigint: true });
    return stats.isFile() || stats.isDirectory() ? stats : null;
  });
}

function stampOf({ mtimeNs, mtimeMs }: BigIntStats): string | null {
  return isSettled(Number(mtimeMs), Date.now()) ? String(mtimeNs) : null;
}
