import type { DavCall } from '../../webdav/context.ts';

/** A request about the trash, whose caller is known. */
export interface TrashCall extends Omit<DavCall, 'address' | 'confirm'> {
  /** The address of the trash, with the prefix of the installation and without a slash at its end. */
  readonly base: string;
  /** The id of an item in the trash; empty for the trash itself. */
  readonly id: string;
  /** The names below that item, if it is a folder. */
  readonly below: readonly string[];
}
