import type { RequestListener } from 'node:http';
import type { Config } from '../../config/config.ts';
import type { Output } from '../../control/contract/contract.ts';
import { removeControlFile, writeControlFile } from '../../control/control-file.ts';
import type { Dispatcher } from '../../control/dispatcher.ts';
import { loopbackHandler } from '../../control/loopback.ts';
import { createPanelSessions, type PanelSessions } from '../../control/panel/panel-sessions.ts';
import { type Listener, listenHttp } from '../../http/connection/listeners.ts';
import type { Closers } from '../../lib/async/closers.ts';
import type { Clock } from '../../lib/clock.ts';
import { isoSeconds } from '../../lib/datetime.ts';
import type { Log } from '../../lib/log/log.ts';
import { randomToken } from '../../lib/random.ts';
import type { Layout } from '../../storage/layout.ts';

interface ControlPortParts {
  readonly config: Config;
  readonly layout: Layout;
  readonly clock: Clock;
  readonly log: Log;
  readonly hasOwner: () => Promise<boolean>;
  /** The addresses at which the server is reached. */
  readonly serverAddresses: () => readonly string[];
}

/** The port of this computer for the command line, and for the panel in a browser. */
export function createControlPort({ config, layout, clock, log, hasOwner, serverAddresses }: ControlPortParts) {
  const key = randomToken();
  const sessions: PanelSessions = createPanelSessions(key, clock);

  /** Of this computer only: the certificate covers its name, whatever else it is called. */
  async function signInAddress(): Promise<string | null> {
    const here = serverAddresses().find((address) => new URL(address).hostname === 'localhost');
    if (here === undefined || !(await hasOwner())) return null;
    return `${here.replace(/\/$/, '')}/panel/`;
  }

  return {
    /** An address that opens the panel. @param port as `open` has returned it */
    newPanelLink(port: number): Output<'panel.link'> {
      const { secret, expires } = sessions.newLink();
      return { url: `http://127.0.0.1:${port}/#open=${secret}`, expires: isoSeconds(expires) };
    },

    /** Opens it, and writes where it is to `control.json`. @returns the port */
    async open(dispatcher: Dispatcher, closers: Closers): Promise<number> {
      const handler = loopbackHandler({ dispatcher, sessions, signInAddress, log });
      const listener = await listenControl(config.controlPort, handler);
      closers.add('control', () => listener.close(1_000));
      await writeControlFile(layout.control, { pid: process.pid, port: listener.port, key }).catch(unlessReadOnly);
      closers.add('control file', () => removeControlFile(layout.control).catch(unlessReadOnly));
      return listener.port;
    },
  };
}

/** On a read-only disk commands do not find the server, but apps and browsers do. */
function unlessReadOnly(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EROFS') throw error;
}

/** Clients find the control port in `control.json`, so any free port will do. */
async function listenControl(port: number, handler: RequestListener): Promise<Listener> {
  try {
    return await listenHttp({ port, host: '127.0.0.1', handler });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return listenHttp({ port: 0, host: '127.0.0.1', handler });
  }
}
