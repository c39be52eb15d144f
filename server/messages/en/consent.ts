/** The page on which people allow an app to access their files. */
export const consentMessages = {
  'consent.heading': '{app} wants to access your files',
  'consent.madeBy': 'Made by {publisher}.',
  'consent.return':
    'Afterwards you return to {start}{target, select, device {the app on this device} other {{host}}}{end}.',
  'consent.account': '{name} at {household}',
  'consent.switch': 'Not you? Switch account',
  'consent.groups.account': 'Your account',
  'consent.groups.files': 'Your files',
  'consent.groups.sharing': 'Sharing',
  'consent.groups.household': 'The household',
  'consent.scopes.profile': 'View your name and username',
  'consent.scopes.email': 'View your email address',
  'consent.scopes.list': 'View your files and folders',
  'consent.scopeHelp.list': 'Their names, dates and sizes',
  'consent.scopes.metadata': 'View and change tags, ratings and comments',
  'consent.scopes.upload': 'Add files and folders',
  'consent.scopes.download': 'Open and download files',
  'consent.scopes.modify': 'Rename, star and unpack files',
  'consent.scopes.delete': 'Delete files and folders',
  'consent.scopeHelp.delete':
    '{days, plural, =0 {To the trash, or permanently} one {To the trash for # day, or permanently} other {To the trash for # days, or permanently}}',
  'consent.scopes.weblink': 'Create links that others can open',
  'consent.scopes.share': 'Share with people here and with guests',
  'consent.scopes.admin': 'Manage the people of this household',
  'consent.scopeHelp.admin': 'Add, change and remove their accounts',
  'consent.sensitive': 'Sensitive',
  'consent.revoke': 'You can revoke this at any time on {start}your account page{end}.',
  'consent.cancel': 'Cancel',
  'consent.allow': 'Allow',

  'refusal.heading': 'The app’s request is not secure',
  'refusal.why.client': 'The app is not registered here, or uses a wrong identifier.',
  'refusal.why.redirect': 'It wants to send you to an address that is not registered for it.',
  'refusal.why.repeated': 'The request contains a duplicate parameter.',
  'refusal.help':
    'The app did not receive anything. Go back to it and try again. If that does not help, the control panel shows the app under API.',
} as const;
