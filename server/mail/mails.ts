import type { MessageKey } from '../messages/catalogue.ts';
import { t } from '../messages/messages.ts';
import type { Message } from './message.ts';

/** The link to reset a forgotten password. */
export function passwordResetMail({
  to,
  name,
  household,
  url,
}: {
  to: string;
  name: string;
  household: string;
  url: string;
}): Message {
  return {
    to,
    subject: t('mail.passwordReset.subject', { household }),
    heading: t('mail.passwordReset.heading'),
    paragraphs: [t('mail.passwordReset.request', { name, household }), t('mail.passwordReset.lifetime')],
    button: buttonTo(url, t('mail.passwordReset.button')),
    why: t('mail.why.account', { household }),
  };
}

/** A test mail by the owner. */
export function testMail({ to, household }: { to: string; household: string }): Message {
  return {
    to,
    subject: t('mail.test.subject', { household }),
    heading: t('mail.test.heading'),
    paragraphs: [t('mail.test.body', { household })],
    button: null,
    why: t('mail.why.test', { household }),
  };
}

/** To someone whose files use nearly all of their quota. Sizes are texts; without a household address there is no button. */
export function quotaMail({
  to,
  name,
  household,
  used,
  quota,
  url,
}: {
  to: string;
  name: string;
  household: string;
  used: string;
  quota: string;
  url: string | null;
}): Message {
  return {
    to,
    subject: t('mail.quota.subject', { household }),
    heading: t('mail.quota.heading'),
    paragraphs: [t('mail.quota.used', { name, household, used, quota }), t('mail.quota.help')],
    button: url === null ? null : buttonTo(url, t('mail.quota.button')),
    why: t('mail.why.notifications', { household }),
  };
}

/** To someone for whose account an app created an app password; without a household address there is no button. */
export function appPasswordMail({
  to,
  name,
  household,
  app,
  label,
  url,
}: {
  to: string;
  name: string;
  household: string;
  app: string;
  label: string;
  url: string | null;
}): Message {
  return {
    to,
    subject: oneLine(t('mail.appPassword.subject', { household })),
    heading: t('mail.appPassword.heading'),
    paragraphs: [
      oneLine(t('mail.appPassword.made', { name, app: quotable(app), label: quotable(label), household })),
      t('mail.appPassword.help'),
    ],
    button: url === null ? null : buttonTo(url, t('mail.appPassword.button')),
    why: t('mail.why.account', { household }),
  };
}

interface ShareMail {
  readonly to: string;
  /** The recipient's name. */
  readonly greeting: string;
  /** Null if the sharer is hidden. */
  readonly by: string | null;
  /** The item's name for the recipient. */
  readonly name: string;
  readonly household: string;
}

/** To the recipient of a share; without a household address there is no button. */
export function shareMail({ url, ...mail }: ShareMail & { readonly url: string | null }): Message {
  return {
    ...sharedWithYou(mail, t('mail.share.where')),
    button: url === null ? null : buttonTo(url, t('mail.share.button')),
    why: t('mail.why.notifications', { household: mail.household }),
  };
}

/** To a guest, with the private link. */
export function invitationMail({ url, ...mail }: ShareMail & { readonly url: string }): Message {
  return {
    ...sharedWithYou(mail, t('mail.share.private')),
    button: buttonTo(url, t('mail.share.button')),
    why: t('mail.why.invitation', { household: mail.household }),
  };
}

function sharedWithYou({ to, greeting, by, name, household }: ShareMail, how: string) {
  const subject =
    by === null ? t('mail.share.subjectAnonymous', { name }) : t('mail.share.subject', { sharer: by, name });
  const lead =
    by === null
      ? t('mail.share.leadAnonymous', { greeting, household, name })
      : t('mail.share.lead', { greeting, sharer: by, name });
  return {
    to,
    subject: oneLine(subject),
    heading: oneLine(t('mail.share.heading', { name })),
    paragraphs: [oneLine(lead), how],
  };
}

function buttonTo(url: string, label: string): NonNullable<Message['button']> {
  return { label, url, help: t('mail.openAddress') };
}

/** Names of people and files may contain line breaks, which a subject must not. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
}

/** A use of a web link. */
export interface LinkNews {
  readonly kind: 'downloaded' | 'sent' | 'commented';
  /** The name the visitor entered; empty without one. */
  readonly visitor: string;
  readonly times: number;
}

/** To the maker of a web link who wants to know of its use; without a household address there is no button. */
export function weblinkMail({
  to,
  greeting,
  household,
  name,
  news,
  url,
}: {
  readonly to: string;
  readonly greeting: string;
  readonly household: string;
  /** Of the file or folder. */
  readonly name: string;
  readonly news: readonly LinkNews[];
  readonly url: string | null;
}): Message {
  return {
    to,
    subject: oneLine(t('mail.weblink.subject', { name })),
    heading: oneLine(t('mail.weblink.heading', { name })),
    paragraphs: [oneLine(t('mail.weblink.lead', { greeting })), ...news.map(newsText)],
    button: url === null ? null : buttonTo(url, t('mail.weblink.button')),
    why: t('mail.why.weblink', { household }),
  };
}

function newsText({ kind, visitor, times }: LinkNews): string {
  if (visitor === '') return t(`mail.weblink.newsAnonymous.${kind}` satisfies MessageKey, { times });
  return oneLine(t(`mail.weblink.news.${kind}` satisfies MessageKey, { visitor: quotable(visitor), times }));
}

/** A name must not end its own quotation. */
function quotable(name: string): string {
  return name.replaceAll(/[“”„"]/g, '’');
}
