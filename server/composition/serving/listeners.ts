import type { RequestListener } from 'node:http';
import { isIPv4 } from 'node:net';
import type { Announcer } from '../../announce/announcer.ts';
import type { Config } from '../../config/config.ts';
import type { Output } from '../../control/contract/contract.ts';
import { removeControlFile, writeControlFile } from '../../control/control-file.ts';
import { ControlError, type Dispatcher } from '../../control/dispatcher.ts';
import { loopbackHandler } from '../../control/loopback.ts';
import { createPanelSessions, type PanelSessions } from '../../control/panel/panel-sessions.ts';
import { trustIn } from '../../http/connection/client-address.ts';
import type { FailedHandshakes } from '../../http/connection/failed-handshakes.ts';
import { type Listener, listenHttp, listenHttps } from '../../http/connection/listeners.ts';
import { SAMPLE_EVERY, type Traffic } from '../../http/connection/traffic.ts';
import { Closers } from '../../lib/async/closers.ts';
import { everyHour } from '../../lib/async/every-hour.ts';
import { type Clock, MINUTE, SECOND } from '../../lib/clock.ts';
import { isoSeconds } from '../../lib/datetime.ts';
import type { Events } from '../../lib/events.ts';
import type { Log } from '../../lib/log/log.ts';
import { larderCommand } from '../../lib/process/larder-command.ts';
import { randomToken } from '../../lib/random.ts';
import { t } from '../../messages/messages.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Layout } from '../../storage/layout.ts';
import type { Certificates } from '../../tls/certificates.ts';
import { listenedAt, reachableNames } from '../../tls/lan-addresses.ts';

