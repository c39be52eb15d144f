import { useSyncExternalStore } from 'react';

/** Where one can go in the panel, as it stands behind the `#` of the address: that works wherever the panel is served. */
export const routes = { overview: '#/', computer: '#/computer' } as const;

export type Route = keyof typeof routes;

function subscribe(listener: () => void): () => void {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
}

/** @returns the first page for an address that is none of ours */
export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => location.hash);
  const names = Object.keys(routes) as Route[];
  return names.find((name) => routes[name] === hash) ?? 'overview';
}
