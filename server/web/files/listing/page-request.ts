import type { AccountCaller } from '../../../access/caller.ts';
import type { RawParameters } from '../../../http/request/read-parameters.ts';
import type { SignedIn } from '../../shell/page-context.ts';
import type { FilesLinks } from '../addresses.ts';
import type { FilesPagesParts } from '../context.ts';

/** The caller and parameters of a page request. */
export interface PageRequest {
  readonly parts: FilesPagesParts;
  readonly links: FilesLinks;
  readonly visitor: SignedIn;
  readonly caller: AccountCaller;
  readonly query: RawParameters;
  /** Scripts get the parts of a page, browsers the whole. */
  readonly isForScript: boolean;
}
