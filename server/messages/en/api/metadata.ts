/** Errors of search, metadata, comments, stars and albums. */
export const apiMetadataMessages = {
  'api.search.tooManyKeys': 'The parameter "meta" must not have more than {max, plural, one {# key} other {# keys}}.',
  'api.search.tooManyKeywords':
    'The parameter "{parameter}" must not have more than {max, plural, one {# keyword} other {# keywords}}.',
  'api.search.unknownType': 'The parameter "metatype" is not the ID of a file type.',
  'api.search.contentsAlone': 'The parameter "contents" cannot be combined with other criteria.',
  'api.search.missingCriterion':
    'Enter what to search for: at least one of "filename" (or "keyword"), "contents", "metatype" and "meta" is required.',

  'api.metadata.unknownField': 'The parameter "{parameter}" does not name a field.',
  'api.metadata.home': 'A home folder has no metadata.',
  'api.metadata.emptyEntry': 'The parameter "{parameter}" has an entry without text.',
  'api.metadata.color': 'The parameter "{parameter}" has a color that is neither #rgb nor #rrggbb.',
  'api.metadata.otherKind': 'The parameter "{parameter}" names a field that files of this type do not have.',
  'api.metadata.readOnlyField':
    'The parameter "{parameter}" names a field that is read from the file and cannot be changed.',
  'api.metadata.tooManyTags': 'An item must not have more than {max, plural, one {# tag} other {# tags}}.',

  'api.comments.home': 'A home folder cannot have comments.',
  'api.comments.notAllowed': 'Only the author of the comment or the owner of the file can delete it.',
  'api.comments.notFound': 'This comment does not exist.',

  'api.stars.already': 'This item is already starred.',
  'api.stars.notStarred': 'This item is not starred.',
  'api.stars.home': 'A home folder cannot be starred.',

  'api.albums.notFound': 'This album does not exist.',
  'api.albums.title': 'Enter a title.',
  'api.albums.titleLength': 'A title can have at most {max, plural, one {# character} other {# characters}}.',
  'api.albums.tooMany': 'An account cannot have more than {max, plural, one {# album} other {# albums}}.',
  'api.albums.tooManyItems': 'An album cannot have more than {max, plural, one {# photo} other {# photos}}.',
  'api.albums.home': 'A home folder cannot be shown as an album.',
  'api.albums.notFolder': 'Only a folder can be shown as an album.',
  'api.albums.ofFolder': 'This album is a folder: its name and its photos are those of the folder.',
  'api.albums.builtIn': 'Favourites are the starred photos and videos. This album cannot be changed.',
  'api.albums.notPhoto': 'Only photos and videos can be in an album.',
  'api.albums.ofOther': 'Only the owner of this album can do this.',
  'api.albums.guest': 'An album cannot be shared with guests.',
  'api.albums.nothingToLink': 'There is nothing of your own files in this album yet.',
  'api.albums.notShared': 'This album is not shared with them.',
  'api.albums.cover': 'This photo is not in the album.',

  'api.imports.notFound': 'This import does not exist.',
  'api.imports.tooMany': 'There are {max, plural, one {# import} other {# imports}} in progress already.',
  'api.imports.ended': 'This import has ended already.',
  'api.imports.notStopped': 'This import was neither cancelled nor has it failed.',
  'api.imports.ofOwner': 'Only the owner of this Larder can continue this import.',
  'api.imports.tooManyEntries':
    'The archive has more than {max, number} files. Ask for a copy in parts of 2 to 10 GB, and import these.',
  'api.imports.tooManyTogether':
    'The archives have more than {max, number} files together. Import some of them at a time.',
  'api.imports.tooManyFiles':
    'The folder has more than {max, number} files, or more than {archives, number} exports. Choose a smaller one.',
  'api.imports.folderAway':
    'The folder is not available, or has nothing of this import left. Connect its disk, and continue.',
  'api.imports.folder.relative': 'Enter the whole path of a folder on the computer that runs Larder.',
  'api.imports.folder.problem':
    '{problem, select, denied {The user that runs Larder does not have permission to open the folder.} file {This is not a folder.} other {This folder does not exist, or its disk is not connected.}}',
  'api.imports.folder.system': 'This folder belongs to the operating system. Choose the folder with the exports.',
  'api.imports.folder.larder': 'This folder is in the folder of Larder, or contains it. Choose a folder outside of it.',
  'api.imports.folder.home':
    'This folder is in the home folder of an account, or contains one. Import what is in My Files on the page of that account.',
  'api.imports.folder.otherCheck': 'The check was stopped.',
  'api.imports.accountMissing': 'This account does not exist, or has no home folder.',
  'api.imports.changed': 'The archive is no longer the one that the import began with.',

  'api.fields.nameMissing': 'Enter a name.',
  'api.fields.nameTooLong': 'A name can have at most {max, plural, one {# character} other {# characters}}.',
  'api.fields.nameCharacters': 'A name cannot contain control characters.',
  'api.fields.noOptions': 'Only a selection field has options.',
  'api.fields.optionsMissing': 'Enter at least one option.',
  'api.fields.tooManyOptions': 'Enter at most {max, plural, one {# option} other {# options}}.',
  'api.fields.option': 'An option is a text with at most {max, plural, one {# character} other {# characters}}.',
  'api.fields.extensionsMissing': 'Enter at least one file extension.',
  'api.fields.tooManyExtensions': 'Enter at most {max, plural, one {# extension} other {# extensions}}.',
  'api.fields.extension': '"{text}" is not a file extension such as pdf.',
  'api.fields.unknownType': 'There is no file type with the ID {id}.',
  'api.fields.unknownSet': 'There is no field set with the ID {id}.',
  'api.fields.builtInSet': 'Built-in field sets cannot have further fields.',
  'api.fields.unknown':
    '{what, select, type {There is no file type with the ID {id}.} set {There is no field set with the ID {id}.} other {There is no field with the ID {id}.}}',
  'api.fields.builtIn': 'Built-in definitions cannot be changed or removed.',
  'api.fields.tooMany':
    '{what, select, type {There can be at most {max, plural, one {# file type} other {# file types}}.} set {There can be at most {max, plural, one {# field set} other {# field sets}}.} other {A field set can have at most {max, plural, one {# field} other {# fields}}.}}',
  'api.fields.nameInUse':
    '{what, select, type {A file type with this name already exists.} set {A field set with this name already exists.} other {A field with this name already exists.}}',
  'api.fields.otherSet': 'The field set with the ID {id} is for other files.',
  'api.fields.severalValues': 'Some files have several values in this field.',
  'api.fields.valueMisfit': 'An existing value is not valid for this field: "{value}".',
  'api.fields.nameComma': 'A name cannot contain a comma.',

  'api.values.single': 'The parameter "{parameter}" must have a single value.',
  'api.values.number': 'The parameter "{parameter}" must be a number such as 12 or -0.5.',
  'api.values.date': 'The parameter "{parameter}" must be a date such as 2026-12-31 or 2026-12-31T18:00:00.',
  'api.values.option': 'The parameter "{parameter}" is not one of the options.',
} as const;
