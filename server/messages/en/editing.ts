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
  'editing.createHelp': '“.txt” is added, unless the name is that of a text already.',
  'editing.cannot.heading': 'This file cannot be edited here',
  'editing.cannot.lead':
    'Only texts in UTF-8 of up to 512 KB can, and no tables with line breaks within cells. Download the file to edit it with another program.',
  'editing.cannot.back': 'Back to the file',
} as const;
