import { join } from 'node:path';
import type { FailPoints } from '../../lib/process/fail-points.ts';
import { t } from '../../messages/messages.ts';
import { copyHashed, hashFile, identityOfOpened, WriteFailure, withOpened } from '../../storage/content/hashed-copy.ts';
import { eraseStored } from '../../storage/content/work-area.ts';
import type { DiskEntry } from '../../storage/disk/disk.ts';
import { StorageError } from '../../storage/errors.ts';
import { type LineFile, linkFile, makePrivateFolder, plainStat } from '../../storage/plain-files.ts';
import { type Entry, type EntryReader, type FileEntry, finishedEntry } from '../format/entries.ts';
import type { JobProgress } from '../job-progress.ts';

/** Attempts to copy a file that is being written to. */
const TRIES = 3;

/** A file as listed. */
export interface SeenFile {
  readonly entry: Pick<DiskEntry, 'size' | 'identity'>;
  /** When content or attributes last changed, in nanoseconds since the epoch; null for contents that never change. */
  readonly ctime: string | null;
}

/** An earlier backup, to share unchanged contents with. */
export interface Previous {
  /** Its folder `files`. */
  readonly files: string;
  readonly reader: EntryReader;
}

/** Errors for names that a disk does not support: such a file is left out, and the rest continues. */
const UNFIT: Readonly<Record<string, string>> = {
  EINVAL: t('api.backup.reasonName'),
  EILSEQ: t('api.backup.reasonName'),
  ENAMETOOLONG: t('api.backup.reasonPath'),
  EEXIST: t('api.backup.reasonSameName'),
  EFBIG: t('api.backup.reasonSize'),
};

/** The files of a backup being written, with their list. */
export class WrittenFiles {
  readonly root: string;
  readonly #list: LineFile;
  readonly #isFinal: boolean;
  readonly #job: JobProgress;
  readonly #failPoints: FailPoints;
  readonly #previous: Previous | null;
  #canLink: boolean;
  notFollowed = 0;

  constructor(options: {
    root: string;
    list: LineFile;
    /** Whether this is the final list, and not an intermediate one. */
    isFinal: boolean;
    job: JobProgress;
    failPoints: FailPoints;
    previous: Previous | null;
  }) {
    this.root = options.root;
    this.#list = options.list;
    this.#isFinal = options.isFinal;
    this.#job = options.job;
    this.#failPoints = options.failPoints;
    this.#previous = options.previous;
    this.#canLink = options.previous !== null;
  }

  at(path: readonly string[]): string {
    return join(this.root, ...path);
  }

  async write(entry: Entry): Promise<void> {
    await this.#list.write(JSON.stringify(this.#isFinal ? finishedEntry(entry) : entry));
  }

  /** Called between two steps of long work. @throws the reason of the signal */
  async rest(): Promise<void> {
    this.#job.signal.throwIfAborted();
    await this.#job.rest();
  }

  /** @returns whether the folder exists now; if not, it is listed as left out */
  async folder(path: readonly string[]): Promise<boolean> {
    const why = await this.#madeFolder(path);
    await this.write(why === null ? { path: path.join('/'), folder: true } : { path: path.join('/'), leftOut: why });
    return why === null;
  }

  /** Creates a folder without listing it. @returns whether it exists now */
  async makeFolder(path: readonly string[]): Promise<boolean> {
    return (await this.#madeFolder(path)) === null;
  }

  /** @returns why the backup's disk cannot store it, or null */
  async #madeFolder(path: readonly string[]): Promise<string | null> {
    this.#job.signal.throwIfAborted();
    try {
      if ((await plainStat(this.at(path)))?.kind !== 'folder') await makePrivateFolder(this.at(path));
      return null;
    } catch (error) {
      const why = UNFIT[(error as NodeJS.ErrnoException).code ?? ''];
      if (why === undefined) throw new WriteFailure((error as Error).message, { cause: error });
      return why;
    }
  }

