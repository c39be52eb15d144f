import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AccountCaller } from '../access/caller.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Groups } from '../accounts/groups.ts';
import type { AccountPictures } from '../accounts/pictures.ts';
import type { Homes } from '../catalogue/homes.ts';
import type { Thumbnails } from '../media/thumbnails/thumbnails.ts';
import type { AppPasswords } from '../oauth/app-passwords.ts';
import type { LoginFlows } from '../people/login-flows.ts';
import type { SharingContext } from '../sharing/context.ts';
import type { DavContext } from '../webdav/context.ts';
import type { WeblinksContext } from '../weblinks/context.ts';

/** What the endpoints for Nextcloud apps work with. */
export interface NextcloudParts {
  /** The prefix of the installation. */
  readonly basePath: string;
  /** Whether the owner lets such apps connect. */
  readonly isEnabled: () => boolean;
  readonly householdName: () => string;
  readonly appPasswords: Pick<AppPasswords, 'remove'>;
  readonly flows: LoginFlows;
  readonly spaceOf: DavContext['spaceOf'];
  /** What WebDAV works with: files that arrive in parts are stored as it stores them. */
  readonly dav: DavContext;
  readonly sharing: SharingContext;
  readonly weblinks: WeblinksContext;
  readonly homes: Pick<Homes, 'byId'>;
  readonly thumbnails: Thumbnails;
  readonly accounts: Pick<Accounts, 'byUsername'>;
  readonly groups: Pick<Groups, 'idsOf'>;
  readonly pictures: Pick<AccountPictures, 'read'>;
  /** @throws ApiError `invalid_token` with the challenges */
  readonly authenticate: (request: IncomingMessage, begunAt: number | null) => Promise<AccountCaller>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Notified of every call that may be made, before it is. @param isAllowed checks again whether it may be made */
  readonly onCall: (caller: AccountCaller, response: ServerResponse, isAllowed: () => Promise<boolean>) => void;
}
