import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTransport } from '../control/control.tsx';
import { type Answers, type Field, givenOf, type Problems, problemsOf } from './answers.ts';

/** Milliseconds after the last key until the answers are checked. */
const AFTER = 400;

interface Check {
  /** Problems of the fields that are filled in. */
  readonly live: Problems;
  /** All problems of the present answers. Without a connection, those that can be told here: set-up checks again. */
  checkNow(): Promise<Problems>;
  /** Whether `checkNow` is waiting for the server. */
  readonly isChecking: boolean;
}

/**
 * Checks the answers with the server while they are typed.
 * @param isFinishing whether set-up has begun: nothing is checked then, since a household that is set up refuses to check
 */
export function useCheck(answers: Answers, isFinishing: boolean): Check {
  const transport = useTransport();
  const [isChecking, setChecking] = useState(false);
  const [checked] = useDebouncedValue(answers, AFTER);
  const given = givenOf(checked);
  const { data } = useQuery({
    queryKey: ['setup.check', given],
    queryFn: () => transport.invoke('setup.check', given),
    // Older answers are those of a set-up that may be over.
    enabled: !isFinishing && checked === answers && Object.keys(given).length > 0,
    // The input contains a password.
    gcTime: 0,
    retry: false,
  });
  const queries = useQueryClient();
  const found: Problems = { ...problemsOf(checked), ...data?.problems };
  const isCurrent = (field: Field) => answers[field] === checked[field] && (answers[field] ?? '').trim() !== '';
  const live = Object.entries(found).filter(([field]) => isCurrent(field as Field));
  return {
    live: Object.fromEntries(live),
    isChecking,
    async checkNow() {
      setChecking(true);
      const reply = await transport.invoke('setup.check', givenOf(answers)).catch(() => ({ problems: {} }));
      // One that is on its way arrives before what the caller does next.
      const sent = queries.getQueryCache().findAll({ queryKey: ['setup.check'], fetchStatus: 'fetching' });
      await Promise.allSettled(sent.map(({ promise }) => promise));
      setChecking(false);
      return { ...reply.problems, ...problemsOf(answers) };
    },
  };
}
