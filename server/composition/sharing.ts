import type { Accounts } from '../accounts/accounts.ts';
import type { Groups } from '../accounts/groups.ts';
import { createGuestLinks } from '../accounts/sign-in/guest-links.ts';
import type { Sessions } from '../accounts/sign-in/sessions.ts';
import type { Database } from '../database/database.ts';
import type { FilesContext } from '../files/context.ts';
import { createHourlyLimit } from '../lib/concurrency/hourly-limit.ts';
import { LARDER } from '../lib/events.ts';
import type { MailQueue } from '../mail/mail-queue.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { Tokens } from '../oauth/tokens.ts';
import type { Settings } from '../settings/settings.ts';
import type { Shares } from '../shares/shares.ts';
import type { SharingContext } from '../sharing/context.ts';
import { tidyGuests } from '../sharing/guests.ts';
import { sharingOperations } from '../sharing/operations.ts';

export interface SharingParts {
  readonly files: FilesContext;
  readonly database: Database;
  readonly accounts: Accounts;
  readonly groups: Groups;
  readonly shares: Shares;
  readonly sessions: Sessions;
  readonly tokens: Tokens;
  readonly settings: Settings;
  readonly mails: MailQueue;
  readonly mailer: Mailer;
  readonly basePath: string;
}

/** Most mails that one person can cause by sharing: enough for a large family, too few to annoy others. */
const MAILS_AN_HOUR = 200;

/** Composes sharing with people. */
export function composeSharing({ files, basePath, database, ...parts }: SharingParts) {
  const { settings } = parts;
  const guestLinks = createGuestLinks(database, files.clock, () => settings.values.guestLinkDays);
  const context: SharingContext = {
    ...files,
    ...parts,
    accountsDatabase: database,
    guestLinks,
    mailLimit: createHourlyLimit(files.clock, MAILS_AN_HOUR),
  };
  return {
    context,
    guestLinks,
    operations: sharingOperations(context, basePath),
    tidyGuests: () => tidyGuests(context, settings.values.guestsKeptDays, LARDER),
  };
}
