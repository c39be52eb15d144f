import { useMemo, useSyncExternalStore } from 'react';
import { currentHash, subscribeToHash } from './unsaved-changes.ts';

/**
 * The panel's routes, behind the `#` of the address, which works wherever the panel is served. A part with a colon matches
 * anything.
 */
export const routes = {
  overview: '#/',
  users: '#/people',
  user: '#/people/users/:id',
  groups: '#/people/groups',
  roles: '#/people/roles',
  role: '#/people/roles/:id',
  guests: '#/people/guests',
  administrators: '#/people/administrators',
  files: '#/files',
  photoImports: '#/files/imports',
  links: '#/links',
  shares: '#/links/shares',
  albumShares: '#/links/albums',
  activity: '#/activity',
  clients: '#/api',
  authorizations: '#/api/authorizations',
  apiSettings: '#/api/settings',
  reference: '#/api/reference',
  fileTypes: '#/metadata',
  fieldSets: '#/metadata/sets',
  mail: '#/mail',
  security: '#/security',
  backups: '#/backup',
  backupSettings: '#/backup/settings',
  household: '#/household',
  computer: '#/computer',
  about: '#/about',
} as const;

export type Route = keyof typeof routes;

export interface Place {
  readonly route: Route;
  /** The value of `:id`. */
  readonly id: string;
  /** Search and filters of a page. */
  readonly search: URLSearchParams;
}

/** @returns the first page for an unknown address */
function placeOf(hash: string): Place {
  const [path = '', query = ''] = hash.split('?', 2);
  const parts = path.split('/');
  for (const route of Object.keys(routes) as Route[]) {
    const pattern = routes[route].split('/');
    const isIt = pattern.length === parts.length && pattern.every((part, at) => part === ':id' || part === parts[at]);
    if (!isIt) continue;
    const id = parts[pattern.indexOf(':id')] ?? '';
    return { route, id: decoded(id), search: new URLSearchParams(query) };
  }
  return { route: 'overview', id: '', search: new URLSearchParams() };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** @param search undefined and empty values are omitted */
export function addressOf(
  route: Route,
  { id = '', search = {} }: { id?: string | number; search?: Readonly<Record<string, string | undefined>> } = {},
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) if (value !== undefined && value !== '') query.set(name, value);
  const path = routes[route].replace(':id', encodeURIComponent(id));
  return query.size === 0 ? path : `${path}?${query}`;
}

export function usePlace(): Place {
  const hash = useSyncExternalStore(subscribeToHash, currentHash);
  return useMemo(() => placeOf(hash), [hash]);
}

export const useRoute = (): Route => usePlace().route;
