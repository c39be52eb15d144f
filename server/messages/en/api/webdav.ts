/** Errors of WebDAV. Several programs show them. */
export const apiWebdavMessages = {
  'api.webdav.address': 'This address contains a name that cannot exist.',
  'api.webdav.bodyNotAllowed': 'This request must not have a body.',
  'api.webdav.checksum': 'The header "OC-Checksum" has a checksum that is not hexadecimal, or of the wrong length.',
  'api.webdav.depth': 'The Depth header of this request must be {allowed}.',
  'api.webdav.destinationMissing': 'The Destination header is missing.',
  'api.webdav.exists': 'There is already a file or folder here.',
  'api.webdav.favourite': 'The property "favorite" must be 1 or 0.',
  'api.webdav.finiteDepth': 'Folders can be listed one at a time only. Send "Depth: 0" or "Depth: 1".',
  'api.webdav.fixedList': 'This list cannot be changed here.',
  'api.webdav.insideDestination': 'The item is inside its destination.',
  'api.webdav.folder':
    'This is the address of Larder for programs (WebDAV). To see your files in a browser, open {address}.',
  'api.webdav.ifHeader': 'The If header cannot be read.',
  'api.webdav.lockHeader': 'The Lock-Token header is missing or cannot be read.',
  'api.webdav.malformedXml': 'The body is not well-formed XML.',
  'api.webdav.method': 'This address does not support the method {method}.',
  'api.webdav.notAFolder': 'This is a folder.',
  'api.webdav.otherServer': 'The destination is on another server.',
  'api.webdav.overwrite': 'The Overwrite header must be "T" or "F".',
  'api.webdav.propertiesOfHome':
    'The properties of all files and folders of a home can have {megabytes, number} MB together.',
  'api.webdav.propertiesTooLarge': 'The properties of one file or folder can have {kilobytes, number} KB together.',
  'api.webdav.sameItem': 'The destination is the item itself.',
  'api.webdav.unexpectedXml': 'The body is not a valid {expected} element.',
} as const;
