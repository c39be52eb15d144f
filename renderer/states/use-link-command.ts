import { useEffect, useState } from 'react';
import { t } from '../messages/messages.ts';

/** What to type on the computer that Larder runs on for a new link to this page. */
export function useLinkCommand(): string {
  const [command, setCommand] = useState<string>(t('locked.command'));
  useEffect(() => {
    const aborted = new AbortController();
    fetch('control-command', { signal: aborted.signal })
      .then((reply) => (reply.ok ? reply.json() : null))
      .then((said: { command?: unknown } | null) => {
        if (typeof said?.command === 'string') setCommand(`${said.command} control panel.link`);
      })
      // The server is away: how it is usually typed has to do.
      .catch(() => undefined);
    return () => aborted.abort();
  }, []);
  return command;
}
