import { createHash } from 'node:crypto';
import { type AccountCaller, rightsOf } from '../../access/caller.ts';
import { isPermitted } from '../../access/rights.ts';
import { tagReader } from '../../access/tag-reader.ts';
import { folderTagAt } from '../../catalogue/folder-tags.ts';
import { childByName } from '../../catalogue/items.ts';
import { folderIdAt } from '../../catalogue/listings/folder-items.ts';
import { quoted } from '../../files/content-tag.ts';
import { ApiError } from '../../http/errors.ts';
import type { DavContext } from '../context.ts';
import { type DavEntry, placeOf } from '../locate.ts';

/** An entry of a list with its entity tag; null for what is gone, or cannot be reached now. */
interface TaggedEntry {
  readonly entry: DavEntry;
  readonly etag: string | null;
}

/**
 * The entity tags of the entries of a list, such as the top level. They come from the catalogue: a disk that does not respond keeps
 * no list waiting.
 */
export function taggedEntries(
  context: DavContext,
  caller: AccountCaller,
  entries: readonly DavEntry[],
): Promise<TaggedEntry[]> {
  return Promise.all(entries.map(async (entry) => ({ entry, etag: await entryTag(context, caller, entry) })));
}

/**
 * The entity tag of a list: it changes when its entries do, or anything below them. The tags of the entries are the caller's own,
 * and so is this one.
 */
export function listTag(entries: readonly TaggedEntry[]): string {
  const hash = createHash('sha256').update(JSON.stringify(entries.map(({ entry, etag }) => [entry.name, etag])));
  return `"${hash.digest().subarray(0, 18).toString('base64url')}"`;
}

async function entryTag(context: DavContext, caller: AccountCaller, { path }: DavEntry): Promise<string | null> {
  try {
    const place = await placeOf(context, caller, path);
    if (place.kind === 'list') return listTag(await taggedEntries(context, caller, place.entries));
    return await catalogueTag(context, caller, place.path);
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

async function catalogueTag(
  { files }: DavContext,
  caller: AccountCaller,
  path: readonly string[],
): Promise<string | null> {
  const { database } = files;
  const { home, segments, share } = await files.access.resolveItem(caller, path, 'files/browse');
  const tag = await folderTagAt(database, tagReader(caller.account, share), home.id, segments);
  if (tag !== null) return tag;
  const parent = await folderIdAt(database, home.id, segments.slice(0, -1));
  const file = parent === null ? null : await childByName(database, parent, segments.at(-1) ?? '');
  const isVisible = file !== null && !file.isDir && isPermitted(rightsOf(caller), share, 'files/download');
  return isVisible ? quoted(file.tag) : null;
}
