/** Texts of upload scripts: those for signed-in people, and those for all uploads. */
export const uploadsMessages = {
  'uploads.heading': 'Uploads',
  'uploads.list': 'Uploaded files',
  'uploads.progress': '{sent, number} of {total, number} uploaded',
  'uploads.bytes': '{sent} of {total}',
  'uploads.bytesLeft': '{sent} of {total} · {left}',
  'uploads.finished': '{count, plural, one {# file uploaded} other {# files uploaded}}',
  'uploads.someFailed': '{sent, number} of {total, number} uploaded, {failed, number} failed',
  'uploads.left.seconds': 'a few seconds left',
  'uploads.left.minutes': '{minutes, plural, one {about a minute left} other {about # minutes left}}',
  'uploads.left.hours': '{hours, plural, one {about an hour left} other {about # hours left}}',
  'uploads.waiting': 'Waiting · {size}',
  'uploads.uploaded': 'Uploaded · {size}',
  'uploads.cancelled': 'Cancelled',
  'uploads.verbs.cancel': 'Cancel',
  'uploads.verbsFor.cancel': 'Cancel: {name}',
  'uploads.cancelAll': 'Cancel all',
  'uploads.verbs.retry': 'Try again',
  'uploads.verbsFor.retry': 'Try again: {name}',
  'uploads.verbs.remove': 'Remove',
  'uploads.verbsFor.remove': 'Remove: {name}',
  'uploads.close': 'Close',
  'uploads.collapse': 'Collapse',
  'uploads.expand': 'Expand',
  'uploads.more': 'and {count, number} more waiting',
  'uploads.resumed': 'Continuing from {size}',
  'uploads.tooLarge': 'Too large: the limit for one file is {size}.',
  'uploads.wrongType': 'Files of this type cannot be uploaded here.',
  'uploads.noAnswer': 'Larder is not responding. Trying again in {seconds} s',
  'uploads.retrying': '{reason} Trying again in {seconds} s',
  'uploads.signedOut': 'You are signed out, and uploads are paused. They continue when you sign in again.',
  'uploads.otherAccount':
    'Someone else has signed in here, and uploads are paused. They continue when you sign in again.',
  'uploads.signIn': 'Sign in',
  'uploads.continue': 'Continue',
  'uploads.nameTaken':
    'Another file with this name was added in the meantime. Choose the file again to decide which one to keep.',
  'uploads.otherFormat':
    '“{chosen}” cannot become a version of “{name}”: the two have different formats. Upload it as a file of its own.',
  'uploads.versionOfNothing': 'The file no longer exists, so there is no new version of it.',
  'uploads.conflict': 'Another file is being uploaded with this name. Try again later.',
  'uploads.noFolder': 'The destination folder no longer exists, or a file now has its name.',
  'uploads.unreadable': 'This file can no longer be read on this device.',
  'uploads.pasted': 'Pasted picture',
  'uploads.systemFiles':
    '{count, plural, one {A system file} other {# system files}} (.DS_Store, Thumbs.db) {count, plural, one {was} other {were}} left out.',
  'uploads.notRead':
    '{count, plural, one {A file or folder} other {# files or folders}} could not be read on this device, and {count, plural, one {was} other {were}} left out.',
  'uploads.drop': 'Drop to upload to {folder}',
  'uploads.nothing': 'There is nothing to upload.',
  'uploads.onlySystemFiles':
    'There is nothing to upload. {count, plural, one {A system file} other {# system files}} (.DS_Store, Thumbs.db) {count, plural, one {was} other {were}} left out.',

  'uploads.taken.headingOne': '“{name}” already exists',
  'uploads.taken.headingAll': '{total, plural, =2 {Both files already exist} other {All # files already exist}}',
  'uploads.taken.heading': '{taken, number} of {total, number} files already exist',
  'uploads.taken.lead':
    'Keep both adds a number to the {taken, plural, one {name of the new file} other {names of the new files}}. Replace keeps the old {taken, plural, one {file as an earlier version} other {files as earlier versions}}.',
  'uploads.taken.answers.both': 'Keep both',
  'uploads.taken.answers.replace': 'Replace',
  'uploads.taken.answers.skip': 'Skip',
  'uploads.taken.answers.cancel': 'Cancel',

  'received.heading': '{count, plural, one {# file from another app} other {# files from another app}}',
  'received.none': 'Files from another app',
  'received.list': 'Files from another app',
  'received.choose':
    '{count, plural, one {Open the folder that it belongs to.} other {Open the folder that they belong to.}}',
  'received.save': 'Save in {folder}',
  'received.discard': 'Discard',
  'received.discarded': 'Discarded.',
  'received.incomplete':
    'This device had too little space for all of it. Save these first, then share the others again.',
  'received.full':
    '{count, plural, =0 {What you shared is too large: at most {files, number} files with {size} are kept here. Upload it here instead.} other {Not all that you shared is here: at most {files, number} files with {size} are kept until you save them. Save or discard these first, then share the others again.}}',
  'received.tooLarge': 'This device has too little space to keep what you shared. Upload it here instead.',
  'received.text': 'Shared text',
} as const;
