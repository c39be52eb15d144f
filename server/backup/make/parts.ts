import type { Homes } from '../../catalogue/homes.ts';
import type { Throttle } from '../../catalogue/reconcile/throttle.ts';
import type { Database } from '../../database/database.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Events } from '../../lib/events.ts';
import type { Log } from '../../lib/log/log.ts';
import type { FailPoints } from '../../lib/process/fail-points.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Disk } from '../../storage/disk/disk.ts';
import type { Layout } from '../../storage/layout.ts';

export interface MakeBackup {
  /** People's files as well; as it is set unless given. */
  readonly files?: boolean | undefined;
  /** With the files older versions and the trash. */
  readonly history?: boolean | undefined;
  /** To seal the keys with, this time; the one that was set unless given. */
  readonly passphrase?: string | undefined;
}

export interface BackupParts {
  readonly layout: Layout;
  readonly database: Database;
  readonly settings: Settings;
  readonly homes: Homes;
  readonly disk: Disk;
  readonly throttle: Throttle;
  readonly events: Events;
  readonly clock: Clock;
  readonly log: Log;
  readonly failPoints: FailPoints;
  /** Host names beside the machine's own, for which the authority of a restored installation may vouch. */
  readonly extraNames: readonly string[];
}
