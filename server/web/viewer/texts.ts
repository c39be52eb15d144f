import { humanSize } from '../../listing/human.ts';

const DOWNLOAD = 'Download it to see it.';

/** Every English sentence of what shows the content of one file. */
export const viewerTexts = {
  notText: { heading: 'This file cannot be shown as text.', help: DOWNLOAD },
  empty: { heading: 'This file is empty.', help: '' },
  tooLong: (size: number) => `Only the first ${humanSize(size)} are shown.`,
  noScript: { heading: 'This PDF is shown only with JavaScript.', help: DOWNLOAD },
  missing: { heading: 'This is not here any more.', help: 'It was moved, renamed or deleted.' },
  signedOut: { heading: 'You are signed out.', help: 'Load the page again to sign in.' },
  failed: { heading: 'This cannot be shown right now.', help: 'Load the page again in a moment.' },
} as const;

/** What the scripts say, by name; `{0}` and so on are filled in there. */
export const viewerScriptTexts = {
  counter: '{0} of {1}',
  page: 'Page {0}',
  badPage: 'This page cannot be shown.',
  picture: 'Picture: {0}',
  problems: {
    password: ['This PDF is locked with a password.', 'Download it and open it with the password.'],
    damaged: ['This PDF is damaged and cannot be shown.', DOWNLOAD],
    gone: ['This PDF cannot be reached any more.', 'Load the page again.'],
    other: ['This PDF cannot be shown here.', DOWNLOAD],
  },
} as const;
