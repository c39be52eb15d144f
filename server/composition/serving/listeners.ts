import type { RequestListener } from 'node:http';
import type { Output } from '../../control/contract/contract.ts';
import { ControlError, type Dispatcher } from '../../control/dispatcher.ts';
import { trustIn } from '../../http/connection/client-address.ts';
import type { FailedHandshakes } from '../../http/connection/failed-handshakes.ts';
import { listenHttps } from '../../http/connection/listeners.ts';
import { SAMPLE_EVERY, type Traffic } from '../../http/connection/traffic.ts';
import { Closers } from '../../lib/async/closers.ts';
import { everyHour } from '../../lib/async/every-hour.ts';
import { larderCommand } from '../../lib/process/larder-command.ts';
import { t } from '../../messages/messages.ts';
import type { Layout } from '../../storage/layout.ts';
import { createControlPort } from './control-port.ts';
import { createOwnAddresses, type OwnAddressesParts } from './own-addresses.ts';
import { createPlainHttp } from './plain-http.ts';

interface ListenersParts extends Omit<OwnAddressesParts, 'listening'> {
  readonly layout: Layout;
  readonly traffic: Traffic;
  readonly failedHandshakes: FailedHandshakes;
  readonly hasOwner: () => Promise<boolean>;
}

/** What the listeners pass requests to. */
export interface Served {
  readonly app: RequestListener;
  readonly dispatcher: Dispatcher;
  /** Runs soon after the start and once an hour. */
  readonly maintenance: () => Promise<void>;
}

/** Open listeners. */
export interface Listening {
  readonly port: number;
  readonly controlPort: number;
  /** The plain HTTP port of the testing mode, or null. */
  httpPort(): number | null;
  /** Whether a part did not close in time and may keep the process alive. */
  isLate(): boolean;
  close(): Promise<void>;
}

/** The listeners: HTTPS, the control port, and plain HTTP while the testing mode is on. */
export function createListeners(parts: ListenersParts) {
  const { config, certificates, settings, clock, log, traffic, failedHandshakes } = parts;
  const trustsProxy = trustIn(() => settings.values.trustedProxies);
  let running: { readonly port: number; readonly controlPort: number } | null = null;
  const plainHttp = createPlainHttp({ ...parts, trustsProxy });
  /** The open ports, or null while nothing listens. */
  const listening = () => running && { ...running, httpPort: plainHttp.port() };
  const ownAddresses = createOwnAddresses({ ...parts, listening });
  const controlPort = createControlPort({ ...parts, serverAddresses: () => ownAddresses.where().addresses });

  /** @returns the port */
  async function openHttps(app: RequestListener, closers: Closers): Promise<number> {
    const { port, host, grace } = config;
    const material = certificates.current();
    const https = await listenHttps({ port, host, material, handler: app, traffic, trustsProxy, failedHandshakes });
    closers.add('https', () => https.close(grace), grace + 30_000);
    const unfollow = certificates.onChange((certificate) => https.use(certificate));
    closers.add('certificate', unfollow);
    return https.port;
  }

  function startTimers(maintenance: () => Promise<void>, closers: Closers): void {
    const sampling = setInterval(() => traffic.take(clock.now()), SAMPLE_EVERY);
    const stopMaintenance = everyHour(maintenance, log);
    closers.add('timers', () => {
      clearInterval(sampling);
      stopMaintenance();
    });
  }

  return {
    where: ownAddresses.where,
    onAddresses: ownAddresses.onChange,
    listening,
    /** Problems of the listeners, for the owner. */
    problems: plainHttp.problems,

    async newPanelLink(): Promise<Output<'panel.link'>> {
      if (running === null) throw new ControlError('refused', t('api.control.noServer', { command: larderCommand() }));
      return controlPort.newPanelLink(running.controlPort);
    },

    /** @throws NodeJS.ErrnoException when a port is taken */
    async start({ app, dispatcher, maintenance }: Served): Promise<Listening> {
      const closers = new Closers(log);
      const close = async () => {
        await closers.close();
        running = null;
      };
      try {
        const ports = { port: await openHttps(app, closers), controlPort: await controlPort.open(dispatcher, closers) };
        running = ports;
        await plainHttp.open(app, closers);
        await ownAddresses.open(closers);
        startTimers(maintenance, closers);
        return { ...ports, httpPort: plainHttp.port, isLate: () => closers.late.length > 0, close };
      } catch (error) {
        await close();
        throw error;
      }
    },
  };
}
