/** The sentences of link pages: for people who know nothing of this household but the link. */
export const linkTexts = {
  title: (name: string, household: string) => `${name} · ${household}`,
  sharedBy: (household: string) => `shares this with you from ${household}`,
  skip: 'To the content',
  openUntil: (date: string) => `Open until ${date}`,
  until: (date: string) => `until ${date}`,
  gone: {
    heading: 'There is nothing here',
    lead: 'The address may be mistyped, or what it led to is gone. Ask whoever sent you the link.',
  },
  ended: { heading: 'This link has ended', lead: 'Ask whoever sent it to you for a new one.' },
  failed: {
    heading: 'This cannot be shown',
    again: 'Try again',
    back: 'Back',
    tooMany: 'Too many visits from here. Try again in an hour.',
    sentences: {
      storage_offline: 'The files are on a disk that is not connected at the moment. Try again later.',
      not_found: 'It is not here any more.',
      permission_denied: 'This link does not let you do that.',
      https_required: 'This link opens over https only. Put an s behind http in the address.',
      quota_exceeded: 'There is not enough room for this.',
      disk_full: 'There is not enough room for this.',
      temporarily_unavailable: 'This does not work at the moment. Try again later.',
      type_not_allowed: 'Files of this type are not taken here.',
      already_exists: 'Something else of that name is in the way.',
    } as Readonly<Record<string, string>>,
  },
  password: {
    heading: 'This link needs a password',
    lead: 'Whoever sent you the link has it.',
    label: 'Password',
    submit: 'Open',
    wrong: 'That is not the password. Check for capital letters and try again.',
    wait: (seconds: number) =>
      `Too many tries. Wait ${seconds === 1 ? 'a second' : `${seconds} seconds`}, then try again.`,
  },
  terms: {
    heading: 'Before you go on',
    lead: 'Whoever shares this asks you to accept the following.',
    label: 'Terms',
    submit: 'Accept and go on',
  },
  folder: {
    views: { gallery: 'Gallery', list: 'List' },
    viewLabel: 'How it is shown',
    downloadAll: 'Download all',
    download: 'Download',
    downloadSelected: 'Download selected',
    selected: { one: '1 selected', many: '{0} selected' },
    pick: (name: string) => `Select ${name}`,
    crumbs: 'Where you are',
    list: 'Files and folders',
    empty: { heading: 'Nothing here yet', help: 'Whoever shares this folder has put nothing into it.' },
    emptyInside: { heading: 'Nothing in this folder', help: '' },
    counts: (folders: number, photos: number, others: number) =>
      [counted(photos, 'photo'), counted(others, 'file'), counted(folders, 'folder')]
        .filter((part) => part !== '')
        .join(', '),
    entries: (count: number) => counted(count, 'item') || 'empty',
    more: (count: number) => `Show ${count.toLocaleString('en-GB')} more`,
    heads: { name: 'Name', changed: 'Changed', size: 'Size' },
  },
  file: {
    download: 'Download',
    sharedBy: 'Shared by',
    changed: 'Changed',
    created: 'Created',
    openUntil: 'Open until',
    downloads: 'Downloads',
    type: 'Type',
    size: 'Size',
    bytes: (count: number) => `${count.toLocaleString('en-GB')} bytes`,
    details: 'Details',
    used: (used: number, limit: number) => `${used} of ${limit} used`,
    safe: (name: string) => `The preview can’t run anything. The file comes straight from ${name}’s home.`,
    noPreview: 'No preview of this kind of file',
    noPreviewHelp: 'Download it to open it.',
    countedPreview: 'Downloads are counted here',
    countedPreviewHelp: 'To look at it is to have it, so there is no preview.',
    savePreview: 'This is to be saved',
    savePreviewHelp: 'Download it to open it.',
    previous: 'Previous file',
    next: 'Next file',
    position: (index: number, all: number) => `${index} of ${all}`,
    preview: (name: string) => `Preview of ${name}`,
  },
  comments: {
    heading: 'Comments',
    name: 'Your name',
    tooMany: 'You have said a lot. Go on in an hour.',
  },
  request: {
    lead: (name: string, isOnlySent: boolean) =>
      isOnlySent
        ? `${name} asks you for files. Only ${name} sees what you send.`
        : `${name} takes files from you here.`,
    alsoHere: 'Send files',
    name: 'Your name',
    nameHelp: (name: string) => `So that ${name} knows who it is from.`,
    one: 'Choose a file',
    choose: 'Choose files',
    chooseFolder: 'choose a folder',
    drop: 'Drop files or folders here',
    or: 'or',
    chooseThem: 'choose them',
    limits: (size: string | null, types: readonly string[]) =>
      [
        types.length === 0 ? '' : typesOf(types),
        size === null ? '' : `${types.length === 0 ? 'Up' : 'up'} to ${size} each`,
      ]
        .filter((part) => part !== '')
        .join(', '),
    submit: 'Send',
    none: 'Choose a file first.',
    noName: 'Say who you are first.',
    sentHeading: 'What you sent',
    sent: 'Sent',
    thanks: (name: string) => `Sent. ${name} has it.`,
  },
};

/** What the script says. */
export const linkScriptTexts = {
  selected: linkTexts.folder.selected,
  units: ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB'],
  upload: {
    ...{ drop: linkTexts.request.drop, or: linkTexts.request.or, chooseThem: linkTexts.request.chooseThem },
    ...{ choose: linkTexts.request.choose, chooseFolder: linkTexts.request.chooseFolder },
    heading: 'What you send',
    progress: '{0} of {1} sent',
    done: 'All {0} files are sent',
    doneOne: 'The file is sent',
    someFailed: '{0} of {1} sent, {2} not',
    begun: 'Sending {0} files',
    begunOne: 'Sending a file',
    bytes: '{0} of {1}',
    left: {
      seconds: 'a few seconds left',
      minute: 'a minute left',
      minutes: '{0} minutes left',
      hours: '{0} hours left',
    },
    waiting: 'Waiting',
    sent: 'Sent',
    cancel: 'Cancel',
    remove: 'Remove',
    retry: 'Try again',
    cancelled: 'Cancelled',
    notSent: 'Not sent',
    more: 'and {0} more',
    show: 'See them in the folder',
    tooLarge: 'Too large: the limit is {0} for one file.',
    wrongType: 'Files of this type are not taken here.',
    noAnswer: 'No answer. It goes on by itself when there is one.',
    unreadable: 'This file cannot be read any more. Choose it again.',
    failed: 'This file could not be sent.',
    refused: {
      ...linkTexts.failed.sentences,
      upload_too_large: 'This file is too large.',
      too_many_requests: 'Too much at once. It goes on by itself.',
      conflict: 'Something else is being sent in its place. Try again later.',
    },
    ended: `${linkTexts.ended.heading}, and nothing more can be sent. ${linkTexts.ended.lead}`,
    stale:
      'Nothing more can be sent from this page. Load it again and choose the files again: they go on where they stopped.',
    reload: 'Load again',
    resumed: 'Goes on at {0}',
    needsName: linkTexts.request.noName,
    emptyFolders: 'Folders without files are left out.',
    known: 'Files that are in the list already are left out.',
  },
};

function counted(count: number, noun: string): string {
  if (count === 0) return '';
  return `${count.toLocaleString('en-GB')} ${noun}${count === 1 ? '' : 's'}`;
}

function typesOf(types: readonly string[]): string {
  return types.map((type) => `.${type}`).join(' ');
}
