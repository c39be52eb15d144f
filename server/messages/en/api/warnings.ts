/** Warnings that the panel shows in places of its own. */
export const warningMessages = {
  'api.warnings.http':
    'HTTP testing mode is on: passwords, tokens and files can be read by anyone on the network. Use it for testing only and turn it off afterwards.',
  'api.warnings.sameDisk':
    'The backup is on the same disk as Larder and does not help if that disk fails. Choose a folder on another disk (backupFolder).',
} as const;
