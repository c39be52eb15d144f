import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AccountCaller } from '../access/caller.ts';
import type { ContentContext } from '../files/content-context.ts';
import type { BrowseContext } from '../listing/listing.ts';
import type { ListingBodies } from '../listing/listing-bodies.ts';
import type { Stars } from '../stars/stars.ts';
import type { DavAddress, DavHost } from './address.ts';

/** What the methods of WebDAV work with. */
export interface DavContext extends DavHost {
  readonly files: ContentContext;
  /** For the lists of shares. */
  readonly listing: BrowseContext;
  readonly stars: Stars;
  /** Replies about folders whose content stays the same. */
  readonly bodies: ListingBodies;
  /**
   * The space that the home of an account uses, and that is left within its quota and on its disk. Bytes; null for an account
   * without a home, or while its disk does not respond.
   */
  readonly spaceOf: (caller: AccountCaller) => Promise<{ readonly used: number; readonly available: number } | null>;
}

/** A request of WebDAV whose caller is known. */
export interface DavCall {
  readonly context: DavContext;
  readonly caller: AccountCaller;
  readonly address: DavAddress;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Asks again who the caller is, after a body has arrived. @throws ApiError when the credential has ended */
  readonly confirm: () => Promise<AccountCaller>;
}
