import { useEffect, useState } from 'react';
import type { ServerState } from '../../server/control/contract/window.ts';
import type { FailedServer } from './failed.tsx';

/** Milliseconds. */
const HOLD_MS = 2_000;

/**
 * Keeps showing a failure while the server restarts, so that frequent failing retries do not alternate between two screens. Null
 * when there was none, or the start takes longer.
 */
export function useHeldFailure(server: ServerState): FailedServer | null {
  const [held, setHeld] = useState<FailedServer | null>(null);
  useEffect(() => {
    if (server.kind === 'failed') setHeld(server);
    else if (server.kind !== 'starting') setHeld(null);
  }, [server]);
  const isStarting = server.kind === 'starting';
  useEffect(() => {
    if (!isStarting) return;
    const timer = setTimeout(() => setHeld(null), HOLD_MS);
    return () => clearTimeout(timer);
  }, [isStarting]);
  return isStarting ? held : null;
}
