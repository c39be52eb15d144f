/** The page about files: homes and their catalogue, trash, versions, thumbnails. */
export const files = {
  'files.title': 'Files',
  'files.lead': 'Manage home folders, trash, versions and thumbnails.',

  'files.homes.title': 'Homes',
  'files.homes.check': 'Scan now',
  'files.homes.checkAll': 'Scan all now',
  'files.homes.stopChecking': 'Stop scanning',
  'files.homes.stopped': 'Scan stopped. Every file is scanned again within a day.',
  'files.homes.checkHelp':
    'Larder detects changes made by other programs as they happen. It also scans every file once a day; you can start a scan at any time.',
  'files.homes.checking': '{homes, plural, one {Scanning # home.} other {Scanning # homes.}}',
  'files.homes.columns.who': 'Person',
  'files.homes.columns.state': 'Status',
  'files.homes.columns.items': 'Files and folders',
  'files.homes.columns.used': 'Size',
  'files.homes.columns.actions': 'Actions',
  'files.homes.states.offline': 'Not connected',
  'files.homes.states.reading': 'Reading',
  'files.homes.states.checking': 'Scanning',
  'files.homes.states.ready': 'Up to date',
  'files.homes.states.unknown': 'Not read yet',
  'files.homes.unwatched': '{folders, plural, one {# folder is} other {# folders are}} checked only every few minutes',
  'files.homes.soFar': '{items, number} so far',
  'files.homes.noOwner': 'No owner',
  'files.homes.formerOwner': 'No owner (was {username})',
  'files.homes.actionsOf': 'Actions for {path}',
  'files.homes.openPerson': 'Open person',
  'files.homes.trash': 'Move to trash',
  'files.homes.forget': 'Forget',
  'files.homes.failed': 'The homes could not be loaded.',
  'files.homes.empty': 'No homes yet',
  'files.homes.emptyHelp': 'Each person’s folder appears here.',
  'files.homes.trashTitle': 'Move {path} to the trash?',
  'files.homes.trashLoss':
    'The folder and all its files, versions and deleted items are moved to the trash. You can restore it later.',
  'files.homes.keep': 'Keep it',
  'files.homes.forgetTitle': 'Forget {path}?',
  'files.homes.forgetLoss':
    'The disk is not connected. Comments, tags, versions, links and shares of its files are lost. The files themselves stay on the disk.',

  'files.trashed.title': 'Homes in the trash',
  'files.trashed.noOwner': 'No owner',
  'files.trashed.formerOwner': 'Was owned by {username}',
  'files.trashed.restore': 'Restore',
  'files.trashed.restoreOf': 'Restore {path}',
  'files.trashed.erase': 'Delete permanently',
  'files.trashed.eraseOf': 'Delete permanently: {path}',
  'files.trashed.eraseTitle': 'Delete {path} permanently?',
  'files.trashed.eraseLoss':
    'This permanently deletes all files in it and their versions ({amount}). They can be recovered only from a backup.',
  'files.trashed.keep': 'Keep it',

  'files.search.title': 'Search',
  'files.search.texts':
    'Searchable documents: {indexed, number}{waiting, plural, =0 {} other { · # waiting}}{failed, plural, =0 {} other { · # unreadable}}',
  'files.search.embedded':
    'Files with details read: {indexed, number}{waiting, plural, =0 {} other { · # waiting}}{failed, plural, =0 {} other { · # unreadable}}',

  'files.policies.title': 'Trash and versions',
  'files.policies.trash': 'Keep deleted items for',
  'files.policies.trashHelp': '0 keeps them until the trash is emptied.',
  'files.policies.days': 'days',
  'files.policies.versions': 'Versions to keep per file',
  'files.policies.versionsHelp': '0 keeps none: overwritten files go to the trash.',
  'files.policies.versionsUnit': 'versions',
  'files.policies.versionDays': 'Keep versions for',
  'files.policies.versionDaysHelp': '0 keeps them regardless of age.',

  'files.places.title': 'Locations for homes',
  'files.places.places': 'Other locations for homes (optional)',
  'files.places.placesHelp':
    'Administrators can create homes in these folders as well as in the household’s folder. Full paths, such as /mnt/photos.',

  'files.thumbnails.title': 'Thumbnails',
  'files.thumbnails.most': 'Maximum size of thumbnails',
  'files.thumbnails.mostHelp': 'The least recently used thumbnails are deleted first and created again when needed.',
  'files.thumbnails.unit': 'MB',
  'files.thumbnails.now': 'Stored now: {files, plural, one {# thumbnail} other {# thumbnails}}, {amount}.',
  'files.thumbnails.clear': 'Delete all',
  'files.thumbnails.cleared': 'Thumbnails deleted ({amount}).',
} as const;
