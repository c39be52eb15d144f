export type Grant = 'authorization_code' | 'refresh_token' | 'password';

/** A registered client as it was read. */
export interface ClientRecord {
  readonly id: number;
  readonly clientId: string;
  readonly name: string;
  /** SHA-256 of the secret; null for a public client. */
  readonly secretHash: Buffer | null;
  readonly redirectUris: string[];
  readonly grants: Grant[];
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** The publisher; empty when unknown. */
  readonly publisher: string;
  /** An https address; empty when unknown. */
  readonly website: string;
  /** A small PNG. */
  readonly logo: Buffer | null;
  /** Since when it is switched off, in milliseconds since the epoch; null while it is not. */
  readonly disabledAt: number | null;
}

export interface ClientRow {
  id: number;
  client_id: string;
  name: string;
  secret_hash: Buffer | null;
  redirect_uris: string;
  grants: string;
  created_at: number;
  publisher: string;
  website: string;
  logo: Buffer | null;
  disabled_at: number | null;
}

export function clientOf(row: ClientRow): ClientRecord {
  return {
    id: row.id,
    clientId: row.client_id,
    name: row.name,
    secretHash: row.secret_hash,
    redirectUris: JSON.parse(row.redirect_uris),
    grants: JSON.parse(row.grants),
    createdAt: row.created_at,
    publisher: row.publisher,
    website: row.website,
    logo: row.logo,
    disabledAt: row.disabled_at,
  };
}
