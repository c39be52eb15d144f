import { grantPath, HOME_BASE } from '../../../access/access.ts';
import type { AccountCaller } from '../../../access/caller.ts';
import { displayName } from '../../../accounts/account-record.ts';
import type { FilesContext } from '../../../files/context.ts';
import type { PlaceInHome } from '../../../listing/search-in-places.ts';
import type { SearchQuery } from './query.ts';

/** A part of what a person may see: the own home, or a share. */
export interface SearchPlace {
  readonly path: string;
  /** Whose it is; null where the caller is not to know. */
  readonly personId: number | null;
  /** Of a share: its item, and where it was last. */
  readonly shared: (PlaceInHome & { readonly homeId: string }) | null;
}

/** Someone whose items a person may see. */
export interface SearchPerson {
  readonly id: number;
  readonly name: string;
}

export interface Visible {
  /** The own home first, then the oldest share. */
  readonly places: readonly SearchPlace[];
  /** Who shares something with the caller, by name. */
  readonly sharers: readonly SearchPerson[];
}

/** Everything that a person may see. */
export async function visiblePlaces(
  { access }: Pick<FilesContext, 'access'>,
  { account }: AccountCaller,
): Promise<Visible> {
  const grants = await access.shared.grantsOf(account);
  const sharers = new Map(
    grants.flatMap(({ sharer }) => (sharer === null ? [] : [[sharer.id, displayName(sharer)] as const])),
  );
  return {
    places: [
      { path: HOME_BASE, personId: account.id, shared: null },
      ...grants.map((grant) => ({
        path: grantPath(grant),
        personId: grant.sharer?.id ?? null,
        shared: { homeId: grant.home.id, itemId: grant.itemId, segments: grant.location.segments },
      })),
    ],
    sharers: [...sharers].map(([id, name]) => ({ id, name })).sort((a, b) => a.name.localeCompare(b.name)),
  };
}

/** The places that a search is about. */
export function searchedPlaces(
  { places }: Visible,
  { inside, personId }: Pick<SearchQuery, 'inside' | 'personId'>,
): readonly SearchPlace[] {
  const all = personId === null ? places : places.filter((place) => place.personId === personId);
  if (inside === null) return all;
  return all.some(({ path }) => inside === path || inside.startsWith(`${path}/`)) || personId === null
    ? [{ path: inside, personId, shared: null }]
    : [];
}
