/** Errors of the resumable upload protocol tus. */
export const apiTusMessages = {
  'api.tus.version': 'The header "Tus-Resumable" must be "{version}".',
  'api.tus.unknownAddress': 'Nothing is at this address. Uploads are created with POST at "/tus/".',
  'api.tus.length': 'The header "Upload-Length" must be the size of the file in bytes.',
  'api.tus.offset': 'The header "Upload-Offset" must be the number of bytes sent so far.',
  'api.tus.extension': 'The header "{header}" is not supported.',
  'api.tus.contentType': 'The header "Content-Type" must be "application/offset+octet-stream".',
  'api.tus.metadata':
    'The header "Upload-Metadata" must be a list of keys, each followed by a space and its value in Base64.',
  'api.tus.metadataTooLong': 'The header "Upload-Metadata" can have {most, number} characters.',
  'api.tus.tooMany': 'You have {most, number} unfinished uploads. Finish or delete some of them first.',
  'api.tus.filename': 'The header "Upload-Metadata" must have the key "filename", with the name of the file.',
  'api.tus.checksum':
    'The header "Upload-Checksum" must be an algorithm ({algorithms}), a space and the checksum in Base64.',
  'api.tus.checksumMismatch': 'The content does not match the header "Upload-Checksum".',
  'api.tus.tooLong': 'The content is longer than the header "Upload-Length" says.',
  'api.tus.unknownUpload': 'This upload does not exist.',
  'api.tus.missingFolder': 'The folder "{folder}" does not exist. Create it first.',
  'api.tus.complete': 'This upload is complete. Its file is an ordinary file now.',
} as const;
