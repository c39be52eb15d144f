/** The certificate of the HTTPS listener. */
export interface ServerCertificate {
  /** PEM. */
  readonly key: string;
  /** PEM: the server's certificate, then its issuers. */
  readonly chain: string;
  /** SHA-256 of the server's certificate, `AA:BB:…`. */
  readonly fingerprint: string;
  /** Milliseconds since the epoch. */
  readonly notAfter: number;
  readonly names: readonly string[];
  /** Issued by the household's authority, or the owner's own. */
  readonly source: 'household' | 'own';
}
