/** Problems of certificates, names and ports. */
export const apiCertificatesMessages = {
  'api.network.httpPort': 'The plain HTTP port {port} could not be opened ({reason}).',
} as const;