  /** The entry of the earlier backup at a path. Call it in the order of the paths. */
  async before(path: readonly string[]): Promise<FileEntry | null> {
    const entry = (await this.#previous?.reader.skipTo(path)) ?? null;
    return entry !== null && 'sha256' in entry && entry.changed !== true ? entry : null;
  }

  /**
   * Copies a file into the backup.
   * @param open opens it for reading; the descriptor is closed here
   * @returns its entry; null when it no longer exists
   * @throws WriteFailure when nothing more can be written; StorageError `offline`
   */
  async file(
    path: readonly string[],
    seen: SeenFile,
    before: FileEntry | null,
    open: () => Promise<number>,
  ): Promise<Entry | null> {
    this.#job.signal.throwIfAborted();
    const linked = await this.#linkBefore(path, seen, before);
    const entry = linked ?? (await this.#copy(path, open));
    this.#job.file();
    await this.#job.rest();
    return entry;
  }

  /** Size and times are unchanged: hard-links the earlier content, after it was read and found intact. */
  async #linkBefore(path: readonly string[], seen: SeenFile, before: FileEntry | null): Promise<FileEntry | null> {
    if (before === null || this.#previous === null || !this.#canLink || !isUnchanged(before, seen)) return null;
    const { size } = seen.entry;
    const from = join(this.#previous.files, ...path);
    const there = await plainStat(from).catch(() => null);
    if (there?.kind !== 'file' || there.size !== size) return null;
    // Damage in it would affect every backup that shares it, so the live file is copied again.
    if (!(await this.#isWhole(from, before))) return null;
    const outcome = await linkFile(from, this.at(path)).catch((error) => {
      throw new WriteFailure((error as Error).message, { cause: error });
    });
    if (outcome === 'never') this.#canLink = false;
    if (outcome !== 'linked') return null;
    this.#job.spared(size);
    const { changed: _changed, ...same } = before;
    return { ...same, linked: true, identity: seen.entry.identity };
  }

  async #isWhole(from: string, { sha256 }: FileEntry): Promise<boolean> {
    const along = { signal: this.#job.signal, onBytes: () => this.#job.rest() };
    const found = await hashFile(from, along).catch(() => null);
    this.#job.signal.throwIfAborted();
    return found?.sha256 === sha256;
  }

  async #copy(path: readonly string[], open: () => Promise<number>): Promise<Entry | null> {
    const to = this.at(path);
    const text = path.join('/');
    for (let tries = 1; ; tries += 1) {
      try {
        const { identity, ...copy } = await withOpened(await open(), async (fd) => ({
          // Of the opened file, because another one may have taken the listed name in between.
          identity: identityOfOpened(fd),
          ...(await copyHashed(fd, to, {
            signal: this.#job.signal,
            onBytes: this.#job.onBytes,
            failPoints: this.#failPoints,
          })),
        }));
        const { bytes: size, mtime, ctime, mode, sha256, isSteady } = copy;
        if (isSteady || tries === TRIES)
          return {
            path: text,
            size,
            mtime,
            ctime,
            mode,
            sha256,
            identity,
            ...(isSteady ? {} : { changed: true as const }),
          };
        await eraseStored(to);
      } catch (error) {
        const known = whyLeftOut(error);
        if (known === 'gone') return null;
        if (known === null) throw error;
        return { path: text, leftOut: known };
      }
    }
  }
}

/**
 * Whether a file is unchanged since a list was made. The modification time alone is not enough: some programs, such as those for
 * encrypted containers, write into a file and set it back.
 */
export function isUnchanged({ size, mtime, ctime }: FileEntry, { entry, ctime: now }: SeenFile): boolean {
  return size === entry.size && mtime === (entry.identity.split('.')[3] ?? '') && (now === null || ctime === now);
}

/** Why a single file is not in the backup, or null for an error that ends the backup. */
export function whyLeftOut(error: unknown): string | 'gone' | null {
  if (error instanceof WriteFailure) return UNFIT[(error.cause as NodeJS.ErrnoException).code ?? ''] ?? null;
  if (error instanceof StorageError) {
    if (error.reason === 'offline') return null;
    if (error.reason === 'denied') return t('api.backup.reasonDenied');
    return error.reason === 'not-found' || error.reason === 'is-a-folder'
      ? 'gone'
      : t('api.backup.reasonUnreadable', { reason: error.reason });
  }
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'gone';
  if (code === 'EACCES' || code === 'EPERM') return t('api.backup.reasonDenied');
  return code === 'EIO' ? t('api.backup.reasonDisk') : null;
}
