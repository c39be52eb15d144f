import { z } from 'zod';
import { t } from '../../messages/messages.ts';
import { linesOf } from '../../storage/plain-files.ts';
import { BackupProblem } from './problem.ts';

/**
 * One line of the list of files, as JSON. `path` is below `files/`, with `/` between the names. The lines are sorted by
 * `comparePaths`, so that two lists, or a list and a disk, are compared without loading either; missing files are at the end.
 */
const entrySchema = z.union([
  z.strictObject({ path: z.string(), folder: z.literal(true), gone: z.literal(true).optional() }),
  z.strictObject({
    path: z.string(),
    size: z.int(),
    /** Nanoseconds since the epoch. */
    mtime: z.string().regex(/^-?\d{1,20}$/),
    /** Time of the last change of content or attributes, likewise; empty where it is unknown. */
    ctime: z.string().regex(/^\d{0,20}$/),
    /** The nine permission bits. */
    mode: z.int().min(0).max(0o777),
    sha256: z.string(),
    /** Shares its content with an earlier backup. */
    linked: z.literal(true).optional(),
    /** Written to while it was copied. */
    changed: z.literal(true).optional(),
    /** Only while a backup is written: identity of the copied file, from `identityOf`. */
    identity: z.string().optional(),
    /** Only while a backup is written: the file was copied, but is no longer at this path. */
    gone: z.literal(true).optional(),
  }),
  /** Not copied, with the reason. */
  z.strictObject({ path: z.string(), leftOut: z.string() }),
  /** In the database, but removed while the backup was made. */
  z.strictObject({ path: z.string(), absent: z.literal(true) }),
]);

export type Entry = z.infer<typeof entrySchema>;
export type FileEntry = Extract<Entry, { sha256: string }>;

/** An entry in the form of a finished list. */
export function finishedEntry(entry: Entry): Entry {
  if ('sha256' in entry) {
    const { identity: _identity, gone: _gone, ...finished } = entry;
    return finished;
  }
  return 'folder' in entry ? { path: entry.path, folder: true } : entry;
}

/** Compares by segments, in character order: a folder's contents follow it directly. */
export function comparePaths(a: readonly string[], b: readonly string[]): number {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index += 1) {
    const [left = '', right = ''] = [a[index], b[index]];
    if (left !== right) return left < right ? -1 : 1;
  }
  return a.length - b.length;
}

/** @throws BackupProblem for a path that leads outside */
export function segmentsOf(path: string): string[] {
  const segments = path.split('/');
  // A manipulated list must not make us write elsewhere, on any system.
  const isOdd = (name: string) => name === '' || name === '.' || name === '..' || name.includes('\0');
  const isOddHere = (name: string) => process.platform === 'win32' && /[\\:]/.test(name);
  if (segments.some((name) => isOdd(name) || isOddHere(name)))
    throw new BackupProblem(t('api.backup.pathOutside', { path: JSON.stringify(path) }));
  return segments;
}

/** The entries of a list. @throws BackupProblem for a malformed line */
export async function* entriesIn(file: string): AsyncGenerator<Entry> {
  for await (const line of linesOf(file)) {
    const entry = parse(line);
    if (entry === null) throw new BackupProblem(t('api.backup.listLine', { file }));
    yield entry;
  }
}

function parse(line: string): Entry | null {
  try {
    return entrySchema.parse(JSON.parse(line));
  } catch {
    return null;
  }
}

/** Reads a list in parallel with another sequence of the same order. */
export class EntryReader {
  readonly #entries: AsyncGenerator<Entry>;
  #next: { entry: Entry; segments: readonly string[] } | null = null;
  #isOpen = true;

  constructor(file: string) {
    this.#entries = entriesIn(file);
  }

  /**
   * Advances to a path.
   * @param skipped called with the entries before it
   * @returns the entry at the path, or null
   */
  async skipTo(path: readonly string[], skipped?: (entry: Entry) => Promise<void>): Promise<Entry | null> {
    for (;;) {
      const next = await this.#peek();
      if (next === null) return null;
      const order = comparePaths(next.segments, path);
      if (order > 0) return null;
      this.#next = null;
      if (order === 0) return next.entry;
      await skipped?.(next.entry);
    }
  }

  /** Advances past everything in a folder, or to the end. */
  async skipPast(folder: readonly string[], skipped: (entry: Entry) => Promise<void>): Promise<void> {
    for (;;) {
      const next = await this.#peek();
      if (next === null) return;
      const isInside = comparePaths(next.segments.slice(0, folder.length), folder) <= 0;
      if (!isInside) return;
      this.#next = null;
      await skipped(next.entry);
    }
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    await this.#entries.return(undefined);
  }

  async #peek() {
    if (this.#next !== null || !this.#isOpen) return this.#next;
    const { value, done } = await this.#entries.next();
    if (done === true) {
      this.#isOpen = false;
      return null;
    }
    this.#next = { entry: value, segments: value.path.split('/') };
    return this.#next;
  }
}
