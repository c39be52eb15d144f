/** The pages that import photos from other services. */
export const importsMessages = {
  'imports.heading': 'Bring your photos',
  'imports.lead':
    'Larder imports photos and videos from Google Photos, with their dates, places, descriptions, favourites and albums.',
  'imports.step.request.heading': 'Ask Google for a copy',
  'imports.step.request.text':
    'Open {site}, deselect all, select Google Photos, and choose ZIP files. Google sends an email when they are ready.',
  'imports.step.request.site': 'takeout.google.com',
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
  'imports.target': 'Folder in My Files',
  'imports.target.help': 'Photos are stored in folders below it, as in Google Photos.',
  'imports.start': 'Start import',
  'imports.earlier': 'Imports',

  'imports.state.waiting': 'Waiting for another import',
  'imports.state.running': 'Importing photos',
  'imports.state.done': 'Import complete',
  'imports.state.cancelled': 'Import cancelled',
  'imports.state.failed': 'Import stopped',
  'imports.facts': '{archives, plural, one {# ZIP file} other {# ZIP files}} to {folder}, started {time}',
  'imports.reading': 'Reading the ZIP files',
  'imports.progress': '{handled, number} of {total, number}',
  'imports.progress.label': 'Progress',
  'imports.stored': 'Stored',
  'imports.known': 'Already stored',
  'imports.inAlbums': 'In albums',
  'imports.undated': 'Without a date',
  'imports.notesCount': 'Not understood',
  'imports.leave': 'You can close this page. The import continues on the server.',
  'imports.again': 'Continue it at any time: what is stored is not stored again.',
  'imports.mayDelete': 'You can delete the ZIP files from My Files now, if nothing is missing.',
  'imports.cancel': 'Cancel',
  'imports.resume': 'Continue',
  'imports.seePhotos': 'See photos',
  'imports.refresh': 'Refresh',

  'imports.failure':
    '{failure, select, quota_exceeded {There is not enough space left in your storage.} disk_full {The disk of the server is full.} storage_offline {The disk with your files is not connected.} not_found {A ZIP file was moved to the trash, or deleted.} conflict {A ZIP file has changed since the import began.} unsupported_media {One of the files is not a ZIP file.} corrupt_file {A ZIP file is damaged or incomplete. Download it again.} unsafe_archive {A ZIP file is not safe to unpack.} permission_denied {Your account may no longer store files.} too_many_requests {The server is busy.} other {The server could not continue.}}',

  'imports.notes': 'What was not understood',
  'imports.notes.more': '{count, plural, one {# more entry} other {# more entries}}',
  'imports.reason':
    '{reason, select, other_product {Not from Google Photos} not_photo {Neither a photo nor a video} large_json {Description too large} unreadable_json {Description cannot be read} no_json {No description: stored without date, place and text} no_photo {Photo missing: is one of the ZIP files missing?} no_album {Neither a year nor an album: photos are stored, without an album} album_description {Descriptions of albums are not kept} trashed {In the trash of Google Photos} unsafe_entry {Not safe to unpack} damaged {Damaged} type_not_allowed {Files of this type are not allowed} locked {The folder is locked} name_taken {A folder has this name} album_full {The album is full: stored, but not listed} other {Not understood}}',
} as const;
