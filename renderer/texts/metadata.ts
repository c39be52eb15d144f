const number = (value: number) => value.toLocaleString('en-GB');
const counted = (value: number, one: string, many = `${one}s`) => `${number(value)} ${value === 1 ? one : many}`;

/** What the pages about metadata say: file types, and field sets with their fields. */
export const metadataTexts = {
  title: 'Metadata',
  lead: 'What people can note about files, beyond tags, ratings and labels.',
  tabs: { label: 'Metadata', types: 'File types', sets: 'Field sets' },
  cancel: 'Cancel',
  save: 'Save changes',
  edit: 'Edit',
  rename: 'Rename',
  remove: 'Remove',
  name: 'Name',
  needed: 'Type a name.',
  actions: 'Actions',
  actionsOf: (name: string) => `Actions for ${name}`,
  fromStart: 'From the start',
  keep: (name: string) => `Keep ${name}`,
  removeTitle: (name: string) => `Remove ${name}?`,
  types: {
    add: 'Add file type',
    columns: { name: 'File type', files: 'Files', sets: 'Field sets' },
    all: 'all files and folders',
    byKind: 'by their kind',
    noSets: '—',
    addTitle: 'Add a file type',
    editTitle: (name: string) => `Edit ${name}`,
    setsTitle: (name: string) => `Field sets of ${name}`,
    nameHelp: 'Such as Invoice, or Recipe.',
    extensions: 'Extensions',
    extensionsHelp: 'Such as pdf. Each ends with Enter or a comma.',
    extensionsNeeded: 'Give at least one extension.',
    sets: 'Field sets',
    setsHelp: 'Files of this type have their fields.',
    setsStay: (names: string) => `In addition to ${names}, which always belongs to it.`,
    noSetsYet: 'There is none of your own yet. Add one under Field sets.',
    loss: (sets: number) =>
      sets === 0
        ? 'Its files stay as they are.'
        : `The files stay, and what was noted in the fields of its ${counted(sets, 'field set')} stays with them. Nothing more can be noted there, unless another type has the ${sets === 1 ? 'set' : 'sets'}.`,
  },
  sets: {
    add: 'Add field set',
    empty: 'No field sets of your own yet',
    emptyHelp: 'A field set is a group of fields under a name, such as Warranty with Shop, Price and Until.',
    addTitle: 'Add a field set',
    renameTitle: (name: string) => `Rename ${name}`,
    nameHelp: 'Such as Warranty.',
    types: 'File types',
    typesHelp: 'Files of these types have its fields. Later, that is changed under File types.',
    of: (types: string) => `on ${types}`,
    ofNone: 'on no files yet',
    embedded: 'Read from the files',
    embeddedHelp:
      'Larder finds these in pictures, films, music and documents. They can be neither changed nor removed.',
    loss: (fields: number) =>
      fields === 0
        ? 'It has no fields. The files stay.'
        : `${counted(fields, 'field goes', 'fields go')} with it, and everything that was noted in ${fields === 1 ? 'it' : 'them'}. The files stay.`,
    removed: (name: string, fields: number, values: number) =>
      `${name} is removed, with ${counted(fields, 'field')} and ${counted(values, 'value')}.`,
  },
  fields: {
    add: 'Add field',
    columns: { name: 'Field', kind: 'Kind', options: 'Options' },
    none: 'No fields yet.',
    noOptions: '—',
    addTitle: (set: string) => `Add a field to ${set}`,
    editTitle: (name: string) => `Edit ${name}`,
    /** How it is called where a set of the same name may stand beside it. */
    of: (name: string, set: string) => `${name} of ${set}`,
    kind: 'Kind',
    kindHelp: 'It can be changed as long as everything fits that was noted.',
    kinds: {
      text: 'Text',
      longtext: 'Long text',
      number: 'Number',
      date: 'Date',
      choice: 'One choice',
      choices: 'Several choices',
      stars: 'Stars',
    },
    options: 'Options',
    optionsHelp: 'Each ends with Enter or a comma.',
    optionsNeeded: 'Give at least one option.',
    loss: 'Everything that was noted in it goes with it. The files stay.',
    removed: (name: string, values: number) => `${name} is removed, with ${counted(values, 'value')}.`,
  },
} as const;
