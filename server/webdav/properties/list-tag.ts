import { createHash } from 'node:crypto';
import type { AccountCaller } from '../../access/caller.ts';
import { ApiError } from '../../http/errors.ts';
import type { DavContext } from '../context.ts';
import { type DavEntry, placeOf } from '../locate.ts';
import { tagAt } from './resource-at.ts';

/**
 * The entity tag of a list, such as the top level: it changes when its entries do, or anything below them. The tags of the entries are
 * the caller's own, and so is this one.
 */
export async function listTag(
  context: DavContext,
  caller: AccountCaller,
  entries: readonly DavEntry[],
): Promise<string> {
  const hash = createHash('sha256');
  for (const entry of entries) {
    hash.update(JSON.stringify([entry.name, await entryTag(context, caller, entry)]));
  }
  return `"${hash.digest().subarray(0, 18).toString('base64url')}"`;
}

/** The entity tag of an entry of a list. @returns null for what is gone */
export async function entryTag(context: DavContext, caller: AccountCaller, { path }: DavEntry): Promise<string | null> {
  try {
    const place = await placeOf(context, caller, path);
    if (place.kind === 'list') return await listTag(context, caller, place.entries);
    return await tagAt(context, caller, await context.files.access.resolveItem(caller, place.path, 'files/browse'));
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return null;
    throw error;
  }
}
