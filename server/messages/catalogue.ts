import { accountMessages } from './en/account.ts';
import { consentMessages } from './en/consent.ts';
import { fileDetailsMessages } from './en/file-details.ts';
import { filesMessages } from './en/files.ts';
import { filesActionsMessages } from './en/files-actions.ts';
import { linksMessages } from './en/links.ts';
import { linksSendMessages } from './en/links-send.ts';
import { mailMessages } from './en/mail.ts';
import { sharingMessages } from './en/sharing.ts';
import { shellMessages } from './en/shell.ts';
import { signInMessages } from './en/sign-in.ts';
import { sizeMessages } from './en/sizes.ts';
import { uploadsMessages } from './en/uploads.ts';
import { viewerMessages } from './en/viewer.ts';
import { weblinksMessages } from './en/weblinks.ts';

/** All texts of the server, its pages, their scripts and e-mails, as ICU messages. */
export const catalogue = {
  ...shellMessages,
  ...sizeMessages,
  ...signInMessages,
  ...accountMessages,
  ...consentMessages,
  ...filesMessages,
  ...filesActionsMessages,
  ...fileDetailsMessages,
  ...sharingMessages,
  ...weblinksMessages,
  ...linksMessages,
  ...linksSendMessages,
  ...uploadsMessages,
  ...viewerMessages,
  ...mailMessages,
} as const;

export type MessageKey = keyof typeof catalogue;

/** The language of the messages (BCP 47), and how it writes dates and numbers. */
export const LANGUAGE = 'en';
export const LOCALE = 'en-GB';
