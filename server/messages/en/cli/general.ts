/** The command line in general. */
export const cliGeneralMessages = {
  'cli.usage.unknownCommand': 'There is no command "{name}". See: {command} help',
  'cli.usage.unexpected': '"larder {name}" does not accept "{argument}". See: {command} help',
  'cli.usage.flagOf': '--{flag} is only for: {commands}',
  'cli.usage.invalid': '{problem} See: {command} help',
  'cli.usage.owner': 'Enter the username of the owner: --owner <username>',
  'cli.usage.passwordInput':
    'Send the password on standard input: {command} setup --owner ann --password-stdin < password.txt',
  'cli.usage.history': '--history requires --files: {command} backup --files --history',
  'cli.usage.from': 'Enter the backup to restore: {command} restore --from <backup>',
  'cli.usage.wholeOnly': '--{flag} cannot be combined with --include, which restores files only.',
  'cli.usage.control':
    'Usage: {command} control <method> [json], or - instead of the JSON to read it from standard input, with one of these methods:',
  'cli.usage.inputTooLong': 'Standard input is too long.',
  'cli.usage.inputNotJson': 'Standard input is not valid JSON.',
  'cli.usage.notJson': 'This is not valid JSON: {text}',
  'cli.usage.unknownMethod': 'There is no control method "{method}". See: {command} control',

  'cli.prompts.password': 'Password (not shown):',
  'cli.prompts.passphrase': 'Passphrase (not shown):',

  'cli.errors.seePort': 'See: --port',
  'cli.errors.nothingThere':
    'There is no Larder in {folder}, and nothing was created. Check --folder, or create one: {command} setup, or {command} serve',
  'cli.errors.folderTaken':
    'Another Larder is using this folder, but {file} cannot be read. Run this command as the same user, or try again in a moment.',
  'cli.errors.otherServer': 'The program on port {port} is not the Larder of this folder.',
  'cli.errors.notResponding': 'The running server does not respond on its control port {port} ({reason}).',
  'cli.errors.notLarder': 'The program on port {port} is not Larder.',

  'cli.config.port': '{flag} (or {variable}) must be a port from 0 to 65535.',
  'cli.config.basePath': '{flag} (or {variable}) must be a path prefix such as /files.',
  'cli.config.oneOf': '{flag} (or {variable}) must be one of: {values}.',
  'cli.config.workerMemory': '{flag} (or {variable}) must be at least 256 MiB.',
  'cli.config.invalid': '{flag} (or {variable}) is not valid.',
} as const;
