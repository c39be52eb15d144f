import { Tooltip } from '@mantine/core';
import { useEffect, useState } from 'react';
import { exactTime, relativeTime } from '../relative-time.ts';

/** @param at ISO 8601 */
export function EmbeddedDate({ at }: { readonly at: string }) {
  const now = useNow(30_000);
  const date = new Date(at);
  return (
    <Tooltip label={exactTime(date)}>
      <time dateTime={at}>{relativeTime(date, now)}</time>
    </Tooltip>
  );
}

/** The present time, updated periodically. */
function useNow(every: number): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
}

/** Whole seconds until then; 0 when it has passed. @param at milliseconds since the epoch */
export function useSecondsUntil(at: number): number {
  const now = useNow(250);
  return Math.max(0, Math.ceil((at - now.getTime()) / 1_000));
}
