import { HOME_BASE, SHARED_BASE, virtualPathOf } from '../access/access.ts';
import type { AccountCaller } from '../access/caller.ts';
import { limitingFolder } from '../access/target-of-uuid.ts';
import type { DavContext } from './context.ts';
import { type DavEntry, type DavPlace, MY_FILES, placeOf, SHARED_WITH_ME } from './locate.ts';

/** Finds the names below the address of WebDAV that lead to a virtual path; null for what none leads to. The inverse of `locate`. */
export type AddressFinder = (path: string) => Promise<readonly string[] | null>;

/** @returns finds the addresses of many items: each list of shares is read once */
export async function addressFinder(context: DavContext, caller: AccountCaller): Promise<AddressFinder> {
  const root = await limitingFolder(context.files, caller);
  if (root !== null) return async (path) => below(virtualPathOf(root), path);
  const places = new Map<string, Promise<DavPlace>>();

  function placeAt(path: readonly string[]): Promise<DavPlace> {
    const key = path.join('/');
    const place = places.get(key) ?? placeOf(context, caller, path);
    places.set(key, place);
    return place;
  }

  async function inList(entries: readonly DavEntry[], names: readonly string[], path: string) {
    for (const { name, path: own } of entries) {
      const rest = below(`/${own.join('/')}`, path);
      if (rest === null) continue;
      const place = await placeAt(own);
      if (place.kind === 'path') return [...names, name, ...rest];
      return inList(place.entries, [...names, name], path);
    }
    return null;
  }

  return async (path) => {
    const own = below(HOME_BASE, path);
    if (own !== null) return [MY_FILES, ...own];
    const shared = await placeAt(namesOf(SHARED_BASE));
    return shared.kind === 'list' ? inList(shared.entries, [SHARED_WITH_ME], path) : null;
  };
}

/** The names of a path below another one; null if it is elsewhere. */
function below(base: string, path: string): string[] | null {
  if (path === base) return [];
  return path.startsWith(`${base}/`) ? namesOf(path.slice(base.length)) : null;
}

function namesOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '');
}
