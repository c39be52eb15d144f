import { QueryClient } from '@tanstack/react-query';
import { Refusal } from '../transport/transport.ts';

/** The server is on this computer, so a missing network does not matter. */
const networkMode = 'always';

export function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        networkMode,
        // Data may have changed outside of the panel, so pages refetch it, and show cached data meanwhile.
        staleTime: 0,
        retry: (failures, error) => !(error instanceof Refusal) && failures < 2,
      },
      mutations: { networkMode },
    },
  });
}
