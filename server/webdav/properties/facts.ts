import type { ItemTarget } from '../../access/access.ts';
import { type AccountCaller, rightsOf } from '../../access/caller.ts';
import { isGranted, isPermitted } from '../../access/rights.ts';
import { displayName } from '../../accounts/account-record.ts';
import { nameForCaller } from '../../files/locks/lock-holder.ts';
import { covers, isBelow, type LockRecord, lockFinder, locksIn } from '../../files/locks/lock-record.ts';
import { hrefOf } from '../address.ts';
import type { DavCall, DavContext } from '../context.ts';
import { siblingSegments } from '../locate.ts';
import { shownLocks } from '../shown-locks.ts';
import type { DavFacts } from './live.ts';
import { permissionLetters } from './permission-letters.ts';
import { isFavouriteAsked, namedIn, type RequestedProperties } from './requested.ts';
import { isShareTypes, shareTypesOf } from './share-types.ts';
import { isSharees, shareesOf } from './sharees.ts';

/** @param at where the reply is about; null for a list */
export async function factsOf(
  context: DavContext,
  caller: AccountCaller,
  at: { readonly target: ItemTarget; readonly address: DavCall['address'] } | null,
  requested: RequestedProperties,
): Promise<{ readonly facts: DavFacts; readonly hasLocks: boolean }> {
  const { files } = context;
  const share = at?.target.share ?? null;
  const named = namedIn(requested);
  // In a share, the space is that of its owner, who alone may know how full it is. That of the caller would be another one.
  const wantsSpace = share === null && named.some(({ name }) => name.startsWith('quota-'));
  const space = wantsSpace ? await context.spaceOf(caller) : null;
  const starred = isFavouriteAsked(requested) ? await context.stars.uuidsOf(caller.account.id) : [];
  const wantsOwner = at !== null && named.some(({ name }) => name.startsWith('owner-'));
  const needsLocks = requested.kind === 'all' || named.some(({ name }) => name === 'lockdiscovery');
  const locks = at === null || !needsLocks ? [] : await locksAt(context, caller, at.target);
  const mayPreview = isPermitted(rightsOf(caller), share, 'files/thumbnail');
  const facts: DavFacts = {
    locksOf: lockFinder(locks),
    lockHref: (lock) => {
      if (at === null) return null;
      const path = lock.path === '' ? [] : lock.path.split('/');
      const segments = siblingSegments(at.address.segments, at.target, path);
      return segments && hrefOf(at.address.prefix, segments, lock.isDeep);
    },
    areTagsVisible: isPermitted(rightsOf(caller), share, 'files/download'),
    areHashesVisible: isGranted(rightsOf(caller), share, 'files/download'),
    permissions: permissionLetters(rightsOf(caller), share),
    hasPreview: mayPreview ? (file) => context.listing.thumbnails.canMake(file) : null,
    owner: wantsOwner ? await ownerOf(context, caller, share) : null,
    mount: at === null ? null : share === null ? 'own' : 'shared',
    starred: new Set(starred),
    shareTypes: named.some(isShareTypes) ? await shareTypesOf(context, caller.account) : {},
    sharees: named.some(isSharees) ? await shareesOf(context, caller.account) : {},
    quota: space,
    now: files.clock.now(),
  };
  return { facts, hasLocks: locks.length > 0 };
}

/**
 * What a reply depends on beside the content of its folder, except for locks and the time: as JSON, which a new fact is part of by
 * itself.
 */
export function keyOfFacts({
  locksOf: _locks,
  lockHref: _href,
  now: _now,
  hasPreview,
  starred,
  ...others
}: DavFacts): string {
  return JSON.stringify([others, hasPreview !== null, [...starred]]);
}

async function ownerOf(
  { files }: DavContext,
  caller: AccountCaller,
  share: ItemTarget['share'],
): Promise<DavFacts['owner']> {
  const { id, username } = share?.owner ?? caller.account;
  const name = share === null ? displayName(caller.account) : await nameForCaller(files, caller, id, share);
  return name === null ? null : { username, name };
}

/** The locks that protect an item, or something below it. */
async function locksAt(context: DavContext, caller: AccountCaller, target: ItemTarget): Promise<LockRecord[]> {
  const all = await locksIn(context.files, target.home.id);
  const concerning = all.filter((lock) => covers(lock, target) || isBelow(lock, target));
  return shownLocks(context, caller, target, concerning);
}
