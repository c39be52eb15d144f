/** Errors and results of restoring a backup. */
export const apiRestoreMessages = {
  'api.restore.cancelled': 'The restore was cancelled.',
  'api.restore.noteDamaged':
    '{count, plural, one {# file is} other {# files are}} damaged in the backup and not restored. Everything else is restored.',
  'api.restore.inBackup': '{path} is inside the backup. Choose another folder.',
  'api.restore.notWritable': 'This user cannot write to {path}.',
  'api.restore.hasInstallation':
    '{folder} already contains a Larder installation, which is not overwritten. Choose a new folder: --folder <path>',
  'api.restore.notEmpty':
    '{folder} is not empty, and nothing in it is overwritten. Choose a new folder: --folder <path>',
  'api.restore.noSpace':
    'The disk of {folder} has {free} free, but the backup needs {needed}. Free up space, or choose another disk.',
  'api.restore.inBackups': '{path} is in the backup folder. Choose another folder.',
  'api.restore.inData': '{path} is in the data folder of the running Larder. Choose another folder.',
  'api.restore.inHome': '{path} is in a home folder. Choose another folder.',
  'api.restore.notIncluded':
    'The backup does not contain {path}. Enter a person and a path, such as --include ann/photos. files.jsonl in the backup lists all paths.',
  'api.restore.passphraseNeeded':
    'The keys in this backup are encrypted. Enter the passphrase with --passphrase-stdin, or use --new-authority: then every device must trust a new certificate authority.',
  'api.restore.noteAsItWas':
    'Everything is as it was at the time of the backup: apps, shares and links removed since then work again, and passwords changed since then are the old ones. Review them.',
  'api.restore.changedFile': '{file} changed during the restore. Try again.',
  'api.restore.keyName': 'The encrypted keys have an unexpected name.',
  'api.restore.certificateName': 'The certificates have an unexpected name.',
  'api.restore.homesOutside': '--homes-to is for home folders outside the installation. Enter a folder outside of it.',
  'api.restore.leftover': '{path} is left over from a restore. Delete it and try again.',
  'api.restore.homeExists': '{path} already exists and is not overwritten. Choose another folder: --homes-to <path>',
  'api.restore.noFiles': 'The backup {folder} does not contain people’s files.',
} as const;
