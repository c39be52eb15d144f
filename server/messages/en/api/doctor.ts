/** What a check of the installation finds. */
export const apiDoctorMessages = {
  'api.doctor.stopped': 'The check was cancelled.',
  'api.doctor.certificateFailed': 'The certificate could not be checked or renewed: {reason}. Check the disk.',
  'api.doctor.certificateNames':
    'The certificate does not cover {addresses}, so devices reject Larder there. Use {names} instead, or add another name or address with --name.',
  'api.doctor.clockImpossible':
    'The clock of this computer shows {time}, which cannot be right. Certificates, sign-in and the trash depend on it. Set the date and time, and turn on automatic time.',
  'api.doctor.clockAhead':
    'At {time} the clock of this computer jumped far ahead. If it is right now, nothing needs to be done. Nothing is deleted for its age until a day later.',
  'api.doctor.clockBack':
    'The clock of this computer shows {time}, but something was written at {newest}: it was set back. Certificates, sign-in and the trash depend on it. Set the date and time, and turn on automatic time.',
  'api.doctor.countWrong':
    '{home}: storage use including versions and the trash: recorded {used, plural, one {# byte} other {# bytes}}, actual {counted, plural, one {# byte} other {# bytes}}. Quotas are wrong until this is repaired: {command} doctor --repair',
  'api.doctor.countFixed': '{home}: storage use recalculated.',
  'api.doctor.databaseDamaged': 'The database {file} is damaged ({reason}). {advice}',
  'api.doctor.logLarge': '{file} has grown large. Restart Larder to shrink it.',
  'api.doctor.copies':
    '{count, plural, one {There is # copy of the database from before an upgrade: {path}.} other {There are # copies of the database from before upgrades. The latest is {path}.}}',
  'api.doctor.rowsOrphaned':
    '{count, plural, one {# row of the database refers} other {# rows of the database refer}} to something that no longer exists, the first in "{table}". Another program has changed the database. {advice}',
  'api.doctor.nothingRepaired': 'Nothing was repaired because the database is damaged. Restore it first.',
  'api.doctor.repairFailed': '{problem} It could not be repaired: {reason}',
  'api.doctor.checkFailed':
    '{check, select, database {The database could not be checked: {reason} See the log in {folder}.} clock {The clock could not be checked: {reason} See the log in {folder}.} folder {The data folder could not be checked: {reason} See the log in {folder}.} homes {The home folders could not be checked: {reason} See the log in {folder}.} stored {Versions and the trash could not be checked: {reason} See the log in {folder}.} files {The files could not be checked: {reason} See the log in {folder}.} counts {The use of space could not be checked: {reason} See the log in {folder}.} leftovers {Leftovers could not be checked: {reason} See the log in {folder}.} certificates {The certificates could not be checked: {reason} See the log in {folder}.} ports {The ports could not be checked: {reason} See the log in {folder}.} backups {The backups could not be checked: {reason} See the log in {folder}.} other {Free space could not be checked: {reason} See the log in {folder}.}}',
  'api.doctor.foldersUnreadable':
    '{count, plural, one {# folder} other {# folders}} in {home} cannot be read: {folders}. Give the user that runs Larder access, or check the disk.',
  'api.doctor.filesDiffer':
    '{home}: other programs have changed files: {summary}. Larder notices this when the folder is listed, or now with: {command} doctor --repair',
  'api.doctor.filesReconciled': '{home}: the catalogue matches the disk again: {summary}.',
  'api.doctor.filesNew': '{count, number} new ({paths})',
  'api.doctor.filesGone': '{count, number} missing ({paths})',
  'api.doctor.filesChanged': '{count, number} changed ({paths})',
  'api.doctor.noInstallation':
    'There is no Larder installation in {folder}. Specify its folder: {command} doctor --folder <path>. To create a new installation there: {command} serve',
  'api.doctor.authorityMissing':
    'The household’s certificate authority {file} is missing. Restore the folder {folder} from a backup. Otherwise the next start creates a new authority, which every device must trust again.',
  'api.doctor.folderMissing': 'The folder {folder} is missing.',
  'api.doctor.folderRecreated': 'The folder {folder} was missing and has been created again, empty.',
  'api.doctor.exposed': 'Other users of this computer have access to {path}. Remove their access: chmod go= "{path}"',
  'api.doctor.exposedBefore':
    'Other users of this computer had access to {path}. Larder has removed it. Nothing else is required unless someone may have read it.',
  'api.doctor.inUse':
    '{problem} Stop the program that uses {folder}, or wait until it finishes. If it is not Larder, this shows its name: fuser -v "{file}"',
  'api.doctor.cannotOpen': '{folder} cannot be opened: {reason}.',
  'api.doctor.folderMissingRepair':
    'The folder {folder} is missing. To create it again, empty: {command} doctor --repair',
  'api.doctor.noFolder': 'The folder {path} does not exist. Specify the data folder: {command} doctor --folder <path>',
  'api.doctor.notFolder': '{path} is not a folder. Specify the data folder: {command} doctor --folder <path>',
  'api.doctor.folderDenied':
    'This user cannot read and write {path}. Run Larder as the user who owns the folder, or give it access.',
  'api.doctor.folderReadOnly':
    '{path} is on a read-only disk. It was mounted read-only, or the system made it read-only after an error. Check the disk.',
  'api.doctor.exposedRepair':
    'Other users of this computer have access to {path}. Remove their access: chmod go= "{path}", or {command} doctor --repair',
  'api.doctor.exposedFixed': 'Other users of this computer no longer have access to {path}.',
  'api.doctor.homeOffline':
    '{problem} Until then the home folder is offline, and all information about it is retained.',
  'api.doctor.homeMissing': 'The home folder {home} is missing. Connect its disk, or put the folder back.',
  'api.doctor.homeWithoutMarker':
    'The home folder {home} has lost its marker file. If its files are missing, connect its disk. If they are there, restore the marker: echo {id} > "{file}"',
  'api.doctor.homeOtherMarker':
    'The marker file in {home} belongs to another home folder. Put the right folder in its place. If this is the right one, write its marker: echo {id} > "{file}"',
  'api.doctor.homeStalled':
    'The disk with the home folder {home} does not respond. Check the disk and its connection. A network disk may have lost its server.',
  'api.doctor.homeDenied':
    'This user cannot read the home folder {home}: its permissions were changed, or its disk has errors. Give the user that runs Larder access to {file} and everything else in it.',
  'api.doctor.controlFileLeft':
    '{file} was left behind by a server that did not stop properly, perhaps because of a power failure. The next start replaces it.',
  'api.doctor.controlFileRemoved': '{file}, left behind by a server that is no longer running, was removed.',
  'api.doctor.controlFileOther':
    '{file} was not written by the running server, so commands cannot find it. Restart Larder.',
  'api.doctor.changesInterrupted':
    '{count, plural, one {# change was interrupted} other {# changes were interrupted}} ({kinds}; the first at {time}). Larder finishes or reverts them at a start. Connect all disks and restart Larder. If this remains, see {file}.',
  'api.doctor.uploadsStale':
    '{count, plural, one {# upload} other {# uploads}} in {folder} received nothing for more than a day and cannot be continued. Restart Larder to remove what is left of them.',
  'api.doctor.startLeftover': '{file} was left behind by an interrupted start and can be deleted.',
  'api.doctor.namesMore': '{home} has {count, plural, one {# more folder} other {# more folders}} with such names.',
  'api.doctor.namesTwins':
    '{names} in {folder} differ only in upper and lower case or in the encoding of accents. Windows, macOS and some phones show only one of them. Rename the others.',
  'api.doctor.namesInvalid':
    '{count, plural, one {# name} other {# names}} in {folder} {count, plural, one {is} other {are}} not valid UTF-8 and cannot be listed, opened in apps or downloaded: {names}. Rename in the file manager, or in that folder with: mv -- {quoted} {example}',
  'api.doctor.databaseUnreadable': 'The database {file} is damaged ({reason}).',
  'api.doctor.databaseBusy': 'Another program is using the database {file}.',
  'api.doctor.databaseBusyAdvice': 'Stop it. This shows its name: fuser -v "{file}"',
  'api.doctor.httpAllowed':
    'HTTP testing mode is on: passwords, tokens and files can be read by anyone on the network. When you have finished testing: {command} control settings.update {input}',
  'api.doctor.portsRestart': 'Restart Larder. If that does not help, check for a firewall on this computer.',
  'api.doctor.httpPortTaken': '{problem} Stop the program that uses it, or start Larder with another --http-port.',
  'api.doctor.httpsSilent': 'The HTTPS port {port} does not respond at {host}. {advice}',
  'api.doctor.httpsOther': 'The HTTPS port {port} does not show the certificate of this Larder. {advice}',
  'api.doctor.httpSilent': 'The plain HTTP port {port} does not respond at {host}. {advice}',
  'api.doctor.portInUse':
    '{kind, select, https {The HTTPS port {port} is in use by another program.} http {The plain HTTP port {port} is in use by another program.} other {The control port {port} is in use by another program.}}',
  'api.doctor.portDenied':
    '{kind, select, https {This user cannot open the HTTPS port {port}: ports below 1024 require special rights.} http {This user cannot open the plain HTTP port {port}: ports below 1024 require special rights.} other {This user cannot open the control port {port}: ports below 1024 require special rights.}}',
  'api.doctor.portAddress':
    '{kind, select, https {The HTTPS port {port} cannot be opened because this computer does not have the address {host}.} http {The plain HTTP port {port} cannot be opened because this computer does not have the address {host}.} other {The control port {port} cannot be opened because this computer does not have the address {host}.}}',
  'api.doctor.portFailed':
    '{kind, select, https {The HTTPS port {port} cannot be opened ({code}).} http {The plain HTTP port {port} cannot be opened ({code}).} other {The control port {port} cannot be opened ({code}).}}',
  'api.doctor.portOther': 'Larder will use another one, which commands find.',
  'api.doctor.portChooseOrStop': 'Stop that program, or choose another port with {flag}.',
  'api.doctor.portChoose': 'Choose another port with {flag}.',
  'api.doctor.portHost': 'Choose another address with --host.',
  'api.doctor.spaceLow': 'Only {size} are free in {path}. Free up space, or uploads will fail.',
  'api.doctor.space': '{size} are free in {path}.',
  'api.doctor.inodesLow':
    'The disk of {path} has room for only {count, plural, one {# more file} other {# more files}} (inodes). Delete files that are not needed.',
  'api.doctor.contentLost':
    '{kind, select, trash {The content of {count, plural, one {# item} other {# items}} in the trash is missing in {folder}: {names}. Restore the folder from a backup. Without a backup, remove the lost entries: {command} doctor --repair} other {The content of {count, plural, one {# earlier version} other {# earlier versions}} is missing in {folder}: {names}. Restore the folder from a backup. Without a backup, remove the lost entries: {command} doctor --repair}}',
  'api.doctor.contentForgotten':
    '{kind, select, trash {{count, plural, one {# item} other {# items}} in the trash without content in {folder} {count, plural, one {was} other {were}} removed: {names}.} other {{count, plural, one {# earlier version} other {# earlier versions}} without content in {folder} {count, plural, one {was} other {were}} removed: {names}.}}',
  'api.doctor.orphans':
    'Content in {folder} belongs to nothing: {names}. Check it: move what is still needed to the right home folder, and delete the rest.',
  'api.doctor.straysMovable':
    'Content in {folder} belongs to nothing: {names}. Check it and delete it, or move it to a folder "Recovered" in {home}: {command} doctor --repair',
  'api.doctor.straysMoved': 'Content in {folder} that belonged to nothing is now in {home}: {paths}.',
  'api.doctor.remains':
    '{path} is left over from something that was deleted permanently. To finish the deletion: {command} doctor --repair',
  'api.doctor.remainsRemoved': '{path}, left over from something that was deleted permanently, was removed.',
  'api.doctor.accessDenied': 'access denied',
  'api.doctor.few': '{names} and {count, number} more',
  'api.doctor.noPermissions': 'the file system does not support permissions',
  'api.doctor.folderNeeded': 'a file "{name}" is in the place of the folder with this name. Rename it',
  'api.doctor.homeIsOffline': 'the home folder is offline',
} as const;
