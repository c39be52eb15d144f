import type { PasswordResets } from '../accounts/passwords/password-resets.ts';
import type { Devices } from '../accounts/sign-in/devices.ts';
import type { Sessions } from '../accounts/sign-in/sessions.ts';
import type { Activity } from '../activity/activity.ts';
import type { HomeRecord, Homes } from '../catalogue/homes.ts';
import { markContentsMissing } from '../catalogue/reconcile/missing.ts';
import { purgeLocks } from '../files/locks/locks.ts';
import { emptyTrash } from '../files/trash/empty-trash.ts';
import { forgetMissing } from '../files/trash/forget-missing.ts';
import type { UploadContext } from '../files/upload/context.ts';
import { expireUploads } from '../files/upload/expire-uploads.ts';
import { expireVersions } from '../files/versions/version-limits.ts';
import { DAY, MINUTE } from '../lib/clock.ts';
import { LARDER } from '../lib/events.ts';
import type { AppPasswords } from '../oauth/app-passwords.ts';
import type { AuthorizationCodes } from '../oauth/authorization-codes.ts';
import type { Tokens } from '../oauth/tokens.ts';
import type { ClockWatch } from '../settings/clock-watch.ts';
import { isOnline } from '../storage/disk/disk.ts';

interface MaintenanceParts {
  readonly tokens: Pick<Tokens, 'purge'>;
  readonly appPasswords: Pick<AppPasswords, 'purge'>;
  readonly codes: Pick<AuthorizationCodes, 'purge'>;
  readonly sessions: Pick<Sessions, 'purge'>;
  readonly devices: Pick<Devices, 'purge'>;
  readonly passwordResets: Pick<PasswordResets, 'purge'>;
  readonly activity: Pick<Activity, 'expire'>;
  readonly homes: Pick<Homes, 'records'>;
  readonly files: UploadContext;
  readonly repairJournal: () => Promise<void>;
  readonly removeUnusedGuests: () => Promise<void>;
  readonly removeEndedLinks: () => Promise<void>;
  readonly removeOldThumbnailFailures: () => Promise<void>;
  readonly removeOldTusRecords: () => Promise<void>;
  readonly forgetDeletedAlbums: () => Promise<void>;
  /** Whether the catalogue of a home is reconciled with its disk: before that, existing items may be marked missing. */
  readonly isReconciled: (homeId: string) => boolean;
}

interface Maintenance {
  /** Deletes what has expired. Failures are logged, and do not stop other tasks: on a full disk, erasing frees space. */
  maintenance(): Promise<void>;
  /** The same, but only while the clock is trusted. */
  maintenanceIfClockTrusted(): Promise<void>;
}

export function createMaintenance(parts: MaintenanceParts, watch: ClockWatch): Maintenance {
  const { files } = parts;
  const { database, disk, clock, settings, log } = files;

  async function each(maintenance: Readonly<Record<string, () => Promise<unknown>>>): Promise<void> {
    for (const [task, work] of Object.entries(maintenance)) {
      await work().catch((error) => log.error({ err: error, task }, 'a maintenance task failed'));
    }
  }

  async function cleanUpHome(home: HomeRecord): Promise<void> {
    // The trash of an orphaned home is kept for its next owner.
    if (home.accountId === null || !(await isOnline(disk, home.homeRoot))) return;
    const { trashDays } = settings.values;
    await each({
      trash: async () => trashDays > 0 && emptyTrash(files, home, clock.now() - trashDays * DAY, LARDER),
      versions: () => expireVersions(files, home),
      uploads: () => expireUploads(files, home),
      missing: async () => parts.isReconciled(home.id) && forgetMissing(files, home),
    });
  }

  async function maintenance(): Promise<void> {
    await each({
      journal: parts.repairJournal,
      tokens: () => parts.tokens.purge(),
      appPasswords: () => parts.appPasswords.purge(),
      codes: () => parts.codes.purge(),
      sessions: () => parts.sessions.purge(),
      devices: () => parts.devices.purge(),
      passwordResets: () => parts.passwordResets.purge(),
      activity: () => parts.activity.expire(),
      guests: parts.removeUnusedGuests,
      links: parts.removeEndedLinks,
      thumbnails: parts.removeOldThumbnailFailures,
      tus: parts.removeOldTusRecords,
      albums: parts.forgetDeletedAlbums,
      contents: () => markContentsMissing(database, clock, MINUTE),
      locks: () => purgeLocks(files),
      homes: async () => {
        for (const home of await parts.homes.records()) await each({ home: () => cleanUpHome(home) });
      },
    });
  }

  return {
    maintenance,
    async maintenanceIfClockTrusted() {
      if (await watch.isBelieved()) await maintenance();
    },
  };
}
