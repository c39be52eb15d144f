import { join } from 'node:path';
import { t } from '../../messages/messages.ts';
import { hashFile } from '../../storage/content/hashed-copy.ts';
import { plainStat } from '../../storage/plain-files.ts';
import { type FileEntry, segmentsOf } from '../format/entries.ts';
import { FILES } from '../format/manifest.ts';
import type { JobProgress } from '../job-progress.ts';

/** A file of a backup that is not what was written. */
export interface DamagedFile {
  /** As the list of files has it, with `/` between the names: `homes/ann/photos/one.jpg`. */
  readonly path: string;
  /** What is wrong with it, to follow its name. */
  readonly problem: string;
}

/** Sentences of damage that are listed at most: the rest is counted. */
const MOST_LISTED = 1_000;

/** What of people's files is damaged in a backup. */
export class Damages {
  readonly #backup: string;
  readonly #files = new Map<string, string>();
  readonly #folders = new Set<string>();

  /** @param backup its folder */
  constructor(backup: string) {
    this.#backup = backup;
  }

  get files(): readonly DamagedFile[] {
    return [...this.#files].map(([path, problem]) => ({ path, problem }));
  }

  addFile(path: string, problem: string): void {
    this.#files.set(path, problem);
  }

  addFolder(path: string): void {
    this.#folders.add(path);
  }

  isDamaged(path: string): boolean {
    return this.#files.has(path);
  }

  /** Whether a folder on the way to it is missing, or is no folder: nothing below it may be opened. */
  isBelowDamaged(path: string): boolean {
    if (this.#folders.size === 0) return false;
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
      if (this.#folders.has(path.slice(0, end))) return true;
    return false;
  }

  /**
   * Why a file is not what was written, or null.
   * @param reads whether all of it is read, or only looked for
   * @throws the reason of the signal
   */
  async problemOf({ path, size, sha256 }: FileEntry, job: JobProgress, reads: boolean): Promise<string | null> {
    if (this.isBelowDamaged(path)) return t('api.backup.damageFolder');
    const file = join(this.#backup, FILES, ...segmentsOf(path));
    const stats = await plainStat(file).catch((error: Error) => error);
    if (stats instanceof Error) return t('api.backup.reasonUnreadable', { reason: stats.message });
    if (stats?.kind !== 'file') return t('api.backup.damageMissing');
    if (stats.size !== size) return t('api.backup.damageChanged');
    if (!reads) {
      job.spared(size);
      return null;
    }
    try {
      return (await hashFile(file, job)).sha256 === sha256 ? null : t('api.backup.damageChanged');
    } catch (error) {
      job.signal.throwIfAborted();
      return t('api.backup.reasonUnreadable', { reason: (error as Error).message });
    }
  }

  /** What is wrong with the backup, as sentences; none when all files are whole. */
  sentences(): string[] {
    const at = (path: string) => join(this.#backup, FILES, ...segmentsOf(path));
    const all = [
      ...[...this.#folders].map((path) => t('api.backup.damagedFolder', { path: at(path) })),
      ...this.files.map(({ path, problem }) => t('api.backup.damagedFile', { path: at(path), problem })),
    ];
    const more = all.length - MOST_LISTED;
    return [...all.slice(0, MOST_LISTED), ...(more > 0 ? [t('api.backup.damagedMore', { count: more })] : [])];
  }
}
