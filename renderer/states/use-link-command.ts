import { useEffect, useState } from 'react';
import { t } from '../messages/messages.ts';

/** The command to type on Larder's computer for a new link to this page. */
export function useLinkCommand(): string {
  const [command, setCommand] = useState<string>(t('locked.command'));
  useEffect(() => {
    const aborted = new AbortController();
    fetch('control-command', { signal: aborted.signal })
      .then((reply) => (reply.ok ? reply.json() : null))
      .then((said: { command?: unknown } | null) => {
        if (typeof said?.command === 'string') setCommand(`${said.command} control panel.link`);
      })
      // The server is not available: the usual command is used.
      .catch(() => undefined);
    return () => aborted.abort();
  }, []);
  return command;
}
