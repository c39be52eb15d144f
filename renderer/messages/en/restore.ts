/** Restoring a backup, on this computer or another one. */
export const restore = {
  'backup.restoreHere.title': 'Restore {name}',
  'backup.restoreHere.lead':
    'Restores the backup to a new folder as a separate Larder. The Larder that is running is not changed.',
  'backup.restoreHere.folder': 'New folder',
  'backup.restoreHere.folderHelp': 'The full path of an empty or new folder.',
  'backup.restoreHere.choose': 'Choose folder',
  'backup.restoreHere.needsFolder': 'Enter a folder.',
  'backup.restoreHere.passphrase': 'Backup passphrase',
  'backup.restoreHere.passphraseHelp': 'Decrypts the keys, so that devices keep trusting the restored Larder.',
  'backup.restoreHere.needsPassphrase': 'Enter the passphrase, or restore without keys.',
  'backup.restoreHere.withoutKeys': 'Restore without keys',
  'backup.restoreHere.withoutKeysHelp': 'Every device must then trust a new certificate.',
  'backup.restoreHere.cancel': 'Cancel',
  'backup.restoreHere.do': 'Restore',
  'backup.restoreHere.done': 'Backup restored',
  'backup.restoreHere.is': '{household} has been restored: {count, plural, one {# file} other {# files}}, {amount}.',
  'backup.restoreHere.newAuthority': 'It has a new certificate, which every device must trust.',
  'backup.restoreHere.homes.empty': 'The home of {who} is empty.',
  'backup.restoreHere.homes.awaited': 'The files of {who} are not in the backup. Put them back in {path}.',
  'backup.restoreHere.homes.elsewhere':
    'The home of {who} is outside the folder, at {path}. Stop this Larder before starting the other, because both would use it.',
  'backup.restoreHere.homes.forgotten': 'The home of {who} was in the trash and is not in the backup.',
  'backup.restoreHere.next': 'To use it, stop this Larder first, then start the other:',
  'backup.restoreHere.nextInWindow':
    'You can open it now in place of this Larder, which stays unchanged and can be opened again.',
  'backup.restoreHere.use': 'Open it',
  'backup.restoreHere.close': 'Close',

  'backup.restore.title': 'Restore on another computer',
  'backup.restore.lead':
    'To restore on this computer, use Restore in the menu of a backup. On another computer, or when Larder is not running, use a terminal. The backup is restored to a new folder as a separate Larder, and nothing is overwritten.',
  'backup.restore.steps.stop': 'If the original Larder is still running, stop it, so that two don’t use the same name.',
  'backup.restore.steps.run':
    'On the target computer, run this with the path of the backup there and an empty or new folder:',
  'backup.restore.steps.passphrase':
    'Type the passphrase of the backup and press Enter. It is never part of the command.',
  'backup.restore.steps.lost':
    'Without the passphrase, replace --passphrase-stdin with --new-authority. Every device must then trust a new certificate.',
  'backup.restore.steps.start': 'Start it:',
  'backup.restore.steps.look': 'Review apps, shares and links: anything revoked since the backup is allowed again.',
  'backup.restore.copyRestore': 'Copy restore command',
  'backup.restore.copyServe': 'Copy start command',
  'backup.restore.folder': 'new-folder',
  'backup.restore.backup': 'folder-of-the-backup',
} as const;
