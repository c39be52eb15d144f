/** Choosing the folder, and reasons why one can’t be used. */
export const folder = {
  'folder.choose.title': 'Choose a folder for Larder',
  'folder.choose.button': 'Choose',
  'folder.suggestedName': 'Larder',

  'folder.problem.relative': 'Enter the full path of the folder.',
  'folder.problem.unreadable': 'This folder can’t be read ({code}). Choose another one.',
  'folder.problem.notWritable': 'You don’t have permission to write to {folder}. Choose another folder.',
  'folder.problem.notFolder': 'This is a file. Choose a folder.',
  'folder.problem.isBackup':
    'This is a backup. Restore it into a new folder with “larder restore”, then choose that folder.',
  'folder.problem.inCloud':
    '{name} syncs this folder while Larder writes to it, which damages databases. Choose a folder outside it.',
} as const;
