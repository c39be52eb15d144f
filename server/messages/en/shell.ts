/** Shared by several pages: the bar, dates, and message pages. */
export const shellMessages = {
  'page.title': '{page} · {household}',
  'page.skip': 'Skip to content',
  'bar.panel': 'Control panel',
  'bar.files': 'Files',
  'bar.account': 'Your account',
  'bar.signOut': 'Sign out',

  'landing.heading': 'Welcome to {household}',
  'landing.lead':
    'The file service of your household. Apps can ask for access to your files at this address, and you decide what they get.',
  'landing.openFiles': 'Open your files',
  'landing.trust.heading': 'Does your browser show a warning?',
  'landing.trust.lead': 'Add this device once, in three steps. Then the warning is gone.',
  'landing.trust.add': 'Add this device',

  'missing.heading': 'Page not found',
  'missing.lead': 'The address may be mistyped, or the page no longer exists.',
  'missing.home': 'Go to the start page',

  'failed.heading': 'Something went wrong',
  'failed.staleForm': 'This page expired or was sent from another site. Go back to the app and start again.',
  'failed.apiDisabled':
    'Access for apps is turned off at the moment. The owner of this Larder turns it on in the control panel, under API.',
  'failed.httpsRequired': 'This page requires a secure connection. Use the address that starts with https.',

  'install.description': 'The files of {household}, served at home.',
  'install.photos': 'Photos',
  'install.recent': 'Recent',
  'install.unreachable.title': 'Larder cannot be reached',
  'install.unreachable.heading': '{household} cannot be reached',
  'install.unreachable.lead':
    'You may be away from home, this device may be offline, or the computer with the files is switched off.',
  'install.unreachable.help': 'Your files are where they were. Nothing is lost.',
  'install.unreachable.again': 'Try again',
  'install.lastSeen.heading': 'Last seen on this device',
  'install.lastSeen.help':
    'Only names, sizes and times are kept here. To open or change files, connect to {household} again.',
  'install.lastSeen.seen': 'Seen {when}',
  'install.lastSeen.none': 'This page is not among what was kept.',
  'install.lastSeen.empty': 'There was nothing in it.',
  'install.lastSeen.more':
    '{count, plural, one {One further entry was not kept.} other {# further entries were not kept.}}',
  'install.lastSeen.list': 'Contents',
  'install.lastSeen.others': 'Other lists on this device',

  'httpsPage.title': 'Use https',
  'httpsPage.heading': 'This address starts with https',
  'httpsPage.lead': 'This server requires an encrypted connection. Open {link}.',

  'dates.now': 'just now',
  'dates.minutes': '{count, plural, one {# minute} other {# minutes}} ago',
  'dates.today': 'today at {time}',
  'dates.yesterday': 'yesterday at {time}',
  'dates.todayHeading': 'Today',
  'dates.yesterdayHeading': 'Yesterday',
} as const;
