import { HOME_BASE, type ItemTarget, inExactForm, notFound, SHARED_BASE, virtualPathOf } from '../access/access.ts';
import type { AccountCaller } from '../access/caller.ts';
import { onStorage } from '../access/storage-failure.ts';
import { limitingFolder } from '../access/target-of-uuid.ts';
import { ApiError } from '../http/errors.ts';
import { StreamedList } from '../http/response/streamed-list.ts';
import { normalized } from '../lib/names/normalized.ts';
import { uniqueNames } from '../lib/names/numbered-name.ts';
import { browse } from '../listing/browse/browse.ts';
import type { ListedItem } from '../listing/details.ts';
import { t } from '../messages/messages.ts';
import { type DavAddress, distinguishesForms } from './address.ts';
import type { DavContext } from './context.ts';

/** An entry of a list: its name in addresses, and the virtual path that it stands for. */
export interface DavEntry {
  readonly name: string;
  readonly path: readonly string[];
  readonly isFolder: boolean;
}

/** What an address means. */
export type DavPlace =
  /** A list whose entries are at other paths: the top level, shares, and what one person shares. */
  | { readonly kind: 'list'; readonly entries: readonly DavEntry[] }
  /** A file or folder, which need not exist, by its virtual path. */
  | { readonly kind: 'path'; readonly path: readonly string[] };

/** The names at the top level. They are part of addresses that people store in programs, so they never change. */
export const MY_FILES = 'My files';
export const SHARED_WITH_ME = 'Shared with me';

/**
 * Finds the virtual path of an address.
 * @param segments below the address of WebDAV
 * @throws ApiError `not_found` for names that no list has
 */
export async function locate(
  context: DavContext,
  caller: AccountCaller,
  segments: readonly string[],
): Promise<DavPlace> {
  // The folder that a credential is limited to is the top level for its program.
  const root = await limitingFolder(context.files, caller);
  if (root !== null) return { kind: 'path', path: [...pathOf(virtualPathOf(root)), ...segments] };
  let place: DavPlace = { kind: 'list', entries: topEntries(caller) };
  let open = [...segments];
  for (let name = open[0]; place.kind === 'list' && name !== undefined; name = open[0]) {
    const found = entryNamed(place.entries, name);
    open = open.slice(1);
    place = await placeOf(context, caller, found.path);
  }
  return place.kind === 'list' ? place : { kind: 'path', path: [...place.path, ...open] };
}

function topEntries({ account }: AccountCaller): DavEntry[] {
  const home = { name: MY_FILES, path: pathOf(HOME_BASE), isFolder: true };
  const shared = { name: SHARED_WITH_ME, path: pathOf(SHARED_BASE), isFolder: true };
  return account.homeId === null ? [shared] : [home, shared];
}

/** `/ROOT/SHARED`, and `/ROOT/<user_id>`, are lists. @param path of an entry of a list */
export async function placeOf(context: DavContext, caller: AccountCaller, path: readonly string[]): Promise<DavPlace> {
  const isList = path.length === 2 && path[1] !== 'HOME';
  if (!isList) return { kind: 'path', path };
  const options = { details: [], address: '', recursive: false, itemType: 'any', sort: 'name', order: 'asc' } as const;
  const listing = await browse(context.listing, caller, path, options);
  if (listing instanceof StreamedList) throw new Error('a list of shares is not streamed');
  return { kind: 'list', entries: entriesOf(listing.files) };
}

/** People and shares have names of their choice, but each entry needs an address of its own. */
function entriesOf(items: readonly ListedItem[]): DavEntry[] {
  const names = uniqueNames(items.map(({ filename, is_dir: isFolder }) => ({ name: addressName(filename), isFolder })));
  return items.map(({ path, is_dir: isFolder }, index) => ({ name: names[index] ?? '', path: pathOf(path), isFolder }));
}

/** A name that can be part of an address. */
function addressName(name: string): string {
  const plain = name.replaceAll(/[/\0]/g, '_');
  return ['', '.', '..'].includes(plain) ? `_${plain}` : plain;
}

function entryNamed(entries: readonly DavEntry[], name: string): DavEntry {
  const found = entries.find((one) => one.name === name) ?? entries.find((one) => isNamed(one, name));
  if (found === undefined) throw notFound();
  return found;
}

function isNamed(entry: DavEntry, name: string): boolean {
  return normalized(entry.name, 'NFC') === normalized(name, 'NFC');
}

function pathOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '');
}

/**
 * The path of something that a method changes.
 * @throws ApiError `permission_denied` for a list: its entries are no items of a folder
 */
export async function locateItem(
  context: DavContext,
  caller: AccountCaller,
  segments: readonly string[],
): Promise<readonly string[]> {
  const place = await locate(context, caller, segments);
  if (place.kind === 'list') throw new ApiError('permission_denied', t('api.webdav.fixedList'));
  return place.path;
}

/** The item that an address means: at the addresses of apps for Nextcloud, only one whose names have the same Unicode form. */
export function asAddressed(address: DavAddress, target: ItemTarget): ItemTarget {
  return distinguishesForms(address) ? inExactForm(target) : target;
}

/**
 * With the path locked: whether an item that is to leave its folder is the one of the address. A client deletes the former name of a
 * file whose name has another form now, when the file has this form here already.
 * @throws ApiError `not_found`
 */
export async function checkIsAddressed({ files }: DavContext, address: DavAddress, target: ItemTarget): Promise<void> {
  if (!distinguishesForms(address)) return;
  const { home, segments } = inExactForm(target);
  await onStorage(() => files.disk.run('stat', { homeRoot: home.homeRoot, segments }));
}

/**
 * The path of something that a method creates or replaces.
 * @throws ApiError `permission_denied` for a list, and for a new entry of a list
 */
export async function locateNew(
  context: DavContext,
  caller: AccountCaller,
  segments: readonly string[],
): Promise<readonly string[]> {
  const place = await locate(context, caller, segments.slice(0, -1));
  const name = segments.at(-1);
  if (place.kind === 'path' && name !== undefined) return [...place.path, name];
  const isListed = place.kind === 'list' && place.entries.some((entry) => isNamed(entry, name ?? ''));
  if (!isListed) throw new ApiError('permission_denied', t('api.webdav.fixedList'));
  return locateItem(context, caller, segments);
}

/** The same as the folder and the name in it. What a list contains has no folder of its own. */
export async function locateEntry(
  context: DavContext,
  caller: AccountCaller,
  segments: readonly string[],
): Promise<{ readonly folder: readonly string[]; readonly name: string }> {
  const path = await locateNew(context, caller, segments);
  return { folder: path.slice(0, -1), name: path.at(-1) ?? '' };
}

/** The address of another item that is reached through the same home or share, such as the root of a lock. */
export function siblingSegments(
  address: readonly string[],
  { segments, top }: Pick<ItemTarget, 'segments' | 'top'>,
  other: readonly string[],
): string[] | null {
  if (other.length < top) return null;
  const before = address.slice(0, address.length - (segments.length - top));
  return [...before, ...other.slice(top)];
}
