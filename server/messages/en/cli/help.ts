/** Help of the command line. */
export const cliHelpMessages = {
  'cli.help.title': 'Larder {version}, a file service for households',
  'cli.help.serve': 'run the server',
  'cli.help.setup': 'create the owner’s account without a browser',
  'cli.help.control': 'do what the owner can do in the control panel, for example:',
  'cli.help.controlInput':
    'the same with the JSON on standard input. Use it for passwords and other secrets: every user of this computer can read the arguments of a process',
  'cli.help.status': 'show what is running and what needs attention',
  'cli.help.doctor':
    'check the installation; exit code 1 if there are problems. --repair fixes problems without risk of data loss',
  'cli.help.backup':
    'make a backup. --files includes people’s files, --history earlier versions and the trash, --passphrase-stdin encrypts the keys',
  'cli.help.backupList': 'list the backups',
  'cli.help.backupVerify': 'check a backup completely; exit code 1 if it is damaged',
  'cli.help.backupPassphrase': 'read the passphrase for the keys in backups from standard input',
  'cli.help.restore':
    'create an installation from a backup in a new folder. Damaged files are left out and listed, with exit code 1',
  'cli.help.restoreInclude':
    'restore only these files and folders, without the database and the keys, to homes/<person> in a new folder. Can be repeated; /ROOT/HOME/<path> means this path in every home folder',
  'cli.help.folder': 'the data folder; default: ./larder-data',
  'cli.help.port': 'HTTPS port; default: 8443',
  'cli.help.httpPort': 'port of the HTTP testing mode; default: 8080',
  'cli.help.controlPort': 'port of the control panel, on this computer only; default: 8444',
  'cli.help.host': 'address to listen on; default: all',
  'cli.help.name': 'further host names for the certificate',
  'cli.help.basePath': 'path prefix of all addresses',
  'cli.help.homeAccess':
    'which users of this computer can open people’s files: owner (only the user that runs Larder), group (for Samba) or everyone',
  'cli.help.logLevel': 'trace, debug, info, warn, error or silent',
  'cli.help.json': 'print the result as JSON and nothing else',
  'cli.help.environment': 'Each option can also be set in the environment: LARDER_FOLDER, LARDER_PORT and so on.',
  'cli.help.command': 'On this computer, type: {command}',
} as const;
