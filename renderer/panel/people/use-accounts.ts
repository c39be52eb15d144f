import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTransport } from '../../control/control.tsx';
import type { AccountQuery, Person } from './account.ts';

const PAGE = 100;
/** The limit of the contract. */
const MOST = 500;

export interface AccountList {
  /** Undefined while the first page is loading. */
  readonly total: number | undefined;
  readonly error: Error | null;
  readonly retry: () => void;
  /** @returns undefined for a row that is not loaded */
  readonly at: (index: number) => Person | undefined;
}

/** The matching people; visible rows are loaded. @param rows first and last visible one, inclusive */
export function useAccounts(query: AccountQuery, [from, to]: readonly [number, number]): AccountList {
  const transport = useTransport();
  const pageOf = (page: number) => ({
    queryKey: ['accounts.list', { ...query, start: page * PAGE, limit: PAGE }],
    queryFn: () => transport.invoke('accounts.list', { ...query, start: page * PAGE, limit: PAGE }),
  });
  // While the query changes, the previous rows stay visible.
  const first = useQuery({ ...pageOf(0), placeholderData: keepPreviousData });
  const last = Math.floor(Math.max(0, Math.min(to, (first.data?.total ?? 1) - 1)) / PAGE);
  const begin = Math.max(1, Math.floor(from / PAGE));
  const numbers = Array.from({ length: Math.max(0, last - begin + 1) }, (_, index) => begin + index);
  const pages = useQueries({ queries: numbers.map(pageOf) });
  return {
    total: first.data?.total,
    error: first.error,
    retry: () => void first.refetch(),
    at(index) {
      const page = Math.floor(index / PAGE);
      const data = page === 0 ? first.data : pages[numbers.indexOf(page)]?.data;
      return data?.accounts[index % PAGE];
    },
  };
}

/** The number of matches. */
export function useCount(query: AccountQuery): number | undefined {
  const transport = useTransport();
  const { data } = useQuery({
    queryKey: ['accounts.list', { ...query, limit: 1 }],
    queryFn: () => transport.invoke('accounts.list', { ...query, limit: 1 }),
  });
  return data?.total;
}

/** The ids of all matches. */
export function useAllIds(query: AccountQuery): () => Promise<number[]> {
  const transport = useTransport();
  const queries = useQueryClient();
  return async () => {
    const ids: number[] = [];
    for (let start = 0; ; start += MOST) {
      const input = { ...query, start, limit: MOST };
      const { accounts, total } = await queries.fetchQuery({
        queryKey: ['accounts.list', input],
        queryFn: () => transport.invoke('accounts.list', input),
      });
      ids.push(...accounts.map(({ id }) => id));
      if (accounts.length === 0 || ids.length >= total) return ids;
    }
  };
}
