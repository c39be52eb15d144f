import type { Home } from '../catalogue/homes.ts';
import type { UnchangedLater } from '../lib/unchanged.ts';
import type { Grant } from './shared.ts';

/** A location in a home. Nothing needs to exist there. */
export interface ItemTarget {
  readonly home: Home;
  /** Below the root of the home; empty for the root itself. */
  readonly segments: readonly string[];
  /** The virtual path of the topmost folder the caller reaches through this home or share, without a trailing slash. */
  readonly base: string;
  /** How many of the segments lead to that folder: none for a home, the path to the shared item for a share. */
  readonly top: number;
  /** The share that it is reached through; null in the caller's own home. */
  readonly share: Grant | null;
  /** The folder that the credential of the caller is limited to, if it is. */
  readonly limit?: { readonly isUnchanged: UnchangedLater };
  /** The item that the caller named by its uuid, if it was: whether it is still there. */
  readonly named?: { readonly isUnchanged: UnchangedLater } | undefined;
}
