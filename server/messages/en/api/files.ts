/** Errors of operations on files and folders. */
export const apiFilesMessages = {
  'api.uploads.contentRange':
    'The header "Content-Range" is not supported for uploads. Send chunks with "totalSize" and "startByte".',
  'api.uploads.uploadId': 'The parameter "uploadId" must have 16 to 128 letters, digits, "-" and "_".',
  'api.uploads.totalTooSmall': 'The parameter "totalSize" is smaller than the content that was sent.',
  'api.uploads.ambiguous':
    'Another file of this size is being uploaded to the same path. Start again at byte 0 with your own "uploadId".',
  'api.uploads.uploadIdInUse': 'This "uploadId" belongs to the upload of another file.',
  'api.uploads.continuesAt': 'The upload of this file continues at byte {offset} of {total}.',
  'api.uploads.startsAt':
    'The upload of this file starts at byte 0 of {total}. To continue after another sign-in, send "uploadId" with every chunk.',
  'api.uploads.digestsDiffer': 'The parameter "sha256" does not match the header "Repr-Digest".',
  'api.uploads.sha256': 'The parameter "sha256" must have 64 hexadecimal digits.',
  'api.uploads.digestHeader': 'The header "{header}" is malformed.',
  'api.uploads.digestLength': 'The header "{header}" has a digest of the wrong length.',
  'api.uploads.digestMismatch': 'The content does not match the digest that was sent with it.',
  'api.uploads.startByte': 'The parameter "startByte" is not the start of the content.',
  'api.uploads.size':
    'The parameter "{parameter}" is not the size of the content, which is {size, plural, one {# byte} other {# bytes}}.',
  'api.uploads.totalTwice': 'The parameter "totalSize" was sent twice with different values.',
  'api.uploads.startByteFlow': 'The parameters "startByte" and "flowChunkNumber" contradict each other.',
  'api.uploads.firstChunk': 'The parameters "frIsFirstChunk" and "startByte" contradict each other.',
  'api.uploads.foreignSize':
    'The parameter "{parameter}" is not the size of the content, which is {size, plural, one {# byte} other {# bytes}}. Send chunks with "totalSize" and "startByte".',
  'api.uploads.foreignTotal':
    'The parameter "{parameter}" is not the size of the content. Send chunks with "totalSize" and "startByte".',
  'api.uploads.foreignChunks':
    'The parameter "{parameter}" announces several chunks. Send chunks with "totalSize" and "startByte".',
  'api.uploads.tooManyParts': 'An upload can have {most, number} parts.',
  'api.uploads.mixedParts': 'All parts of an upload must have numbers, or all of them must have ranges of bytes.',
  'api.uploads.gone': 'This upload has expired or was removed. Start again.',
  'api.uploads.homeChanged': 'The path moved to another home folder during the upload.',
  'api.uploads.missingFile': 'The content is missing. Send it in a part named "file".',
  'api.uploads.missingPath': 'The parameter "path" or "filePath" is required.',
  'api.uploads.missingName': 'The path of an upload must end with the name of a file.',
  'api.uploads.missingFolder':
    'The folder "{folder}" does not exist. Create it first, or send "filePath" instead of "path" to create missing folders.',
  'api.uploads.tooDeep': 'The folder in the parameter "name" is too deep.',
  'api.uploads.key': 'The parameter "key" must have 8 to 64 letters, digits, "-" and "_".',
  'api.uploads.name': 'The parameter "name" is not a valid file name.',

  'api.access.notItem': 'This path is a list, not a file or folder.',
  'api.access.notFound': 'This file or folder does not exist.',
  'api.access.typeNotAllowed': '"{name}" has a file type that this account cannot upload.',
  'api.access.homeFull': 'There is not enough space in the owner’s home folder.',
  'api.access.quotaExceeded': 'There is not enough space. The quota is {megabytes, number} MB.',
  'api.access.readOnly': 'This account is read-only: it has the permission "readonly".',
  'api.access.readOnlyCredential': 'This app password or token is read-only.',
  'api.access.ownerOnly': 'Only the owner of this item can do this.',
  'api.access.shareLacks': 'The share does not include the permission "{permission}".',
  'api.access.pathBusy': 'Another operation on this path is still running. Try again in a moment.',
  'api.access.alreadyExists': 'An item named "{name}" already exists.',
  'api.access.noFilm': 'This photo contains no film.',
  'api.access.isFolder': 'This is a folder. A file is required.',
  'api.access.intoItself': 'A folder cannot be moved or copied into itself.',
  'api.access.contentTooLarge': 'The content is larger than allowed.',
  'api.access.systemDenied': 'The operating system does not allow Larder to do this.',
  'api.access.diskReadOnly': 'The disk with these files is read-only at the moment.',
  'api.access.nameTooLong': 'The name is too long for this disk.',
  'api.access.otherDisk': 'This item is on another disk.',
  'api.access.folderNotFound': 'This folder does not exist.',

  'api.files.invalidName':
    '{problem, select, empty {The name must not be empty.} reference {A name cannot be "." or "..".} encoding {The name is not valid text.} characters {A name cannot contain / \\ : * ? " < > | or control characters.} ending {A name cannot end with a dot or a space.} device {This name is reserved on Windows.} other {A name can have at most {max, plural, one {# byte} other {# bytes}}.}}',
  'api.files.fixedRoot': 'A home folder or a shared item cannot be renamed or moved as a whole.',
  'api.files.copyHome': 'A home folder cannot be copied as a whole.',
  'api.files.deleteRoot': 'A home folder or a shared item cannot be deleted as a whole.',

  'api.versions.filesOnly': 'The parameter "version" is only for files.',
  'api.versions.changed': 'The file has changed in the meantime.',
  'api.versions.restoreCurrent': 'The parameter "version" is the current version of the file.',
  'api.versions.notFound': 'This version does not exist.',

  'api.locks.alreadyLocked': 'You have already locked this file.',
  'api.locks.notLocked': 'This file is not locked.',
  'api.locks.lockedBy': '"{name}" is locked by {user}.',
  'api.locks.lockedByOwnProgram': '"{name}" is locked by another program that you use.',
  'api.locks.tooMany': 'You have {most, number} locks already. Release some of them first.',
  'api.locks.whole': 'A whole home or share cannot be locked, only what is in it.',
  'api.locks.tokenUnknown': 'There is no lock with this token here.',
  'api.locks.lockedByOther': '"{name}" is locked by someone else.',

  'api.trash.path': 'The path of an item in the trash has the form /TRASH/<id>.',

  'api.archives.damaged': 'The archive is damaged. Nothing was extracted.',
  'api.archives.unsupported': 'This is not a ZIP archive, or its format is not supported.',
  'api.archives.tooLarge': 'The archive was not extracted: its directory is too large.',
  'api.archives.timeout': 'The archive was not extracted: extracting it takes too long.',
  'api.archives.busy': 'Too many archives are being processed. Try again in a moment.',
  'api.archives.unsafe':
    '{hazard, select, special {The archive was not extracted: it contains a link, a device or another entry that is neither a file nor a folder.} path {The archive was not extracted: it contains a path outside the archive.} name {The archive was not extracted: it contains a name that is not allowed.} too_deep {The archive was not extracted: it contains a path that is too long for the destination.} duplicate {The archive was not extracted: it contains two entries with the same name on some systems.} encrypted {The archive was not extracted: it is encrypted.} too_many {The archive was not extracted: it contains more than {maxEntries, plural, one {# item} other {# items}}.} too_large {The archive was not extracted: its content is larger than 2 GB.} ratio {The archive was not extracted: its content is more than {maxRatio, plural, one {# time} other {# times}} as large as the archive.} overlap {The archive was not extracted: its entries overlap.} other {The archive was not extracted: it contains contradictory information about an entry.}}',
  'api.archives.unsafeName': 'The archive was not extracted: the name of an entry is not allowed. {problem}',

  'api.thumbnails.folder': 'Folders have no thumbnails.',
  'api.thumbnails.none': 'There is no thumbnail: the file has no readable picture.',
  'api.thumbnails.tooLarge': 'There is no thumbnail: the picture is too large.',
  'api.thumbnails.busy': 'Too many thumbnails are being created. Try again in a moment.',
} as const;
