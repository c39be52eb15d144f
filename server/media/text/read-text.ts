import type { Home } from '../../catalogue/homes.ts';
import type { ItemPlace } from '../../catalogue/places.ts';
import { extensionOf } from '../../lib/file-types.ts';
import type { Log } from '../../lib/log.ts';
import type { Disk, OpenedFile } from '../../storage/disk.ts';
import { StorageError } from '../../storage/errors.ts';
import { handOver } from '../../storage/hand-over.ts';
import { closeFile } from '../../storage/send-bytes.ts';
import { JobError } from '../../workers/job-error.ts';
import type { WorkerPool } from '../../workers/pool.ts';
import type { TextJobs } from '../../workers/text-jobs.ts';
import { type TextReader, textReaderOf } from '../../workers/text-kinds.ts';
import type { TextOutcome, WaitingText } from './text-states.ts';

/** A file that takes a worker, or the whole server, with it this often is not read until it changes. */
const MAX_TRIES = 2;

/** A file that can be read. Whoever has it closes it. */
export interface OpenText {
  readonly text: WaitingText;
  readonly home: Home;
  readonly opened: OpenedFile;
  readonly reader: TextReader;
}

/** @returns why there is nothing to read, for a file of which that can be said; `offline` says it of its home */
export async function openText(
  disk: Disk,
  text: WaitingText,
  home: Home,
  place: ItemPlace | undefined,
): Promise<OpenText | 'empty' | 'away' | 'offline'> {
  const reader = textReaderOf(extensionOf(text.name), text.kind);
  if (reader === null || text.size === 0) return 'empty';
  if (place?.state !== 'there') return 'away';
  try {
    const opened = await disk.run('open', { place: home.place, segments: place.segments });
    if (opened.entry.identity === text.identity) return { text, home, opened, reader };
    // The catalogue has not heard of it yet. When it does, the file waits again.
    await closeFile(opened.fd);
    return 'away';
  } catch (error) {
    return error instanceof StorageError && error.reason === 'offline' ? 'offline' : 'away';
  }
}

/** @returns null when it is to be tried again @throws JobError `stopped`, as nothing else */
export async function readText(
  pool: WorkerPool<TextJobs>,
  log: Log,
  { text, home, opened, reader }: OpenText,
): Promise<TextOutcome | null> {
  try {
    const { words } = await pool.run('words', { file: handOver(home.place, opened), reader });
    return words === '' ? { text, state: 'empty' } : { text, state: 'indexed', words };
  } catch (error) {
    if (!(error instanceof JobError) || error.reason === 'stopped') throw error;
    if (error.reason === 'unsupported') return { text, state: 'empty' };
    if (error.reason !== 'corrupt' && text.tries + 1 < MAX_TRIES) return null;
    log.info({ item: text.id, reason: error.reason }, 'a document cannot be read');
    return { text, state: 'failed' };
  }
}
