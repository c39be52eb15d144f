import type { Scope } from './scopes.ts';

/**
 * What a credential may do of what its account may do: an app password, or a token of an app. Callers without one, such as
 * sessions of the pages, may do everything that their account may do.
 */
export interface CredentialGrant {
  /** Names the credential as long as it exists, such as `authorization:12` or `app-password:7`. Locks belong to one. */
  readonly id: string;
  readonly scopes: ReadonlySet<Scope>;
  /** The folder that it is limited to, by its uuid; null for all that the account reaches. */
  readonly rootUuid: string | null;
  /** Whether it may change nothing, whatever its scopes. */
  readonly isReadOnly: boolean;
  /** When it ends by itself, in milliseconds since the epoch; null if it does not. */
  readonly expiresAt: number | null;
}
