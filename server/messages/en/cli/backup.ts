/** Results of the backup and restore commands. */
export const cliBackupMessages = {
  'cli.backup.passphraseSet': 'The keys in backups will be encrypted with this passphrase from now on.',
  'cli.backup.made': 'Backup created and verified: {path}',
  'cli.backup.size': 'Size',
  'cli.backup.files': 'Files',
  'cli.backup.fileCount': '{count, plural, one {# file} other {# files}}',
  'cli.backup.unchanged': '{count, number} unchanged',
  'cli.backup.keys': 'Keys',
  'cli.backup.keysEncrypted': 'encrypted with the passphrase',
  'cli.backup.removed': 'Removed',
  'cli.backup.removedBackup': '{name}, to free up space',
  'cli.backup.note': 'Note',
  'cli.backup.missing': 'Missing',
  'cli.backup.missingFile': '{path}: {reason}',
  'cli.backup.none': 'There are no backups in {folder}.',
  'cli.backup.listed': 'Backups in {folder}:',
  'cli.backup.withoutFiles': 'without files',
  'cli.backup.withHistory': 'with versions and trash',
  'cli.backup.withKeys': 'with keys',
  'cli.backup.withoutKeys': 'without keys',
  'cli.backup.otherInstallation': 'from another installation',
  'cli.backup.complete': '{name} is intact.',

  'cli.progress.phase':
    '{phase, select, files {Copying files…} database {Copying the database…} history {Adding recent changes…} verifying {Checking…} pruning {Deleting old backups…} other {Deleting the backup…}}',
  'cli.progress.share': '{percent, number} %',

  'cli.restore.included': 'The requested files of {household} as of {time} are in {folder}.',
  'cli.restore.done': '{household} as of {time} is restored to {folder}.',
  'cli.restore.damaged': 'Damaged',
  'cli.restore.damagedFile': '{path}: {problem}',
  'cli.restore.home': 'Home',
  'cli.restore.homeRestored': '{who}: {path}',
  'cli.restore.homeEmpty':
    '{who}: {path}, empty. Information about its files is retained for 30 days in case they return.',
  'cli.restore.homeAwaited':
    '{who}: the backup does not contain its files. Move them back to {path}, with the file {marker} that was there or one with the line {id}. Until then this home folder is offline, and all information about it is retained.',
  'cli.restore.homeElsewhere': '{who}: remains at {path}.',
  'cli.restore.homeForgotten': '{who}: was in the trash and is not in the backup.',
  'cli.restore.authority': 'Authority',
  'cli.restore.authorityKept': 'unchanged; devices keep trusting it',
  'cli.restore.authorityNew':
    'new ({fingerprint}), because the keys were not restored; every device must trust it again',
  'cli.restore.lost': 'Not restored',
  'cli.restore.lostVersions':
    '{count, plural, one {# earlier version that is not in the backup} other {# earlier versions that are not in the backup}}',
  'cli.restore.lostTrash':
    '{count, plural, one {# item of the trash that is not in the backup} other {# items of the trash that are not in the backup}}',
  'cli.restore.next': 'Next: {command} serve --folder {folder}',
} as const;
