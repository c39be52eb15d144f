import { bidiIsolate } from '../../../lib/text/bidi-isolate.ts';
import type { ShareFlag } from '../../../shares/share-record.ts';

/** Every English sentence of the page that shares a file or folder. */
export const shareTexts = {
  heading: (name: string) => `Share “${bidiIsolate(name)}”`,
  with: 'Shared with',
  nobody: 'Nobody yet: this is yours alone.',
  by: (name: string) => `shared by ${bidiIsolate(name)}`,
  anonymous: 'without your name',
  as: (alias: string) => `as “${bidiIsolate(alias)}”`,
  kinds: { user: 'In the household', group: 'Group', guest: 'Guest' },
  change: 'Change',
  changeFor: (name: string) => `Change what ${name} may do`,
  add: 'Share with somebody',
  who: 'Who',
  choose: 'Choose a person or a group',
  groups: 'Groups',
  people: 'People',
  guests: 'Guests',
  noOne: 'There is nobody else in the household whom you can share with.',
  guest: {
    heading: 'Invite somebody from outside',
    lead: 'They get a link of their own, and need no account.',
    name: 'Name',
    email: 'E-mail address',
    submit: 'Invite',
  },
  may: 'They may',
  levels: {
    look: { label: 'Look', help: 'Open and download what is here.' },
    add: { label: 'Look and add', help: 'Put new files and folders here, too.' },
    change: { label: 'Change everything', help: 'Also overwrite, rename, move and delete. You can bring it back.' },
  },
  more: 'More',
  download: 'They may open and download files',
  comments: 'They may read and write comments',
  further: 'They may share it further',
  unnamed: 'Do not say that it is me',
  alias: 'Name of the folder for them',
  aliasHelp: 'Leave it empty for the name that it has.',
  submit: 'Share',
  save: 'Save',
  stop: 'Stop sharing',
  newLink: 'Make a new link',
  close: 'Done',
  link: {
    heading: (name: string) => `The link for ${name}`,
    lead: 'It is shown this once. Whoever has it sees what you share with them.',
    mailed: (email: string) => `It is on its way to ${email} by mail, too.`,
    until: (date: string) => `It opens until ${date}.`,
    label: 'Link',
    copy: 'Copy',
    copied: 'Copied',
  },
  done: {
    shared: 'Shared.',
    changed: 'Saved.',
    stopped: 'Not shared with them any more.',
  } as Record<string, string>,
  chooseFirst: 'Choose somebody first.',
  rights: (flags: Readonly<Record<ShareFlag, boolean>>): string => {
    const parts = [
      flags.alter ? 'may change everything' : flags.upload ? 'may look and add' : 'may look',
      ...(flags.download ? [] : ['not download']),
      ...(flags.share ? ['share further'] : []),
    ];
    return parts.join(', ');
  },
} as const;
