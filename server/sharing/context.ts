import type { Accounts } from '../accounts/accounts.ts';
import type { Groups } from '../accounts/groups.ts';
import type { GuestLinks } from '../accounts/sign-in/guest-links.ts';
import type { Sessions } from '../accounts/sign-in/sessions.ts';
import type { Database } from '../database/database.ts';
import type { ChangesContext } from '../files/context.ts';
import type { Clock } from '../lib/clock.ts';
import type { HourlyLimit } from '../lib/concurrency/hourly-limit.ts';
import type { Log } from '../lib/log/log.ts';
import type { MailQueue } from '../mail/mail-queue.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { Tokens } from '../oauth/tokens.ts';
import type { Settings } from '../settings/settings.ts';
import type { Shares } from '../shares/shares.ts';

/** The parts that sharing uses. */
export interface SharingContext extends ChangesContext {
  readonly clock: Clock;
  readonly log: Log;
  /** Guests are accounts: shares are written together with them. */
  readonly accountsDatabase: Database;
  readonly accounts: Accounts;
  readonly groups: Groups;
  readonly shares: Shares;
  readonly guestLinks: GuestLinks;
  readonly sessions: Pick<Sessions, 'endOthers'>;
  readonly tokens: Pick<Tokens, 'revokeAll'>;
  readonly settings: Pick<Settings, 'values'>;
  readonly mails: Pick<MailQueue, 'post'>;
  readonly mailer: Pick<Mailer, 'isSetUp' | 'send'>;
  /** For mails, by sharer. */
  readonly mailLimit: HourlyLimit;
}
