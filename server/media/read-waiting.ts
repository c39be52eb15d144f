import type { Home } from '../catalogue/homes.ts';
import type { ItemLocation } from '../catalogue/places.ts';
import type { Transaction } from '../database/database.ts';
import type { Log } from '../lib/log/log.ts';
import { type InheritedFile, inheritFile } from '../storage/content/inherited-file.ts';
import { closeFile } from '../storage/content/send-bytes.ts';
import type { Disk, OpenedFile } from '../storage/disk/disk.ts';
import { StorageError } from '../storage/errors.ts';
import { JobError } from '../workers/job-error.ts';
import type { ReadState, StatesTable, WaitingFile } from './reading-states.ts';

/** A kind of data read from files, and how it is stored. */
export interface Reading<Reader, Found> {
  readonly table: StatesTable;
  /** For the log: the kind of files. */
  readonly what: string;
  /** The reader for a file, or null. */
  readerOf(file: WaitingFile): Reader | null;
  /** Whether a file is read together with others: it takes little time and memory. */
  isLight(file: WaitingFile, reader: Reader): boolean;
  /**
   * The results in the order of the files: null when there is nothing in one, and why one cannot be read.
   * @throws JobError when none of them was read
   */
  read(files: readonly ToRead<Reader>[]): Promise<readonly (Found | null | JobError)[]>;
  /** The weight of the result when it is written. */
  weightOf(found: Found): number;
  /** Replaces earlier results of files; null: removes them. */
  write(tx: Transaction, results: readonly Result<Found>[]): Promise<void>;
}

interface ToRead<Reader> {
  readonly file: InheritedFile;
  readonly reader: Reader;
}

export interface Result<Found> {
  readonly itemId: number;
  readonly found: Found | null;
}

/** The result for a file. */
export interface Outcome<Found> {
  readonly file: WaitingFile;
  readonly state: ReadState;
  /** For `indexed`. */
  readonly found: Found | null;
}

/** A waiting file, and where it is. */
export interface Located {
  readonly file: WaitingFile;
  readonly home: Home;
  readonly location: ItemLocation | undefined;
}

/** A file that is open for reading. Its holder closes it. */
export interface OpenWaiting<Reader> {
  readonly file: WaitingFile;
  readonly home: Home;
  readonly opened: OpenedFile;
  readonly reader: Reader;
}

interface OpenedWaiting<Reader> {
  readonly opened: readonly OpenWaiting<Reader>[];
  /** Files of which there is nothing to read. */
  readonly outcomes: readonly Outcome<never>[];
  /** Homes whose files could not be opened: their disk is not available. */
  readonly offline: ReadonlySet<string>;
}

/** A file that crashes a worker, or the whole server, this often is not read until it changes. */
const MAX_TRIES = 2;

/** Opens waiting files, with one call for each home. */
export async function openWaiting<Reader>(
  disk: Disk,
  { readerOf }: Pick<Reading<Reader, never>, 'readerOf'>,
  files: readonly Located[],
): Promise<OpenedWaiting<Reader>> {
  const outcomes: Outcome<never>[] = [];
  const opened: OpenWaiting<Reader>[] = [];
  const offline = new Set<string>();
  const add = (file: WaitingFile, state: 'empty' | 'away') => outcomes.push({ file, state, found: null });
  const homes = new Map<Home, (Located & { readonly reader: Reader; readonly segments: readonly string[] })[]>();
  for (const located of files) {
    const { file, home, location } = located;
    const reader = readerOf(file);
    if (reader === null || file.size === 0) add(file, 'empty');
    else if (location?.state !== 'there') add(file, 'away');
    else homes.set(home, [...(homes.get(home) ?? []), { ...located, reader, segments: location.segments }]);
  }
  for (const [home, requested] of homes) {
    try {
      const paths = requested.map(({ segments }) => segments);
      const found = await disk.run('openSome', { homeRoot: home.homeRoot, paths });
      for (const [index, { file, reader }] of requested.entries()) {
        const one = found.files[index] ?? null;
        if (one?.entry.identity === file.identity) {
          opened.push({ file, home, opened: one, reader });
          continue;
        }
        // The catalogue does not know the change yet. When it does, the file waits again.
        if (one !== null) await closeFile(one.fd);
        add(file, 'away');
      }
    } catch (error) {
      if (error instanceof StorageError && error.reason === 'offline') offline.add(home.id);
      else for (const { file } of requested) add(file, 'away');
    }
  }
  return { opened, outcomes, offline };
}

/**
 * Reads files with one job.
 * @returns their outcomes, without those that are to be tried again, alone
 * @throws only JobError `stopped` or `busy`
 */
export async function readWaiting<Reader, Found>(
  { read, what }: Pick<Reading<Reader, Found>, 'read' | 'what'>,
  log: Log,
  files: readonly OpenWaiting<Reader>[],
): Promise<Outcome<Found>[]> {
  const outcomeOf = ({ file }: OpenWaiting<Reader>, result: Found | null | unknown): Outcome<Found> | null => {
    if (!(result instanceof JobError)) {
      return { file, state: result === null ? 'empty' : 'indexed', found: result as Found | null };
    }
    const { reason } = result;
    if (reason === 'unsupported') return { file, state: 'empty', found: null };
    if (reason !== 'corrupt' && file.tries + 1 < MAX_TRIES) return null;
    // Another file has its name: it is looked up again later.
    if (reason === 'gone') return { file, state: 'away', found: null };
    log.info({ item: file.id, reason, what }, 'failed to read a file');
    return { file, state: 'failed', found: null };
  };
  const inherited = files.map(({ home, opened, reader }) => ({ file: inheritFile(home.homeRoot, opened), reader }));
  const results = await read(inherited).catch((error: unknown) => {
    if (!(error instanceof JobError) || error.reason === 'stopped' || error.reason === 'busy') throw error;
    // It is unknown which of several files has ended the job.
    return files.map(() => (files.length > 1 ? new JobError('crashed', error.message) : error));
  });
  return files.flatMap((file, index) => {
    const result = results[index];
    const outcome = result === undefined ? null : outcomeOf(file, result);
    return outcome === null ? [] : [outcome];
  });
}

/** Most files of a group, and their bytes. */
const GROUP = { files: 32, bytes: 512 * 1_024 };

/** Divides files into groups that are read with one job each: heavy files alone. */
export function groupsOf<Reader>(
  { isLight }: Pick<Reading<Reader, never>, 'isLight'>,
  files: readonly OpenWaiting<Reader>[],
): OpenWaiting<Reader>[][] {
  const groups: OpenWaiting<Reader>[][] = [];
  let light: OpenWaiting<Reader>[] = [];
  let bytes = 0;
  for (const one of files) {
    if (!isLight(one.file, one.reader)) {
      groups.push([one]);
      continue;
    }
    if (light.length === GROUP.files || (light.length > 0 && bytes + one.file.size > GROUP.bytes)) {
      groups.push(light);
      [light, bytes] = [[], 0];
    }
    light.push(one);
    bytes += one.file.size;
  }
  return light.length === 0 ? groups : [...groups, light];
}
