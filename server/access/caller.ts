import type { AccountRecord } from '../accounts/accounts.ts';
import type { Actor, Origin } from '../lib/events.ts';
import type { CredentialGrant } from '../oauth/credential-grant.ts';
import type { ItemTarget } from './item-target.ts';
import { accountRights, type Rights } from './rights.ts';
import type { Grant } from './shared.ts';

/** An account of the household, whatever protocol or page it uses. */
export interface AccountCaller extends Origin {
  readonly account: AccountRecord;
  /** Of an app: the authorization that its tokens belong to. */
  readonly authorizationId?: number;
  /** Limits what the account may do in this request; absent for sessions of the pages. */
  readonly credential?: CredentialGrant | undefined;
  /** The lock tokens that a WebDAV request submits (RFC 4918 §6.5); absent for protocols without them. */
  readonly lockTokens?: ReadonlySet<string> | undefined;
  readonly visitor?: never;
}

/**
 * Someone who uses a web link. There is no account in it: a visitor reaches what the link opens, with the rights of its grant,
 * and nothing else. Functions that need an account take an `AccountCaller` and do not compile with a visitor.
 */
export interface LinkVisitor extends Origin {
  readonly account?: never;
  readonly visitor: {
    /** The number of the link. */
    readonly link: number;
    /** The name that the visitor entered; empty before that. */
    readonly name: string;
    /** The account that is signed in in the visitor's browser, to record who it was. It gives no rights here. */
    readonly signedInAs: Actor['account'];
    readonly reach: LinkReach;
  };
}

/** What a web link opens. */
export interface LinkReach {
  readonly grant: Grant;
  /**
   * @param segments below what the link opens; empty for the item itself
   * @throws ApiError `not_found` once the link no longer opens it
   */
  itemAt(segments: readonly string[]): Promise<ItemTarget>;
}

/** The account or visitor that makes a request for files. */
export type Caller = AccountCaller | LinkVisitor;

export type { Rights } from './rights.ts';

/** The permissions that hold for a caller: for a visitor those of the account that created the link. */
export function rightsOf(caller: Caller): Rights {
  if (caller.account === undefined) return accountRights(creatorOf(caller.visitor.reach));
  return { permissions: caller.account.permissions, credential: caller.credential ?? null };
}

/** The id under which changes are recorded: a visitor acts for the account that created the link. */
export function responsibleId(caller: Caller): number {
  return (caller.account ?? creatorOf(caller.visitor.reach)).id;
}

/** The account that decides whose names a caller may learn: a visitor learns no more of them than the creator of the link. */
export function knowsPeopleAs(caller: Caller): AccountRecord {
  return caller.account ?? creatorOf(caller.visitor.reach);
}

function creatorOf({ grant: { grantors } }: LinkReach): Grant['owner'] {
  const [creator] = grantors;
  if (creator === undefined) throw new Error('a grant has at least one grantor');
  return creator;
}
