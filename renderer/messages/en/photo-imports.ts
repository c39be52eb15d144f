/** The page that imports photos from a folder of this computer. */
export const photoImports = {
  'photoImports.title': 'Import from a folder',
  'photoImports.lead':
    'Larder reads exports of Google Photos (Takeout) and iCloud Photos from a folder of the computer that it runs on: ZIP files, or unpacked. It changes nothing there.',
  'photoImports.folder': 'Folder with the exports',
  'photoImports.folderHelp': 'The whole path, such as /mnt/usb/takeout. ZIP files and folders below it are read, too.',
  'photoImports.folderHelpInWindow': 'ZIP files and folders below it are read, too.',
  'photoImports.choose': 'Choose…',
  'photoImports.person': 'Import for',
  'photoImports.personHelp': 'The photos are stored in My Files of this person, and count towards their quota.',
  'photoImports.target': 'Folder in My Files',
  'photoImports.targetHelp': 'It is created if it is missing.',
  'photoImports.folderAlbums': 'Folders become albums',
  'photoImports.folderAlbumsHelp':
    'For photos that lie in one folder for each album or moment, as the Photos app of a Mac exports them. Google Photos and iCloud have albums of their own.',
  'photoImports.needsFolder': 'Enter a folder.',
  'photoImports.needsPerson': 'Select a person.',
  'photoImports.check': 'Check folder',
  'photoImports.checking': 'Reading the folder. That takes a few minutes if it has many photos.',
  'photoImports.stopCheck': 'Stop',

  'photoImports.plan.title': 'What the import brings',
  'photoImports.plan.nothing': 'There are no photos or videos in this folder.',
  'photoImports.plan.found': 'Found',
  'photoImports.plan.archives':
    '{archives, plural, =0 {} one {# ZIP file} other {# ZIP files}}{both, select, yes {, } other {}}{unpacked, plural, =0 {} one {# unpacked export} other {# unpacked exports}}',
  'photoImports.plan.services':
    '{service, select, google {Google Photos} icloud {iCloud Photos} other {photos without a description}}',
  'photoImports.plan.files': 'Photos and videos',
  'photoImports.plan.filesOf': '{files, number} ({amount})',
  'photoImports.plan.albums': 'Albums',
  'photoImports.plan.undated': 'Without a date',
  'photoImports.plan.room': 'Space left',
  'photoImports.plan.noRoom':
    'There is not enough space left ({amount}). Photos that are already there need none; the import stops when it is full, and can be continued.',
  'photoImports.plan.missing':
    '{count, plural, one {Part of an export is missing: {parts}} other {# parts of exports are missing, such as {parts}}}. Photos, dates and albums can be missing without {count, plural, one {it} other {them}}.',
  'photoImports.plan.known': 'Photos that the person already has are not stored again.',
  'photoImports.start': 'Start import',
  'photoImports.started': 'The import has started.',

  'photoImports.list.title': 'Imports',
  'photoImports.list.for': 'For {name}, to {folder}{folderAlbums, select, yes {. Folders become albums.} other {}}',
  'photoImports.states.waiting': 'Waiting for another import',
  'photoImports.states.running': 'Importing',
  'photoImports.states.done': 'Complete',
  'photoImports.states.cancelled': 'Paused',
  'photoImports.states.failed': 'Stopped',
  'photoImports.reading': 'Reading the folder',
  'photoImports.progress': '{handled, number} of {total, number}',
  'photoImports.result':
    '{stored, number} stored · {known, number} already there · {inAlbums, number} in albums · {undated, number} without a date',
  'photoImports.failure':
    '{failure, select, quota_exceeded {The storage of this person is full. Raise the quota or make room, then continue.} disk_full {The disk of the home is full. Make room, then continue.} storage_offline {The folder or the disk of the home is not available. Connect it, then continue.} unsafe_archive {The folder has too many files.} invalid_path {The folder has become a part of this household, such as a home: it is no longer imported.} permission_denied {This person may no longer store files.} other {Larder could not continue. Try again.}}',
  'photoImports.pause': 'Pause',
  'photoImports.continue': 'Continue',
  'photoImports.report': 'Remarks',
  'photoImports.reportOf': 'Remarks on the import from {folder}',
  'photoImports.notes.title': 'What you should know',
  'photoImports.notes.none': 'Everything was imported.',
  'photoImports.notes.more': '{count, plural, one {# more entry} other {# more entries}}',
  'photoImports.close': 'Close',
} as const;
