import type { FilesDatabase } from '../../database/database.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log/log.ts';
import type { FailPoints } from '../../lib/process/fail-points.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Disk } from '../../storage/disk/disk.ts';
import type { Journal } from './journal.ts';

/** What writes entries of the journal within a transaction. */
export interface EntriesContext {
  readonly journal: Journal;
}

/** What the steps of a change that is in the journal work with. */
export interface JournalContext extends EntriesContext {
  readonly database: FilesDatabase;
  readonly failPoints: FailPoints;
}

/** The same for steps that go on in the background, whose failures are only logged. */
export interface BackgroundContext extends JournalContext {
  readonly log: Log;
}

/** What finishes or undoes a change that was interrupted. */
export interface RecoveryContext extends BackgroundContext {
  readonly disk: Disk;
  readonly settings: Settings;
  readonly clock: Clock;
}
