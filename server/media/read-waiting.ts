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
  /** @returns null when there is nothing in it @throws JobError */
  read(file: InheritedFile, reader: Reader): Promise<Found | null>;
  /** The weight of the result when it is written. */
  weightOf(found: Found): number;
  /** Replaces earlier results of a file; null: removes them. */
  write(tx: Transaction, itemId: number, found: Found | null): Promise<void>;
}

/** The result for a file. */
export interface Outcome<Found> {
  readonly file: WaitingFile;
  readonly state: ReadState;
  /** For `indexed`. */
  readonly found: Found | null;
}

/** A file that is open for reading. Its holder closes it. */
export interface OpenWaiting<Reader> {
  readonly file: WaitingFile;
  readonly home: Home;
  readonly opened: OpenedFile;
  readonly reader: Reader;
}

/** A file that crashes a worker, or the whole server, this often is not read until it changes. */
const MAX_TRIES = 2;

/** @returns why there is nothing to read, if that is known; `offline` concerns its home */
export async function openWaiting<Reader>(
  disk: Disk,
  { readerOf }: Pick<Reading<Reader, never>, 'readerOf'>,
  file: WaitingFile,
  home: Home,
  location: ItemLocation | undefined,
): Promise<OpenWaiting<Reader> | 'empty' | 'away' | 'offline'> {
  const reader = readerOf(file);
  if (reader === null || file.size === 0) return 'empty';
  if (location?.state !== 'there') return 'away';
  try {
    const opened = await disk.run('open', { homeRoot: home.homeRoot, segments: location.segments });
    if (opened.entry.identity === file.identity) return { file, home, opened, reader };
    // The catalogue does not know the change yet. When it does, the file waits again.
    await closeFile(opened.fd);
    return 'away';
  } catch (error) {
    return error instanceof StorageError && error.reason === 'offline' ? 'offline' : 'away';
  }
}

/** @returns null when it is to be tried again @throws only JobError `stopped` or `busy` */
export async function readWaiting<Reader, Found>(
  { read, what }: Pick<Reading<Reader, Found>, 'read' | 'what'>,
  log: Log,
  { file, home, opened, reader }: OpenWaiting<Reader>,
): Promise<Outcome<Found> | null> {
  try {
    const found = await read(inheritFile(home.homeRoot, opened), reader);
    return { file, state: found === null ? 'empty' : 'indexed', found };
  } catch (error) {
    if (!(error instanceof JobError) || error.reason === 'stopped' || error.reason === 'busy') throw error;
    if (error.reason === 'unsupported') return { file, state: 'empty', found: null };
    if (error.reason !== 'corrupt' && file.tries + 1 < MAX_TRIES) return null;
    // Another file has its name: it is looked up again later.
    if (error.reason === 'gone') return { file, state: 'away', found: null };
    log.info({ item: file.id, reason: error.reason }, `${what} cannot be read`);
    return { file, state: 'failed', found: null };
  }
}
