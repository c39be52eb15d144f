/** Problems of the data folder, its disk and the database. */
export const apiStorageMessages = {
  'api.storage.readOnly':
    'The disk of {folder} is read-only: users can read files but cannot change anything. It was mounted read-only, or the system made it read-only after an error. Check the disk, make it writable and restart Larder.',

  'api.start.denied': 'This user cannot read and write {path} ({reason}).',
  'api.start.deniedAdvice': 'Run Larder as the user who owns the folder, or give it access to everything in it.',
  'api.start.readOnly': 'The disk of {path} is read-only ({reason}).',
  'api.start.readOnlyAdvice':
    'It was mounted read-only, or the system made it read-only after an error. Check the disk and make it writable again.',
  'api.start.full': 'The disk of {path} is full.',
  'api.start.fullAdvice': 'Free up space on it and try again.',
  'api.start.diskErrors': 'The disk of {path} has errors ({reason}).',
  'api.start.diskErrorsAdvice': 'Copy the folder first, then check the disk.',

  'api.journal.unfinished':
    'An interrupted change ({kind}) could not be finished: {reason}. Nothing was removed, and every start tries again.',
  'api.journal.quarantined':
    'Entry {id} of the journal, an interrupted change ({kind}, started at {time}), cannot be finished: {reason}. It is retained, everything else was recovered, and no file was removed. A version of Larder that can read it finishes it. If there is none, compare what was changed at that time with a backup.',
  'api.journal.quarantinedUnknown':
    'Entry {id} of the journal, an interrupted change ({kind}), cannot be finished: {reason}. It is retained, everything else was recovered, and no file was removed. A version of Larder that can read it finishes it. If there is none, compare what was changed at that time with a backup.',
  'api.journal.otherVersion':
    'it was written by another version of Larder (format {written}, this version reads {read})',
  'api.journal.notJson': 'it is damaged (not JSON)',
  'api.journal.fields': 'it is damaged (fields are missing or wrong)',
  'api.journal.unknownKind': 'this version does not know its kind',
} as const;
