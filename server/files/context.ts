import type { Access } from '../access/access.ts';
import type { Quotas } from '../access/quota.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { KnownContents } from '../catalogue/known-contents.ts';
import type { RememberNew } from '../catalogue/remember-new.ts';
import type { ActivityDatabase, FilesDatabase } from '../database/database.ts';
import type { ActiveResponses } from '../http/connection/active-responses.ts';
import type { Clock } from '../lib/clock.ts';
import type { PathLocks } from '../lib/concurrency/path-locks.ts';
import type { Events } from '../lib/events.ts';
import type { Log } from '../lib/log/log.ts';
import type { FailPoints } from '../lib/process/fail-points.ts';
import type { Settings } from '../settings/settings.ts';
import type { Disk } from '../storage/disk/disk.ts';
import type { FolderFlushes } from '../storage/folder-flushes.ts';
import type { Reserve } from '../storage/installation/reserve.ts';
import type { Area } from '../storage/layout.ts';
import type { WorkerPool } from '../workers/pool/worker-pool.ts';
import type { TextJobs } from '../workers/text/jobs.ts';
import type { Journal } from './journal/journal.ts';
import type { FolderLocks } from './locks/folder-locks.ts';

/** What every file operation works with. */
export interface FilesContext {
  readonly access: Access;
  /** The work area shared by all homes without one of their own. */
  readonly area: Area;
  readonly quotas: Quotas;
  readonly catalogue: Catalogue;
  readonly contents: KnownContents;
  readonly rememberNew: RememberNew;
  readonly folderFlushes: FolderFlushes;
  readonly database: FilesDatabase;
  /** For rows of unfinished uploads: no cache depends on them, and large uploads write them often. */
  readonly uploadRows: ActivityDatabase;
  readonly disk: Disk;
  readonly reserve: Pick<Reserve, 'forDeletion' | 'requireRoom'>;
  readonly pathLocks: PathLocks;
  readonly folderLocks: FolderLocks;
  readonly journal: Journal;
  readonly settings: Settings;
  /** Decodes texts that are shown, in a separate process. */
  readonly texts: WorkerPool<TextJobs>;
  readonly activeResponses: Pick<ActiveResponses, 'watch'>;
  readonly events: Events;
  readonly clock: Clock;
  readonly log: Log;
  readonly failPoints: FailPoints;
}

export { lockKey } from '../catalogue/catalogue.ts';
