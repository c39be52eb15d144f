/** Errors and results of backups. */
export const apiBackupMessages = {
  'api.backup.databaseDamaged': 'The database {file} is damaged ({reason}).',
  'api.backup.databaseRows': 'The database {file} has rows in "{table}" that refer to something that no longer exists.',
  'api.backup.databaseForeign': '{file} is not a Larder database.',
  'api.backup.databaseNewer': 'The database {file} was created by a newer version of Larder (it has "{name}").',
  'api.backup.busy': 'Another backup operation is running. Wait until it finishes, or cancel it.',
  'api.backup.cancelled': 'The backup was cancelled.',
  'api.backup.folderAway': 'The backup folder {folder} is not available.',
  'api.backup.notFound': 'There is no backup {name} in {folder}.',
  'api.backup.folderAwayAdvice':
    'The backup folder {folder} is not available. Connect its disk, or choose another folder.',
  'api.backup.checkCancelled': 'The check was cancelled.',
  'api.backup.failed': 'The backup at {time} failed and will be tried again. {reason}',
  'api.backup.notFolder': '{path} is not a folder.',
  'api.backup.noFolder': 'The folder {path} does not exist.',
  'api.backup.systemFolder': 'This folder belongs to the operating system. Choose another one.',
  'api.backup.inHome':
    '{path} is in a home folder, so backups would be among its files and in every backup. Choose another folder.',
  'api.backup.inHomes': 'Backups cannot be stored with the home folders. Choose another folder.',
  'api.backup.inData': '{folder} is reserved by Larder. Choose another folder, or leave it empty to use {own}.',
  'api.backup.folderUnknown':
    '{folder} is not the backup folder that was chosen: its disk is not connected, or {name} was emptied. Connect the disk, or choose the folder again.',
  'api.backup.pathOutside': 'The list of files contains a path outside the backup: {path}.',
  'api.backup.listLine': '{file} contains an invalid line.',
  'api.backup.notBackup': '{folder} is not a backup: it has no {file}.',
  'api.backup.changedFile': 'The backup {folder} is damaged: the content of {file} has changed.',
  'api.backup.newer': 'The backup {folder} was created by a newer version of Larder. Install that version.',
  'api.backup.noteKeys':
    'The backup does not contain the keys because no passphrase is set. An installation restored from it gets a new certificate authority, which every device must trust again.',
  'api.backup.noteFiles': 'The backup does not contain people’s files.',
  'api.backup.noteHomeOffline': 'The backup does not contain the files of {who}: the disk of {path} was not connected.',
  'api.backup.noteHistory': 'The backup does not contain earlier versions and the trash.',
  'api.backup.noteChanged':
    '{count, plural, one {# file was} other {# files were}} changed while being copied and may be inconsistent.',
  'api.backup.noteLeftOut':
    '{count, plural, one {# item} other {# items}} could not be copied. See files.jsonl for the reasons.',
  'api.backup.noteAbsent':
    '{count, plural, one {# item was} other {# items were}} removed before or during the backup. See files.jsonl.',
  'api.backup.noteNotFollowed':
    '{count, plural, one {# symbolic link or special file was} other {# symbolic links or special files were}} skipped.',
  'api.backup.passphraseTooLong': 'A passphrase can have at most {max, plural, one {# byte} other {# bytes}}.',
  'api.backup.passphraseTooShort':
    'A passphrase must have at least {min, plural, one {# character} other {# characters}}.',
  'api.backup.passphraseWrong': 'This is not the passphrase of the keys in the backup.',
  'api.backup.stopped': 'The operation was cancelled.',
  'api.backup.diskFull': 'The disk of {path} is full. Free up space on it, or choose another folder.',
  'api.backup.tooLarge':
    'The next backup needs at least {needed} in {path}, and {free} are free. Free up space, choose another disk, or leave files out.',
  'api.backup.tooLargeAnyway':
    'The next backup needs at least {needed} in {path}, and {free} are free. Free up space, or choose another disk.',
  'api.backup.denied': 'The user that runs Larder cannot write to {path}. Give it access, or choose another folder.',
  'api.backup.readOnly':
    '{path} is on a read-only disk. It was mounted read-only, or the system made it read-only after an error.',
  'api.backup.gone': '{path} is no longer available. Connect its disk, or choose another folder.',
  'api.backup.diskErrors': 'The disk of {path}, or the disk being backed up, has errors ({reason}). Check both.',
  'api.backup.sourceDamaged':
    'The database is damaged ({reason}), so a copy would be damaged as well. Run: {command} doctor',
  'api.backup.sourceUnreadable': '{path}, which is part of the backup, cannot be read ({reason}).',
  'api.backup.writeFailed': 'Writing to {path} failed ({reason}).',
  'api.backup.keysDamaged': 'The encrypted keys in the backup are damaged and cannot be used.',
  'api.backup.diskLost': 'The disk of {path} was disconnected during the backup. Try again.',
  'api.backup.nameTaken': 'another item has the same name',
  'api.backup.putBack':
    'Stop Larder. First move larder.sqlite, larder.sqlite-wal and larder.sqlite-shm, if they exist, out of {folder} and keep them, because they would damage the copy. Then copy {source} (backup of {time}) to {database}. The files in the home folders are not affected. Or restore the whole installation to another folder: {command} restore --from "{backup}" --folder <new folder>',
  'api.backup.putBackCopy':
    'Stop Larder. First move larder.sqlite, larder.sqlite-wal and larder.sqlite-shm, if they exist, out of {folder} and keep them, because they would damage the copy. Then copy {source}, or larder.sqlite from a backup of this folder, to {database}. The files in the home folders are not affected. Without a backup: leave this folder as it is, set up a new Larder in another folder, add the people, and copy the contents of the home folders in {homes}, except the hidden file {marker} in each, to their new home folders.',
  'api.backup.putBackAny':
    'Stop Larder. First move larder.sqlite, larder.sqlite-wal and larder.sqlite-shm, if they exist, out of {folder} and keep them, because they would damage the copy. Then copy larder.sqlite from a backup of this folder to {database}. The files in the home folders are not affected. Without a backup: leave this folder as it is, set up a new Larder in another folder, add the people, and copy the contents of the home folders in {homes}, except the hidden file {marker} in each, to their new home folders.',
  'api.backup.reasonRemoved': 'removed; not found in any home folder',
  'api.backup.reasonChanged': 'changed while being copied and may be inconsistent',
  'api.backup.homeInBackup':
    '{home} is inside the backup {backup} and is a home folder, so the backup is not deleted. Move this home folder.',
  'api.backup.homeUnknown':
    'It cannot be told where the home folder {home} is, and the backup {backup} cannot be searched for it ({reason}), so the backup is not deleted. Connect the disk of the home folder.',
  'api.backup.heldBack': 'The old backup {name} could not be removed and takes up space. {reason}',
  'api.backup.reasonDenied': 'the user that runs Larder cannot read it',
  'api.backup.reasonUnreadable': 'cannot be read ({reason})',
  'api.backup.reasonDisk': 'its disk has errors',
  'api.backup.reasonOffline': 'its disk is not connected',
  'api.backup.reasonName': 'the backup disk does not support its name',
  'api.backup.reasonPath': 'its path is too long for the backup disk',
  'api.backup.reasonSameName': 'the backup disk does not distinguish its name from another one',
  'api.backup.reasonSize': 'it is too large for the backup disk',
  'api.backup.damageFolder': 'missing, because its folder has changed',
  'api.backup.damageMissing': 'missing',
  'api.backup.damageChanged': 'its content has changed',
  'api.backup.damagedFolder': 'The backup is damaged: the folder {path} is missing.',
  'api.backup.damagedFile': 'The backup is damaged: {path} ({problem}).',
  'api.backup.damagedMore': '{count, plural, one {# more problem.} other {# more problems.}}',
  'api.backup.unreadablePart': 'The backup {folder} is damaged: {file} is missing or cannot be read.',
  'api.backup.make': 'To make one: {command} backup',
  'api.backup.none':
    '{files, select, true {There is no backup with files in {folder}.} other {There is no backup in {folder}.}} {advice}',
  'api.backup.late':
    '{files, select, true {The latest backup with files in {folder} is from {time} and older than scheduled.} other {The latest backup in {folder} is from {time} and older than scheduled.}} {advice}',
  'api.backup.systemDisk': 'the system disk',
} as const;
