import { join } from 'node:path';
import { onStorage } from '../../access/storage-failure.ts';
import { inheritFile } from '../../storage/content/inherited-file.ts';
import { identityOfOpened } from '../../storage/content/opened-identity.ts';
import { chunksOf, closeFile } from '../../storage/content/send-bytes.ts';
import { copyUnflushed } from '../../storage/content/unflushed-copy.ts';
import type { Disk, OpenedFile } from '../../storage/disk/disk.ts';
import { StorageError, storageError } from '../../storage/errors.ts';
import type { HomeRoot } from '../../storage/paths/folder-handle.ts';
import type { ExportEntry } from '../exports/entries.ts';
import type { WithArchive } from './archive-part.ts';
import type { Part, Taken } from './part.ts';
import { MAX_UNREAD, type WalkedFile } from './walk-folder.ts';

/** A file of the folder cannot be read as it was listed. */
export class FileProblem extends Error {
  readonly reason: Exclude<Taken, 'intact' | 'damaged'>;

  constructor(reason: FileProblem['reason']) {
    super(`a file of the folder is ${reason}`);
    this.reason = reason;
  }
}

/** The files of a folder of the disk, as they were listed. They are only read. */
export interface FolderFiles {
  /**
   * Opens a file for the duration of some work.
   * @throws FileProblem for one that was changed, replaced or removed since; StorageError `offline`
   */
  withFile<T>(file: WalkedFile, work: (opened: OpenedFile) => Promise<T>): Promise<T>;
  /** Opens a ZIP file for workers. It throws the same. */
  archiveAt(file: WalkedFile): WithArchive;
}

/** @param identity of the folder when it was listed */
export function folderFiles(
  disk: Pick<Disk, 'run' | 'unlessStalled'>,
  homeRoot: HomeRoot,
  identity: string,
): FolderFiles {
  /** Where a disk was removed, an empty folder may be left. */
  async function requireFolder(): Promise<void> {
    const { entry } = await disk.run('stat', { homeRoot, segments: [] });
    if (entry.identity !== identity) throw new StorageError('offline');
  }

  let unread = 0;
  /** A file that the disk cannot read is left out. Several in a row mean that the disk is away. */
  function unreadable(): Error {
    unread += 1;
    return unread < MAX_UNREAD ? new FileProblem('unreadable_file') : new StorageError('offline');
  }

  async function open({ path, identity: listed }: WalkedFile): Promise<OpenedFile> {
    let opened: OpenedFile;
    try {
      opened = await disk.run('open', { homeRoot, segments: path.split('/') });
    } catch (error) {
      const known = storageError(error);
      if (known instanceof StorageError && known.reason === 'offline') throw known;
      await requireFolder();
      if (!(known instanceof StorageError)) throw unreadable();
      throw new FileProblem(known.reason === 'denied' ? 'unreadable_file' : 'changed');
    }
    if (opened.entry.identity === listed) return opened;
    await closeFile(opened.fd);
    throw new FileProblem('changed');
  }

  const files: FolderFiles = {
    async withFile(file, work) {
      const opened = await open(file);
      const isChanged = () =>
        disk.unlessStalled(homeRoot, async () => (await identityOfOpened(opened.fd)) !== file.identity);
      try {
        const result = await work(opened).catch(async (error: unknown) => {
          if (error instanceof StorageError && error.reason === 'offline') throw error;
          const { code, syscall } = error as NodeJS.ErrnoException;
          if (code === 'EIO' && syscall === 'read') throw unreadable();
          throw (await isChanged()) ? new FileProblem('changed') : error;
        });
        if (await isChanged()) throw new FileProblem('changed');
        unread = 0;
        return result;
      } finally {
        await closeFile(opened.fd);
      }
    },
    archiveAt: (file) => (work) => files.withFile(file, (opened) => work(inheritFile(homeRoot, opened))),
  };
  return files;
}

/**
 * Unpacked files.
 * @param listed by the number that each has as an entry
 */
export function unpackedPart(
  { disk }: { readonly disk: Pick<Disk, 'unlessStalled'> },
  files: FolderFiles,
  homeRoot: HomeRoot,
  listed: ReadonlyMap<number, WalkedFile>,
): Part {
  const fileOf = ({ index }: ExportEntry): WalkedFile => {
    const file = listed.get(index);
    if (file === undefined) throw new Error('an entry is of no file');
    return file;
  };
  const decoder = new TextDecoder('utf-8', { fatal: true });

  async function textOf(file: WalkedFile): Promise<string | null> {
    const bytes = await files.withFile(file, ({ fd }) =>
      disk.unlessStalled(homeRoot, async () => {
        const pieces: Buffer[] = [];
        for await (const piece of chunksOf(fd, file.size)) pieces.push(Buffer.from(piece));
        return Buffer.concat(pieces);
      }),
    );
    try {
      return decoder.decode(bytes);
    } catch {
      return null;
    }
  }

  return {
    timeOf: (entry) => fileOf(entry).mtime,
    hintOf: ({ size }) => String(size),
    texts: (entries, signal) =>
      onStorage(async () => {
        const texts: (string | null)[] = [];
        for (const entry of entries) {
          signal.throwIfAborted();
          texts.push(await textOf(fileOf(entry)).catch(unlessProblem(() => null)));
        }
        return texts;
      }),
    take: (entries, folder, signal) =>
      onStorage(async () => {
        const taken: Taken[] = [];
        for (const [index, entry] of entries.entries()) {
          signal.throwIfAborted();
          const target = join(folder, String(index));
          // Streamed, because a copy by the system would have the permissions of the original.
          const copied = files.withFile(fileOf(entry), (opened) =>
            disk.unlessStalled(homeRoot, () => copyUnflushed(opened.fd, entry.size, target)),
          );
          taken.push(
            await copied.then(
              () => 'intact' as const,
              unlessProblem(({ reason }) => reason),
            ),
          );
        }
        return taken;
      }),
  };
}

/** The same archive, whose entries are left out one by one when it can no longer be read. */
export function tolerantPart(part: Part): Part {
  return {
    ...part,
    texts: (entries, signal) => part.texts(entries, signal).catch(unlessProblem(() => entries.map(() => null))),
    take: (entries, folder, signal) =>
      part.take(entries, folder, signal).catch(unlessProblem(({ reason }) => entries.map(() => reason))),
  };
}

/** Other failures are passed on. */
function unlessProblem<T>(of: (problem: FileProblem) => T): (error: unknown) => T {
  return (error) => {
    if (error instanceof FileProblem) return of(error);
    throw error;
  };
}
