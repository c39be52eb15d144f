/** The page that edits a text. */
export const editingMessages = {
  'editing.heading': 'Edit {name}',
  'editing.label': 'Text of {name}',
  'editing.save': 'Save',
  'editing.saveAnyway': 'Save anyway',
  'editing.saveCopy': 'Save as a copy',
  'editing.changed':
    'The file was changed since you opened it. Your text is still here, and not saved yet. If you save it anyway, the other text stays among the versions.',
  'editing.gone':
    'The file was deleted, renamed or moved since you opened it. Your text is still here, and not saved yet.',
  'editing.signedOut':
    'You are signed out, and your text is not saved yet. Sign in in another tab, then save again here.',
  'editing.tooLong': 'A text that is edited here can have up to 512 KB. Shorten it, or save it with another program.',
  'editing.leave': 'Leave without saving? What you have typed would be lost.',
  'editing.nameTaken': '“{name}” exists already. Choose another name.',
  'editing.create': 'New text file',
  'editing.createSubmit': 'Create file',
  'editing.createHelp': '“.txt” is added if the name does not end like that of a text file.',
  'editing.cannot.heading': 'This file cannot be edited here',
  'editing.cannot.lead':
    'It is larger than 512 KB, is not a text in UTF-8, or is a table with line breaks within cells. Download it to edit it with another program.',
  'editing.cannot.back': 'Back to the file',
} as const;
