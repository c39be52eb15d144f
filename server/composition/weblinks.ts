import type { Accounts } from '../accounts/accounts.ts';
import type { ContentContext } from '../files/content-context.ts';
import type { MailQueue } from '../mail/mail-queue.ts';
import type { WeblinksContext } from '../weblinks/context.ts';
import { createDownloadCounts } from '../weblinks/download-counts.ts';
import { createLastNumbers } from '../weblinks/file-request-upload.ts';
import { createLinks } from '../weblinks/links.ts';
import { createLinkNotices } from '../weblinks/notices.ts';
import { createPasswordRateLimit } from '../weblinks/password-rate-limit.ts';
import { createSentFiles } from '../weblinks/sent-files.ts';
import { createVisits } from '../weblinks/visits.ts';

interface WeblinksParts {
  readonly files: ContentContext;
  readonly accounts: Accounts;
  readonly mails: MailQueue;
}

/** Composes public web links. */
export async function composeWeblinks({ files, accounts, mails }: WeblinksParts) {
  const { database, settings, clock, log } = files;
  const context: WeblinksContext = {
    ...files,
    accounts,
    links: createLinks(database, clock),
    visits: createVisits(database, clock),
    passwordRateLimit: createPasswordRateLimit(clock),
    sent: createSentFiles(database, clock),
    counts: createDownloadCounts(database, clock, files.failPoints),
    lastNumbers: createLastNumbers(),
    notices: createLinkNotices({ database, accounts, settings, mails, clock, log }),
  };
  // Downloads in progress when the last server ended do not count.
  await context.counts.recover();
  return {
    context,
    /** Runs once an hour. */
    async removeOld() {
      await context.counts.sweep();
      await context.links.purge();
      await context.visits.purge();
      await context.notices.flush();
    },
  };
}
