import { join } from 'node:path';
import { t } from '../../messages/messages.ts';
import { hashFile } from '../../storage/content/hashed-copy.ts';
import { plainStat } from '../../storage/plain-files.ts';
import { type FileEntry, segmentsOf } from '../format/entries.ts';
import { FILES } from '../format/manifest.ts';
import type { JobProgress } from '../job-progress.ts';

/** A damaged file of a backup. */
export interface DamagedFile {
  /** As in the list of files, with `/` between the names: `homes/ann/photos/one.jpg`. */
  readonly path: string;
  /** The problem, to follow its name in a sentence. */
  readonly problem: string;
}

/** Most damages listed as sentences; the rest is counted. */
const MAX_LISTED = 1_000;

/** The damaged files of people in a backup. */
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

  /** Whether a parent folder is missing, or is not a folder: nothing below it may be opened. */
  isBelowDamaged(path: string): boolean {
    if (this.#folders.size === 0) return false;
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
      if (this.#folders.has(path.slice(0, end))) return true;
    return false;
  }

  /**
   * Why a file is damaged, or null.
   * @param reads whether to read it completely, or only to check that it exists
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

  /** The backup's problems, as sentences; empty if all files are intact. */
  sentences(): string[] {
    const at = (path: string) => join(this.#backup, FILES, ...segmentsOf(path));
    const all = [
      ...[...this.#folders].map((path) => t('api.backup.damagedFolder', { path: at(path) })),
      ...this.files.map(({ path, problem }) => t('api.backup.damagedFile', { path: at(path), problem })),
    ];
    const more = all.length - MAX_LISTED;
    return [...all.slice(0, MAX_LISTED), ...(more > 0 ? [t('api.backup.damagedMore', { count: more })] : [])];
  }
}