interface ListenersParts {
  readonly config: Config;
  readonly layout: Layout;
  readonly certificates: Certificates;
  readonly settings: Settings;
  readonly events: Events;
  readonly clock: Clock;
  readonly log: Log;
  readonly addresses: () => readonly string[];
  readonly traffic: Traffic;
  readonly failedHandshakes: FailedHandshakes;
  readonly announcer: Announcer;
  /** The announced host name; null if no other machine can connect. */
  readonly announcedHost: string | null;
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

type Where = Pick<Output<'status'>, 'running' | 'addresses' | 'httpAddresses'>;

const CHECK_CERTIFICATE = MINUTE;
/** Milliseconds between two checks of the machine's networks, which are cheap. */
const NETWORK_CHECK_INTERVAL = 5 * SECOND;
/** A gap in these checks of so many milliseconds means that the machine was asleep. */
const ASLEEP = MINUTE;

/** The listeners: HTTPS, the control port, and plain HTTP while the testing mode is on. */
export function createListeners(parts: ListenersParts) {
  const { config, layout, certificates, settings, events, clock, log } = parts;
  const key = randomToken();
  const trustsProxy = trustIn(() => settings.values.trustedProxies);
  const sessions: PanelSessions = createPanelSessions(key, clock);
  const followers = new Set<(addresses: readonly string[]) => void>();
  let running: { port: number; controlPort: number; app: RequestListener } | null = null;
  let http: Listener | null = null;

  let following: Promise<void> = Promise.resolve();
  let httpProblem: string | null = null;

  /** One change at a time, so that a port that is just being opened can be closed again. */
  function followHttpSetting(): Promise<void> {
    following = following.then(openOrCloseHttp).then(
      () => {
        httpProblem = null;
      },
      (error) => {
        httpProblem = t('api.network.httpPort', { port: config.httpPort, reason: (error as Error).message });
        log.error({ err: error }, 'failed to open the plain HTTP port');
      },
    );
    return following;
  }

  async function openOrCloseHttp(): Promise<void> {
    if (settings.values.httpTesting && http === null && running !== null) {
      http = await listenHttp({
        port: config.httpPort,
        host: config.host,
        handler: running.app,
        traffic: parts.traffic,
        trustsProxy,
      });
      log.warn({ port: http.port }, 'plain HTTP is allowed, for testing only');
    } else if (!settings.values.httpTesting && http !== null) {
      const closing = http;
      http = null;
      // Closed at once, because clients may send passwords unencrypted.
      await closing.close(0);
    }
  }

  function where(): Where {
    if (running === null) return { running: false, addresses: [], httpAddresses: [] };
    const { port } = running;
    const unannounced = parts.announcer.isAnnounced() ? null : parts.announcedHost;
    const listened = listenedAt(config.host, parts.addresses());
    const names = reachableNames(certificates.current().names, config.host, listened).filter(
      (name) => name !== unannounced,
    );
    const url = (scheme: string, at: number) => names.map((name) => `${scheme}://${name}:${at}${config.basePath}`);
    return {
      running: true,
      addresses: url('https', port),
      httpAddresses: http === null ? [] : url('http', http.port),
    };
  }

  /** Announces the server on the local network: only reachable addresses, by a name that the certificate covers. */
  function announce(again = false): Promise<void> {
    const { announce: isWanted, householdName: household } = settings.values;
    const { announcer, announcedHost: host } = parts;
    const addresses = listenedAt(config.host, parts.addresses());
    if (!isWanted || running === null || host === null || !certificates.covers(host)) return announcer.follow(null);
    // Announcements use IPv4, so an address there is required.
    if (!addresses.some(isIPv4)) return announcer.follow(null);
    return announcer.follow({ household, host, port: running.port, basePath: config.basePath, addresses }, again);
  }

  async function renewCertificate(): Promise<void> {
    await certificates.refresh().catch((error) => log.error({ err: error }, 'failed to renew the certificate'));
  }

  /** Calls back when the networks have changed and the certificate covers them. Returns the function that stops it. */
  function followNetworks(): () => void {
    let networks = parts.addresses().join();
    let announced = where().addresses;
    let checkedAt = clock.now();
    let isChecking = false;
    const check = async (hasSlept: boolean): Promise<void> => {
      const now = parts.addresses().join();
      // During sleep, the network forgets our multicast membership, and others our announcement.
      if (hasSlept) await announce(true);
      if (now === networks) return;
      networks = now;
      await renewCertificate();
      await announce();
      const { addresses } = where();
      if (addresses.join() === announced.join() || running === null) return;
      announced = addresses;
      log.info({ addresses }, 'the addresses of the machine have changed');
      for (const follow of followers) follow(addresses);
    };
    const timer = setInterval(() => {
      if (isChecking) return;
      isChecking = true;
      const hasSlept = clock.now() - checkedAt > ASLEEP;
      checkedAt = clock.now();
      check(hasSlept)
        .catch((error) => log.error({ err: error }, 'failed to check the networks'))
        .finally(() => {
          isChecking = false;
        });
    }, NETWORK_CHECK_INTERVAL);
    return () => clearInterval(timer);
  }

  /** Of this computer only: the certificate covers its name, whatever else it is called. */
  async function signInAddress(): Promise<string | null> {
    const here = where().addresses.find((address) => new URL(address).hostname === 'localhost');
    if (here === undefined || !(await parts.hasOwner())) return null;
    return `${here.replace(/\/$/, '')}/panel/`;
  }

  return {
    where,

    /** Called with every change of the server's addresses. */
    onAddresses(listener: (addresses: readonly string[]) => void): void {
      followers.add(listener);
    },

    /** The open ports, or null while nothing listens. */
    listening() {
      if (running === null) return null;
      const { port, controlPort } = running;
      return { port, controlPort, httpPort: http?.port ?? null };
    },

    /** Problems of the listeners, for the owner. */
    problems: (): string[] => (httpProblem === null ? [] : [httpProblem]),

    async newPanelLink(): Promise<Output<'panel.link'>> {
      if (running === null) throw new ControlError('refused', t('api.control.noServer', { command: larderCommand() }));
      const { secret, expires } = sessions.newLink();
      return { url: `http://127.0.0.1:${running.controlPort}/#open=${secret}`, expires: isoSeconds(expires) };
    },

    /** @throws NodeJS.ErrnoException when a port is taken */
    async start({ app, dispatcher, maintenance }: Served): Promise<Listening> {
      const closers = new Closers(log);
      const close = async () => {
        await closers.close();
        running = null;
      };
      try {
        const traffic = parts.traffic;
        const https = await listenHttps({
          traffic,
          failedHandshakes: parts.failedHandshakes,
          trustsProxy,
          port: config.port,
          host: config.host,
          material: certificates.current(),
          handler: app,
        });
        closers.add('https', () => https.close(config.grace), config.grace + 30_000);
        const unfollow = certificates.onChange((certificate) => https.use(certificate));
        closers.add('certificate', unfollow);
        const handler = loopbackHandler({ dispatcher, sessions, signInAddress, log });
        const control = await listenControl(config.controlPort, handler);
        closers.add('control', () => control.close(1_000));
        await writeControlFile(layout.control, { pid: process.pid, port: control.port, key }).catch(unlessReadOnly);
        closers.add('control file', () => removeControlFile(layout.control).catch(unlessReadOnly));
        running = { port: https.port, controlPort: control.port, app };
        await followHttpSetting();
        const closeHttp = async () => {
          // The port may just be opening.
          await following;
          await http?.close(config.grace);
        };
        closers.add('http', closeHttp, config.grace + 30_000);
        await announce();
        // Others learn at once that we are gone.
        closers.add('announcer', () => parts.announcer.close());
        const unsubscribe = events.on('settings.changed', ({ keys }) => {
          if (keys.includes('httpTesting')) void followHttpSetting();
          if (keys.includes('announce') || keys.includes('householdName')) void announce();
        });
        // Another certificate may have other names; and an announcement that failed may succeed now.
        const timer = setInterval(() => void renewCertificate().then(() => announce()), CHECK_CERTIFICATE);
        const unfollowNames = certificates.onChange(() => void announce());
        const sampling = setInterval(() => traffic.take(clock.now()), SAMPLE_EVERY);
        const unfollowNetworks = followNetworks();
        const stopMaintenance = everyHour(maintenance, log);
        closers.add('timers', () => {
          unsubscribe();
          unfollowNames();
          unfollowNetworks();
          clearInterval(timer);
          clearInterval(sampling);
          stopMaintenance();
        });
        return {
          port: https.port,
          controlPort: control.port,
          httpPort: () => http?.port ?? null,
          isLate: () => closers.late.length > 0,
          close,
        };
      } catch (error) {
        await close();
        throw error;
      }
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
