import type { PasswordResets } from './accounts/password-resets.ts';
import type { Sessions } from './accounts/sessions.ts';
import type { Activity } from './activity/activity.ts';
import type { Homes } from './catalogue/homes.ts';
import { missContents } from './catalogue/missing.ts';
import { expireUploads } from './files/abandoned-uploads.ts';
import type { FilesContext } from './files/context.ts';
import { emptyTrash } from './files/empty-trash.ts';
import { forgetMissing } from './files/forget-missing.ts';
import { expireVersions } from './files/version-limits.ts';
import { DAY, MINUTE } from './lib/clock.ts';
import { LARDER } from './lib/events.ts';
import type { AuthorizationCodes } from './oauth/authorization-codes.ts';
import type { Tokens } from './oauth/tokens.ts';
import type { ClockWatch } from './settings/clock-watch.ts';
import { isOnline } from './storage/disk.ts';

export interface HourlyParts {
  readonly tokens: Pick<Tokens, 'purge'>;
  readonly codes: Pick<AuthorizationCodes, 'purge'>;
  readonly sessions: Pick<Sessions, 'purge'>;
  readonly passwordResets: Pick<PasswordResets, 'purge'>;
  readonly activity: Pick<Activity, 'expire'>;
  readonly homes: Pick<Homes, 'records'>;
  readonly files: FilesContext;
  readonly tidyGuests: () => Promise<void>;
  readonly tidyLinks: () => Promise<void>;
  readonly tidyThumbnails: () => Promise<void>;
  /** Whether the catalogue of a home is in line with its disk: before, what is there may be missing to it. */
  readonly isInLine: (homeId: string) => boolean;
}

/** The same, but only while the clock by which all that goes is to be believed. */
export async function hourlyIfBelieved(watch: ClockWatch, chores: () => Promise<void>): Promise<void> {
  if (await watch.isBelieved()) await chores();
}

/** What the server does by itself once an hour: it forgets and empties what is over its time. */
export async function hourly(parts: HourlyParts): Promise<void> {
  const { files } = parts;
  const { database, disk, clock, settings } = files;
  await parts.tokens.purge();
  await parts.codes.purge();
  await parts.sessions.purge();
  await parts.passwordResets.purge();
  await parts.activity.expire();
  await parts.tidyGuests();
  await parts.tidyLinks();
  await parts.tidyThumbnails();
  await missContents(database, clock, MINUTE);
  const { trashDays } = settings.values;
  for (const home of await parts.homes.records()) {
    // What was deleted from a home that is nobody's waits for whoever gets it.
    if (home.accountId === null || !(await isOnline(disk, home.place))) continue;
    if (trashDays > 0) await emptyTrash(files, home, clock.now() - trashDays * DAY, LARDER);
    await expireVersions(files, home);
    await expireUploads(files, home);
    if (parts.isInLine(home.id)) await forgetMissing(files, home);
  }
}
