/** The page that backs up the photos of a phone. */
export const photoBackupMessages = {
  'photoBackup.entry': 'Back up photos',
  'photoBackup.heading':
    '{device, select, phone {Back up this phone’s photos} other {Back up photos from this device}}',
  'photoBackup.lead': 'Larder looks at what you select, and sends only what it does not have yet.',
  'photoBackup.device': '{device, select, phone {Phone} other {Computer}}',
  'photoBackup.folder': 'Photos',
  'photoBackup.target': 'Send to',
  'photoBackup.change': 'Change',
  'photoBackup.changeFolder': 'Folder in My Files',
  'photoBackup.save': 'Save',
  'photoBackup.hint': 'Select all photos for a full backup. Nothing is sent twice, wherever it is in your files.',
  'photoBackup.originals':
    '{device, select, apple {Your device hands over converted copies unless you say otherwise: while you select photos, tap Options, choose Current as the format, and include the location. Videos of Live Photos are not handed over.} other {Select your photos as files: Android takes the place out of photos that are selected in its photo picker.}}',
  'photoBackup.leftOut':
    '{count, plural, one {# file is neither a photo nor a video, and was left out.} other {# files are neither photos nor videos, and were left out.}}',
  'photoBackup.select': 'Select photos',
  'photoBackup.again': 'Select more photos',
  'photoBackup.script': 'This page needs JavaScript. Without it, upload photos one by one.',
  'photoBackup.interrupted':
    'The last backup was interrupted: {stored, number} of {total, number} were stored. Select the same photos again, and it continues where it was.',

  'photoBackup.running': 'Backing up photos',
  'photoBackup.done': '{done, number} of {total, number} done',
  'photoBackup.progress':
    '{checked, number} checked · {sent, number} sent ({size}) · {known, number} already there{failed, plural, =0 {} other { · # not stored}}',
  'photoBackup.confirming': 'Writing the receipt',
  'photoBackup.to': 'To {folder}',
  'photoBackup.open':
    'Keep this page open. If it closes, open it again and select the same photos: it continues where it was.',
  'photoBackup.awake':
    'Keep this page open; the screen stays on. If it closes, open it again and select the same photos: it continues where it was.',
  'photoBackup.cancel': 'Cancel',
  'photoBackup.waiting': 'Larder is not responding. Trying again.',
  'photoBackup.cancelled': 'The backup was cancelled. What was sent is stored.',

  'photoBackup.allStored': '{count, plural, one {The photo is stored} =2 {Both are stored} other {All # are stored}}',
  'photoBackup.someStored': '{stored, number} of {total, number} are stored',
  'photoBackup.from': '{time}, {household}',
  'photoBackup.stored': 'Stored',
  'photoBackup.counted': '{count, plural, =0 {0 of {total, number}} other {# of {total, number} · {size}}}',
  'photoBackup.backedUp': 'Also on another disk',
  'photoBackup.safe.all': 'Safe to delete from this device',
  'photoBackup.safe.some': '{safe, plural, one {# is safe} other {# are safe}} to delete from this device',
  'photoBackup.safe.copies': 'Everything that your device handed over is safe',
  'photoBackup.safe.someCopies':
    '{safe, plural, one {# that your device handed over is safe} other {# that your device handed over are safe}}',
  'photoBackup.handedOver':
    '{device, select, apple {It may have handed over copies: without places, as JPEG instead of HEIC, and without the videos of Live Photos. Delete originals only if you do not need these. The Nextcloud app sends originals.} other {This is about the photos as this browser got them. Before you delete any, open one here and see that its place is there.}}',
  'photoBackup.safe.none': 'Do not delete anything from this device yet',
  'photoBackup.safe.allHelp':
    'Every file is stored, and a backup on another disk has it too. Its copy there was read again and is equal.',
  'photoBackup.safe.notYet':
    '{waiting, plural, one {# is stored, but not yet in a backup on another disk. Keep it until a later receipt says so: select the same photos again after the next backup.} other {# are stored, but not yet in a backup on another disk. Keep them until a later receipt says so: select the same photos again after the next backup.}}',
  'photoBackup.safe.missing':
    '{count, plural, one {# could not be stored. Keep it, and try again.} other {# could not be stored. Keep them, and try again.}}',
  'photoBackup.files': 'All files',
  'photoBackup.more': 'Show {count, number} more',
  'photoBackup.state.safe': 'Also on {disk} since {date}: safe to delete from this device',
  'photoBackup.state.backedUp': 'Also on {disk} since {date}',
  'photoBackup.state.stored': 'Stored, not yet backed up',
  'photoBackup.state.missing': 'Not stored',
  'photoBackup.state.reason': 'Not stored. {reason}',
  'photoBackup.unreadable': 'It cannot be read on this device.',
  'photoBackup.retry': 'Try the missing ones again',
  'photoBackup.show': 'Show the photos',
  'photoBackup.download': 'Save receipt',
  'photoBackup.print': 'Print',
  'photoBackup.fileName': 'Receipt {date}',
} as const;
