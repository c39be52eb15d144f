import { foldName, newNameProblem } from '../../lib/names/names.ts';
import type { Hazard } from './archive-jobs.ts';
import { MAX_ENTRIES } from './archive-jobs.ts';

/** The hazard of an archive, and the entry concerned. */
export class UnsafeArchive extends Error {
  readonly hazard: Hazard;
  readonly entry: string;

  constructor(hazard: Hazard, entry: string) {
    super(`${hazard}: ${entry}`);
    this.hazard = hazard;
    this.entry = entry.slice(0, 500);
  }
}

interface Limits {
  readonly maxDepth: number;
  readonly maxPath: number;
}

/** Whether a path is absolute, has a drive, or goes up. */
export function leadsOutside(path: string, segments: readonly string[]): boolean {
  return path.startsWith('/') || segments.includes('..') || /^[a-z]:/i.test(path);
}

/** The paths of an archive in order: paths that some file system treats as equal may occur only once. */
export class ArchivePaths {
  readonly #limits: Limits;
  /** By folded path: its spelling, and whether it has an entry of its own. */
  readonly #folders = new Map<string, { readonly spelling: string; isEntry: boolean }>();
  readonly #files = new Set<string>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** @param path with slashes; a folder's ends in one @throws UnsafeArchive */
  add(path: string): void {
    const isFolder = path.endsWith('/');
    const segments = (isFolder ? path.slice(0, -1) : path).split('/');
    // A colon without a slash behind it is rather a part of a name, which other systems allow.
    const isName = /^[a-z]:(?!\/|$)/i.test(path) && !segments.includes('..');
    if (!isName && leadsOutside(path, segments)) throw new UnsafeArchive('path', path);
    if (segments.length > this.#limits.maxDepth || Buffer.byteLength(path) > this.#limits.maxPath) {
      throw new UnsafeArchive('too_deep', path);
    }
    if (segments.some((segment) => newNameProblem(segment) !== null)) throw new UnsafeArchive('name', path);
    const folders = isFolder ? segments.length : segments.length - 1;
    let way = '';
    let folded = '';
    for (const [index, segment] of segments.entries()) {
      way += `${segment}/`;
      folded += `${foldName(segment)}/`;
      if (index < folders) this.#addFolder(way, folded, isFolder && index === folders - 1, path);
    }
    if (!isFolder) {
      if (this.#files.has(folded) || this.#folders.has(folded)) throw new UnsafeArchive('duplicate', path);
      this.#files.add(folded);
    }
    if (this.#files.size + this.#folders.size > MAX_ENTRIES) throw new UnsafeArchive('too_many', path);
  }

  #addFolder(spelling: string, folded: string, isEntry: boolean, path: string): void {
    const known = this.#folders.get(folded);
    const isTwice = isEntry && known?.isEntry === true;
    if (this.#files.has(folded) || isTwice || (known !== undefined && known.spelling !== spelling)) {
      throw new UnsafeArchive('duplicate', path);
    }
    if (known === undefined) this.#folders.set(folded, { spelling, isEntry });
    else known.isEntry ||= isEntry;
  }
}
