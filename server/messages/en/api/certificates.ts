/** Problems of certificates, names and ports. */
export const apiCertificatesMessages = {
  'api.network.httpPort': 'The plain HTTP port {port} could not be opened ({reason}).',

  'api.tls.authorityUnusable':
    'The household’s certificate authority cannot be used: {problem}. Restore ca.crt and ca.key together from a backup. Without a backup, move both files away: the next start creates a new authority, which every device must trust again.',
  'api.tls.damaged': '{file} is damaged',
  'api.tls.notAuthority': '{file} is not the certificate of an authority',
  'api.tls.missing': '{file} is missing',
  'api.tls.otherKey': '{file} does not belong to ca.crt',
  'api.tls.constraints': '{file} has name constraints that cannot be read',
  'api.tls.keyType': '{file} is not an ECDSA P-256 key',
  'api.tls.exposed': 'Other users of this computer have access to {path}. Its permissions cannot be changed.',
  'api.tls.notStored': 'The server certificate could not be stored in {folder}: {reason}.',
  'api.tls.ownCertificateMissing': 'own.crt is missing next to own.key',
  'api.tls.ownKeyMissing': 'own.key is missing next to own.crt',
  'api.tls.ownUnreadable': 'it cannot be read ({reason})',
  'api.tls.ownNotCertificate': 'own.crt is not a certificate in PEM format',
  'api.tls.ownOtherKey': 'own.key does not belong to the first certificate in own.crt',
  'api.tls.ownNotKey': 'own.key is not an unencrypted private key in PEM format ({reason})',
  'api.tls.ownNotServer': 'own.crt is not a server certificate',
  'api.tls.ownNotYet': 'own.crt is not valid before {date}',
  'api.tls.ownExpired': 'own.crt expired on {date}',
  'api.tls.ownRejected': 'TLS rejects it ({reason})',
  'api.tls.ownUnused':
    'Your own certificate is not used: {reason}. Until this is fixed, the household certificate is used.',
  'api.tls.ownHasExpired': 'Your own certificate (own.crt) expired on {date}.',
  'api.tls.ownExpires': 'Your own certificate (own.crt) expires on {date}. Replace own.crt and own.key soon.',
  'api.tls.nameInvalid':
    '"{name}" (--name) is neither a host name nor an address, so it is not in the certificate. Correct it.',
  'api.tls.nameNotInOwn':
    '"{name}" (--name) is not in your own certificate, so browsers reject it. Use a certificate for it (own.crt and own.key in {folder}).',
  'api.tls.nameNotPermitted':
    '"{name}" (--name) is not in the certificate: the household’s certificate authority was created without it, so devices would reject it. Use your own certificate for it (own.crt and own.key in {folder}), or stop Larder and move ca.crt and ca.key away: the next start creates a new authority with this name, which every device must trust again.',
  'api.tls.authorityNotYet':
    'The household’s certificate authority is not valid before {date}. Check the date and time of this computer.',
  'api.tls.authorityExpired':
    'The household’s certificate authority expired on {date}. Stop Larder and move ca.crt and ca.key away: the next start creates a new authority, which every device must trust.',
  'api.tls.authorityExpires':
    'The household’s certificate authority expires on {date}. Stop Larder and move ca.crt and ca.key away: the next start creates a new authority, which every device must trust.',
  'api.tls.notFile': '{path} is not a file. Remove it, or restore the file.',
} as const;
