import { useEffect, useState } from 'react';
import { bestEffort } from '../../server/lib/async/settled.ts';
import { t } from '../messages/messages.ts';

/** How to open the panel again on Larder's computer. */
interface WaysIn {
  /** The command to type for a new link to this page. */
  readonly command: string;
  /** Where the owner signs in with the password; null where that is not possible. */
  readonly signIn: string | null;
  /** Whether the server has answered, or cannot: before that, a page about them would soon be another one. */
  readonly isKnown: boolean;
}

/** Asks the server, before there is a session. */
export function useWaysIn(): WaysIn {
  const [ways, setWays] = useState<WaysIn>({ command: t('locked.command'), signIn: null, isKnown: false });
  useEffect(() => {
    const aborted = new AbortController();
    const asked = fetch('control-command', { signal: aborted.signal })
      .then((reply) => (reply.ok ? reply.json() : null))
      .then((said: { command?: unknown; signIn?: unknown } | null) => {
        if (typeof said?.command !== 'string') return;
        const signIn = typeof said.signIn === 'string' ? said.signIn : null;
        setWays({ command: `${said.command} control panel.link`, signIn, isKnown: true });
      });
    // The server is not available: the usual command is used.
    void bestEffort(asked).then(() => {
      if (!aborted.signal.aborted) setWays((ways) => ({ ...ways, isKnown: true }));
    });
    return () => aborted.abort();
  }, []);
  return ways;
}
