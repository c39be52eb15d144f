import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Input, MethodName, Output } from '../../../../server/control/contract/contract.ts';
import { useTransport } from '../../../control/control.tsx';

type Line = Output<'accounts.import'>['lines'][number];

/** Lines per request: some seconds of work, mostly for hashing passwords. */
const BATCH_SIZE = 50;
const STALE: readonly MethodName[] = ['accounts.list', 'groups.list', 'roles.list', 'homes.list', 'activity.list'];

interface State {
  readonly isPending: boolean;
  /** The result of each line so far; null before the first. */
  readonly lines: readonly Line[] | null;
  /** Lines of people in the file; 0 while unknown. */
  readonly total: number;
  /** The error that stopped it. */
  readonly error: Error | null;
}

const NOTHING: State = { isPending: false, lines: null, total: 0, error: null };

/** Imports people in batches, to show progress and allow cancelling. */
export function useImport() {
  const transport = useTransport();
  const queries = useQueryClient();
  const [state, setState] = useState(NOTHING);
  const isCancelled = useRef(false);

  async function start(input: Input<'accounts.import'>): Promise<void> {
    isCancelled.current = false;
    const lines: Line[] = [];
    let total = 0;
    let error: Error | null = null;
    setState({ ...NOTHING, isPending: true });
    try {
      do {
        const part = await transport.invoke('accounts.import', { ...input, skip: lines.length, most: BATCH_SIZE });
        lines.push(...part.lines);
        total = part.total;
        setState({ isPending: true, lines: [...lines], total, error: null });
        if (part.lines.length === 0) break;
      } while (lines.length < total && !isCancelled.current);
    } catch (thrown) {
      error = thrown as Error;
    }
    for (const name of STALE) void queries.invalidateQueries({ queryKey: [name] });
    setState({ isPending: false, lines: lines.length === 0 && error !== null ? null : lines, total, error });
  }

  return {
    ...state,
    done: state.lines?.length ?? 0,
    /** Lines that were not processed. */
    left: state.isPending ? 0 : state.total - (state.lines?.length ?? 0),
    start: (input: Input<'accounts.import'>) => void start(input),
    cancel: () => {
      isCancelled.current = true;
    },
  };
}
