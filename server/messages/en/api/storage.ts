/** Problems of the data folder, its disk and the database. */
export const apiStorageMessages = {
  'api.storage.readOnly':
    'The disk of {folder} is read-only: users can read files but cannot change anything. It was mounted read-only, or the system made it read-only after an error. Check the disk, make it writable and restart Larder.',
  'api.storage.stalled':
    'The disk of the home folder {home} does not respond, so the home folder is offline. Check the disk and its connection. Larder uses it again as soon as it responds.',
  'api.storage.folderMissing': 'The folder does not exist or is no longer a Larder data folder.',
  'api.storage.folderUnreadable': 'The folder cannot be read ({code}). Its disk may be locked or damaged.',
  'api.storage.isBackup':
    '{folder} is a backup, so Larder cannot run in it. Create an installation from it in a new folder: {command} restore --from {folder} --folder <new folder>',
  'api.storage.restoreInterrupted':
    'A restore to {folder} was interrupted. Delete the contents of the folder and restore again, or choose another folder.',
  'api.storage.notWritable': '{folder} cannot be used ({code}). Choose a folder that you can write to.',
  'api.storage.networkDisk':
    '{folder} is on a network file system, where the database could be damaged. Choose a folder on a disk of this computer. Home folders can be elsewhere.',
  'api.storage.networkDiskType':
    '{folder} is on a network file system ({type}), where the database could be damaged. Choose a folder on a disk of this computer. Home folders can be elsewhere.',
  'api.storage.logMoved': 'Its log was moved to {file}. If you find the missing database, put both back together.',
  'api.storage.databaseMissing':
    'The database {file} is missing, with all accounts and all information about the files. Larder does not start without it.',
  'api.storage.databaseEmpty':
    'The database {file} is empty (0 bytes): all accounts and all information about the files are missing. Larder does not start without it.',
  'api.storage.databaseForeign':
    'The database {file} is not a Larder database, perhaps because it was copied without its larder.sqlite-wal. Larder does not start with it.',
  'api.storage.logMissing':
    'The log {file} is missing, and the database was not closed properly (because of a power failure or a copy of a folder in use). Recent changes are lost unless another program has applied the log. If you still have the log, stop Larder and put the database and its log back together. Otherwise compare with a backup.',
  'api.storage.noReason': 'no reason given',
  'api.storage.inUse': 'Another Larder is using this folder.',
  'api.storage.lockDamaged':
    'The lock file {file} is damaged ({reason}). It holds no data. If no Larder is running, it can be deleted, and the next start creates it again.',
  'api.storage.lockUnusable':
    'The lock file {file} cannot be used ({reason}). Its disk may be full, failing or read-only, or the file may belong to another user. It holds no data. If no Larder is running, it can be deleted, and the next start creates it again.',
  'api.storage.newerVersion':
    '{file} was created by a newer version of Larder (it has "{name}"). Install that version, or restore a backup.',

  'api.start.denied': 'This user cannot read and write {path} ({reason}).',
  'api.start.deniedAdvice': 'Run Larder as the user who owns the folder, or give it access to everything in it.',
  'api.start.readOnly': 'The disk of {path} is read-only ({reason}).',
  'api.start.readOnlyAdvice':
    'It was mounted read-only, or the system made it read-only after an error. Check the disk and make it writable again.',
  'api.start.full': 'The disk of {path} is full.',
  'api.start.fullAdvice': 'Free up space on it and try again.',
  'api.start.diskErrors': 'The disk of {path} has errors ({reason}).',
  'api.start.diskErrorsAdvice': 'Copy the folder first, then check the disk.',
  'api.start.inUseAdvice': 'Quit the other one, or choose another folder.',
  'api.start.missingAdvice': 'Connect the disk with this folder and turn it on.',
  'api.start.folderAdvice': 'Choose another folder, or fix this one and try again.',
  'api.start.portInUse': 'Another program on this computer is using port {port}.',
  'api.start.portInUseAdvice': 'Choose another port, or stop the other program.',
  'api.start.portDeniedAdvice':
    'Ports below 1024 require special rights, and some systems reserve others. Choose another port.',
  'api.start.portDenied': 'This computer does not allow Larder to use port {port}.',
  'api.start.otherAdvice': 'The log contains details. Try again, or choose another folder.',

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
