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
import type { DisksUnder } from '../../storage/underlying-disks.ts';

export interface MakeBackup {
  /** Whether to include people's files; by default the setting. */
  readonly files?: boolean | undefined;
  /** Whether to include older versions and the trash. */
  readonly history?: boolean | undefined;
  /** Encrypts the keys of this backup; by default the stored one. */
  readonly passphrase?: string | undefined;
}

/** An old backup that could not be removed, and why, in whole sentences. */
export interface HeldBack {
  readonly name: string;
  readonly reason: string;
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
  readonly disksUnder: DisksUnder;
  /** Host names beside the machine's own, which the authority of a restored installation may certify. */
  readonly extraNames: readonly string[];
}
