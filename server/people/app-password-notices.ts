import type { AccountRecord } from '../accounts/accounts.ts';
import type { AccountsTransaction } from '../database/database.ts';
import type { Clock } from '../lib/clock.ts';
import { createHourlyLimit } from '../lib/concurrency/hourly-limit.ts';
import type { MailQueue } from '../mail/mail-queue.ts';
import { appPasswordMail } from '../mail/mails.ts';
import type { Settings } from '../settings/settings.ts';

/** Mails of one account per hour: an app that creates many app passwords must not fill a mailbox. */
const MAILS_AN_HOUR = 10;

export interface AppPasswordNotices {
  /**
   * The mail to a person for whose account an app created an app password. It concerns the security of the account, and is sent
   * whether or not the person wants other notices.
   * @returns what queues it, in the transaction that creates the app password; it does nothing without an address
   */
  of(made: {
    readonly account: Pick<AccountRecord, 'id' | 'name' | 'email'>;
    /** The name of the app. */
    readonly app: string;
    readonly label: string;
  }): (tx: AccountsTransaction) => Promise<void>;
}

export function createAppPasswordNotices({
  mails,
  settings,
  clock,
}: {
  readonly mails: Pick<MailQueue, 'post'>;
  readonly settings: Pick<Settings, 'values'>;
  readonly clock: Clock;
}): AppPasswordNotices {
  const limit = createHourlyLimit(clock, MAILS_AN_HOUR);
  return {
    of:
      ({ account: { id, name, email }, app, label }) =>
      async (tx) => {
        if (email === '' || !limit.take(id)) return;
        const { householdName: household, baseUrl } = settings.values;
        // A mail must not guess the address of the household.
        const url = baseUrl === '' ? null : `${baseUrl.replace(/\/$/, '')}/account/programs#app-passwords`;
        await mails.post(tx, appPasswordMail({ to: email, name, household, app, label, url }));
      },
  };
}
