import {
  type InfiniteData,
  keepPreviousData,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
} from '@tanstack/react-query';
import type { Input, Output } from '../../server/control/contract/contract.ts';
import { useTransport } from './control.tsx';

/** Methods with paged results: `before` is `next` of the previous page. */
type Paged = 'activity.list' | 'links.list' | 'shares.list' | 'albumShares.list';

/** Loads pages on demand. While the query changes, the previous rows stay visible. */
export function usePages<Name extends Paged>(
  method: Name,
  input: Input<Name>,
  { every }: { readonly every?: number } = {},
): UseInfiniteQueryResult<InfiniteData<Output<Name>>> {
  const transport = useTransport();
  return useInfiniteQuery({
    queryKey: [method, input, 'pages'],
    queryFn: ({ pageParam }) =>
      transport.invoke(method, { ...input, ...(pageParam === null ? {} : { before: pageParam }) } as Input<Name>),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => (page as { next: number | null }).next,
    placeholderData: keepPreviousData,
    ...(every === undefined ? {} : { refetchInterval: every }),
  });
}
