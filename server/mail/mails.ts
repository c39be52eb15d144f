import type { Message } from './message.ts';

/** The link for somebody who forgot the password. */
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
    subject: `A new password for ${household}`,
    heading: 'Choose a new password',
    paragraphs: [
      `Hello ${name}, somebody, probably you, asked for a new password for your account at ${household}.`,
      'The link works once, for an hour. If it was not you, there is nothing to do: your password stays as it is.',
    ],
    button: { label: 'Choose a new password', url, help: 'Or open this address:' },
    why: `Sent by Larder from ${household}, because this address belongs to an account there.`,
  };
}

/** What the owner sends to see whether mail works. */
export function testMail({ to, household }: { to: string; household: string }): Message {
  return {
    to,
    subject: `${household} can send mail`,
    heading: 'Mail works',
    paragraphs: [`${household} can send mail now: links for forgotten passwords, and what else people should know.`],
    button: null,
    why: `Sent by Larder from ${household}, because its owner wanted to see whether mail works.`,
  };
}

/** To somebody whose files take nearly all of the room that they may take. Sizes are texts; without an address no button. */
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
    subject: `Your files at ${household} are nearly full`,
    heading: 'Nearly full',
    paragraphs: [
      `Hello ${name}, your files at ${household} take ${used} of the ${quota} that you may use.`,
      'When it is full, nothing more can be uploaded. Deleted files and earlier versions count as well: emptying the trash makes room.',
    ],
    button: url === null ? null : { label: 'See what takes room', url, help: 'Or open this address:' },
    why: `Sent by Larder from ${household}, because your account there is set to be told such things by mail.`,
  };
}

interface ShareMail {
  readonly to: string;
  /** How the one who gets it is called. */
  readonly greeting: string;
  /** Null where they are not to know who shares it. */
  readonly by: string | null;
  /** Of what is shared, for them. */
  readonly name: string;
  readonly household: string;
}

/** To somebody with whom something is shared; without an address of the household no button. */
export function shareMail({ url, ...mail }: ShareMail & { readonly url: string | null }): Message {
  return {
    ...sharedWithYou(mail, 'You find it under “Shared with me”, in your apps and on the pages of the household.'),
    button: url === null ? null : openIt(url),
    why: `Sent by Larder from ${mail.household}, because your account there is set to be told such things by mail.`,
  };
}

/** To a guest, with the private link. */
export function invitationMail({ url, ...mail }: ShareMail & { readonly url: string }): Message {
  const keep =
    'This link is yours alone: it opens what is shared with you, without a password. Keep it, and do not pass it on.';
  return {
    ...sharedWithYou(mail, keep),
    button: openIt(url),
    why: `Sent by Larder from ${mail.household}, because somebody there shares something with this address.`,
  };
}

function sharedWithYou({ to, greeting, by, name, household }: ShareMail, how: string) {
  return {
    to,
    subject: oneLine(`${by ?? 'Somebody'} shares “${name}” with you`),
    heading: oneLine(`“${name}” is shared with you`),
    paragraphs: [oneLine(`Hello ${greeting}, ${by ?? `somebody at ${household}`} shares “${name}” with you.`), how],
  };
}

function openIt(url: string) {
  return { label: 'Open it', url, help: 'Or open this address:' };
}

/** What people call themselves and their files may have line breaks in it: a subject has none. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
}

/** What was done with a web link. */
export interface LinkNews {
  readonly kind: 'downloaded' | 'sent' | 'commented';
  /** What the visitor is called, as they say; empty when they did not. */
  readonly visitor: string;
  readonly times: number;
}

/** To whoever made a web link and wants to know what is done with it; without an address of the household no button. */
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
    subject: oneLine(`Your web link to “${name}” was used`),
    heading: oneLine(`Your web link to “${name}”`),
    paragraphs: [oneLine(`Hello ${greeting}, this was done with your web link:`), ...news.map(sentenceOfNews)],
    button: url === null ? null : { label: 'See your links', url, help: 'Or open this address:' },
    why: `Sent by Larder from ${household}, because this web link is set to tell you by mail.`,
  };
}

function sentenceOfNews({ kind, visitor, times }: LinkNews): string {
  // Whoever has a name with quotes in it says nothing of others.
  const who = visitor === '' ? 'Somebody' : `“${visitor.replaceAll(/[“”„"]/g, '’')}”`;
  const what = {
    downloaded: times === 1 ? 'downloaded it.' : `downloaded from it ${times} times.`,
    sent: times === 1 ? 'sent a file.' : `sent ${times} files.`,
    commented: times === 1 ? 'wrote a comment.' : `wrote ${times} comments.`,
  }[kind];
  return oneLine(`${who} ${what}`);
}
