import {
  keepPreviousData,
  type QueryClient,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useSyncExternalStore } from 'react';
import type { Input, MethodName, Output } from '../../server/control/contract/contract.ts';
import type { ControlPayload } from '../../server/control/contract/events.ts';
import type { Connection, ControlEvent, Transport } from '../transport/transport.ts';

const TransportContext = createContext<Transport | null>(null);

export function ControlProvider({ transport, children }: { transport: Transport; children: ReactNode }) {
  return <TransportContext value={transport}>{children}</TransportContext>;
}

export function useTransport(): Transport {
  const transport = useContext(TransportContext);
  if (transport === null) throw new Error('There is no ControlProvider around this.');
  return transport;
}

interface Refresh {
  /** Milliseconds, while the page is visible. */
  readonly every?: number;
  /** Whether there is something to ask for; by default there is. */
  readonly isNeeded?: boolean;
  /** Whether the result of the previous input stays until that of a new one is there: what is about to be clicked does not go away. */
  readonly keepsPrevious?: boolean;
}

/** The result of a control method, cached by name and input. */
export function useControl<Name extends MethodName>(
  method: Name,
  input: Input<Name>,
  { every, isNeeded = true, keepsPrevious = false }: Refresh = {},
): UseQueryResult<Output<Name>> {
  const transport = useTransport();
  return useQuery({
    queryKey: [method, input],
    queryFn: () => transport.invoke(method, input),
    enabled: isNeeded,
    ...(keepsPrevious ? { placeholderData: keepPreviousData } : {}),
    ...(every === undefined ? {} : { refetchInterval: every }),
  });
}

/** A change. Outdated queries are refetched before it counts as done. */
export function useControlChange<Name extends MethodName>(
  method: Name,
  stale: readonly MethodName[],
): UseMutationResult<Output<Name>, Error, Input<Name>> {
  const transport = useTransport();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: Input<Name>) => transport.invoke(method, input),
    onSuccess: () => Promise.all(stale.map((name) => queries.invalidateQueries({ queryKey: [name] }))),
  });
}

/** Applies control events to the cached data. Only once there is an owner, because before that there are none. */
export function useControlEvents(): void {
  const transport = useTransport();
  const queries = useQueryClient();
  // Without a new link there are no events.
  const isLocked = useConnection().kind === 'locked';
  useEffect(() => {
    if (isLocked) return;
    return transport.subscribe((event) => take(queries, event));
  }, [transport, queries, isLocked]);
}

function take(queries: QueryClient, event: ControlEvent): void {
  if (event.name === 'backup.progress') takeBackup(queries, event.payload);
  else if (event.name === 'traffic') takeTraffic(queries, event.payload);
  else takeHome(queries, event.payload);
}

function takeHome(queries: QueryClient, payload: ControlPayload<'catalogue.progress'>): void {
  queries.setQueryData<Output<'status'>>(['status', {}], (status) => {
    if (status === undefined) return undefined;
    const isKnown = status.catalogue.some(({ id }) => id === payload.id);
    const catalogue = isKnown
      ? status.catalogue.map((home) => (home.id === payload.id ? payload : home))
      : [...status.catalogue, payload];
    return { ...status, catalogue };
  });
}

/** Samples of three minutes are kept. */
const SAMPLES = 36;

function takeTraffic(queries: QueryClient, sample: ControlPayload<'traffic'>): void {
  queries.setQueryData<Output<'traffic.get'>>(['traffic.get', {}], (traffic) =>
    traffic === undefined ? undefined : { ...traffic, samples: [...traffic.samples, sample].slice(-SAMPLES) },
  );
}

function takeBackup(queries: QueryClient, progress: ControlPayload<'backup.progress'>): void {
  queries.setQueryData<Output<'backup.state'>>(['backup.state', {}], (state) =>
    state === undefined ? undefined : { ...state, progress },
  );
  // Any completed job may have changed the list of backups.
  if (progress.what !== null) return;
  for (const name of ['backup.state', 'backup.list', 'status']) void queries.invalidateQueries({ queryKey: [name] });
}

export function useConnection(): Connection {
  const { connection } = useTransport();
  return useSyncExternalStore(connection.subscribe, connection.current);
}
