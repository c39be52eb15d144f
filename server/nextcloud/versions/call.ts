import type { DavCall } from '../../webdav/context.ts';

/** A request about the versions of a file, whose caller is known. */
export interface VersionsCall extends Omit<DavCall, 'address' | 'confirm'> {
  /** The address of the file's versions, with the prefix of the installation and without a slash at its end. */
  readonly base: string;
  /** The file. Whether the caller reaches it is not decided yet. */
  readonly file: { readonly uuid: string };
  /** The name of one version; empty for all of them. */
  readonly name: string;
}
