import { importReasonMessages } from './import-reasons.ts';

/** The pages that import photos from other services. */
export const importsMessages = {
  'imports.heading': 'Bring your photos',
  'imports.lead':
    'Larder imports photos and videos from Google Photos and iCloud, with their dates, favourites and albums, and from Google also with places and descriptions. Folders that the Photos app of a Mac exports stay folders.',
  'imports.step.request.heading': 'Ask for a copy',
  'imports.step.request.google.name': 'Google Photos',
  'imports.step.request.google': 'Open {site}, deselect all, select Google Photos, and choose ZIP files.',
  'imports.step.request.apple.name': 'iCloud',
  'imports.step.request.apple': 'Open {site}, choose “Request a copy of your data”, and select iCloud Photos.',
  'imports.step.request.mac.name': 'Photos on a Mac',
  'imports.step.request.mac':
    'Select the photos, export the unmodified originals with “IPTC as XMP”, and compress the folder in Finder.',
  'imports.step.request.text': 'An email says when the copy is ready. That can take some days.',
  'imports.step.download.heading': 'Download all parts',
  'imports.step.download.text':
    'Large libraries come as several ZIP files. Download all of them, and do not unpack them.',
  'imports.step.upload.heading': 'Upload the ZIP files',
  'imports.step.upload.text': 'Put them in My Files. An interrupted upload continues where it was.',
  'imports.step.upload.action': 'Upload ZIP files',
  'imports.step.start.heading': 'Select all parts and start',
  'imports.step.start.text': 'Nothing is stored twice, and nothing that you have is changed.',
  'imports.archives': 'ZIP files in My Files',
  'imports.archive.place': '{size} · {folder}',
  'imports.archives.none': 'There are no ZIP files in My Files yet.',
  'imports.archives.missing': 'Select at least one ZIP file.',
  'imports.archives.incomplete':
    '{count, plural, one {One part is not selected: {parts}} other {# parts are not selected: {parts}}}. Photos, dates and albums can be missing without {count, plural, one {it} other {them}}.',
  'imports.archives.more': '{parts} and {count, number} more',
  'imports.startIncomplete': 'Start without {count, plural, one {this part} other {these parts}}',
  'imports.target': 'Folder in My Files',
  'imports.target.help': 'Photos are stored in folders below it: those of Google Photos, or a folder for each year.',
  'imports.folderAlbums': 'Folders become albums',
  'imports.folderAlbums.help':
    'For photos that lie in one folder for each album or moment, as the Photos app of a Mac exports them. Google Photos and iCloud have albums of their own.',
  'imports.start': 'Start import',
  'imports.earlier': 'Imports',

  'imports.state.waiting': 'Waiting for another import',
  'imports.state.running': 'Importing photos',
  'imports.state.done': 'Import complete',
  'imports.state.cancelled': 'Import cancelled',
  'imports.state.failed': 'Import stopped',
  'imports.facts': '{archives, plural, one {# ZIP file} other {# ZIP files}} to {folder}, started {time}',
  'imports.facts.owner': 'Made by the owner of this Larder, to {folder}, started {time}',
  'imports.facts.folderAlbums': 'folders become albums',
  'imports.byOwner': 'made by the owner',
  'imports.again.owner': 'The owner of this Larder can continue it: what is stored is not stored again.',
  'imports.done.owner': 'The originals of this import were not changed.',
  'imports.reading.owner': 'Reading the exports',
  'imports.failure.owner':
    '{failure, select, quota_exceeded {There is not enough space left in your storage.} disk_full {The disk of the server is full.} storage_offline {The disk with your files, or the folder that is imported, is not available.} invalid_path {The folder now belongs to this household.} unsafe_archive {The folder has too many files.} permission_denied {Your account may no longer store files.} too_many_requests {The server is busy.} other {The server could not continue.}}',
  'imports.reading': 'Reading the ZIP files',
  'imports.progress': '{handled, number} of {total, number}',
  'imports.progress.label': 'Progress',
  'imports.stored': 'Stored',
  'imports.known': 'Already stored',
  'imports.inAlbums': 'In albums',
  'imports.undated': 'Without a date',
  'imports.notesCount': 'Remarks',
  'imports.leave': 'You can close this page. The import continues on the server.',
  'imports.again': 'Continue it at any time: what is stored is not stored again.',
  'imports.mayDelete': 'You can delete the ZIP files from My Files now, if nothing is missing.',
  'imports.leftOut':
    '{count, plural, one {One entry} other {# entries}} of the ZIP files {count, plural, one {was} other {were}} not stored',
  'imports.leftOut.more': '{names} and {count, number} more',
  'imports.leftOut.mayDelete':
    'Not stored: {names}. All are listed below. If you delete the ZIP files, you lose what is only there.',
  'imports.cancel': 'Cancel',
  'imports.resume': 'Continue',
  'imports.seePhotos': 'See photos',
  'imports.refresh': 'Refresh',

  'imports.failure':
    '{failure, select, quota_exceeded {There is not enough space left in your storage.} disk_full {The disk of the server is full.} storage_offline {The disk with your files is not connected.} not_found {A ZIP file was moved to the trash, or deleted.} conflict {A ZIP file has changed since the import began.} unsupported_media {One of the files is not a ZIP file.} corrupt_file {A ZIP file is damaged or incomplete. Download it again.} unsafe_archive {A ZIP file is not safe to unpack.} upload_too_large {There are too many files for one import. Ask Google for a copy in parts of 2 to 10 GB, and import some of them at a time.} permission_denied {Your account may no longer store files.} too_many_requests {The server is busy.} other {The server could not continue.}}',

  'imports.notes': 'What you should know',
  'imports.notes.more': '{count, plural, one {# more entry} other {# more entries}}',
  ...importReasonMessages,
} as const;
