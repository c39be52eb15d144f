import type { AccountRecord } from '../accounts/accounts.ts';
import type { Home } from '../catalogue/homes.ts';
import type { ItemLocation } from '../catalogue/places.ts';
import type { UnchangedLater } from '../lib/unchanged.ts';
import type { ShareFlags } from '../shares/share-record.ts';
import type { FileAction } from './rights.ts';

/** An item shared with the caller, in its present state. */
export interface Grant {
  /** The share id in its path: the oldest if one person shares the item several times. */
  readonly id: number;
  readonly itemId: number;
  readonly home: Home;
  /** Where the item is now, and which folders are above it. */
  readonly location: ItemLocation;
  /** Null where the caller is not to know. */
  readonly sharer: AccountRecord | null;
  /** What the folder is called for the caller; empty: as it is called. */
  readonly alias: string;
  /** When the first of these shares began, in milliseconds since the epoch: earlier contents are not part of them. */
  readonly since: number;
  /** The rights of all shares of the item combined, each limited by the rights of those who shared it. */
  readonly flags: ShareFlags;
  /** Everyone in the chain of shares: the caller may do nothing through them that they may not do. */
  readonly grantors: readonly AccountRecord[];
  /** The one whose home holds the item. */
  readonly owner: AccountRecord;
  /** Accounts whose names must not be revealed. */
  readonly hidden: ReadonlySet<number>;
  /** Whether the share is unchanged and the item still where it was. Checked again during an operation. */
  readonly isUnchanged: UnchangedLater;
  /** Its virtual path, if it is not reached by that of a share. */
  readonly path?: string;
  /** All that can be done through it, if that is less than its flags allow. */
  readonly only?: ReadonlySet<FileAction>;
}
