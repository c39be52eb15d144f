import type { Accounts } from '../accounts/accounts.ts';
import type { ContentContext } from '../files/content-context.ts';
import type { DownloadCounts } from './download-counts.ts';
import type { LastNumbers } from './file-request-upload.ts';
import type { Links } from './links.ts';
import type { LinkNotices } from './notices.ts';
import type { PasswordRateLimit } from './password-rate-limit.ts';
import type { SentFiles } from './sent-files.ts';
import type { Visits } from './visits.ts';

/** Shared by all operations on web links. */
export interface WeblinksContext extends ContentContext {
  readonly accounts: Pick<Accounts, 'byId'>;
  readonly links: Links;
  readonly visits: Visits;
  readonly passwordRateLimit: PasswordRateLimit;
  readonly sent: SentFiles;
  readonly counts: DownloadCounts;
  readonly notices: LinkNotices;
  readonly lastNumbers: LastNumbers;
}
