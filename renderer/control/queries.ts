import { QueryClient } from '@tanstack/react-query';
import { Refusal } from '../transport/transport.ts';

/** The server is on this computer: being without a network is no reason to wait. */
const networkMode = 'always';

export function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        networkMode,
        // What came to be outside of the panel is there when a page is opened; what is shown meanwhile is what was known.
        staleTime: 0,
        retry: (failures, error) => !(error instanceof Refusal) && failures < 2,
      },
      mutations: { networkMode },
    },
  });
}
