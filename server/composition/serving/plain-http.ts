import type { RequestListener } from 'node:http';
import type { Config } from '../../config/config.ts';
import type { TrustsProxy } from '../../http/connection/client-address.ts';
import { type Listener, listenHttp } from '../../http/connection/listeners.ts';
import type { Traffic } from '../../http/connection/traffic.ts';
import type { Closers } from '../../lib/async/closers.ts';
import type { Events } from '../../lib/events.ts';
import type { Log } from '../../lib/log/log.ts';
import { t } from '../../messages/messages.ts';
import type { Settings } from '../../settings/settings.ts';

interface PlainHttpParts {
  readonly config: Config;
  readonly settings: Settings;
  readonly events: Events;
  readonly log: Log;
  readonly traffic: Traffic;
  readonly trustsProxy: TrustsProxy;
}

/** Plain HTTP, which is open while the testing mode is on. */
export function createPlainHttp({ config, settings, events, log, traffic, trustsProxy }: PlainHttpParts) {
  let listener: Listener | null = null;
  let following: Promise<void> = Promise.resolve();
  let problem: string | null = null;

  /** One change at a time, so that a port that is just being opened can be closed again. */
  function followSetting(app: RequestListener): Promise<void> {
    following = following
      .then(() => openOrClose(app))
      .then(
        () => {
          problem = null;
        },
        (error) => {
          problem = t('api.network.httpPort', { port: config.httpPort, reason: (error as Error).message });
          log.error({ err: error }, 'failed to open the plain HTTP port');
        },
      );
    return following;
  }

  async function openOrClose(handler: RequestListener): Promise<void> {
    if (settings.values.httpTesting && listener === null) {
      listener = await listenHttp({ port: config.httpPort, host: config.host, handler, traffic, trustsProxy });
      log.warn({ port: listener.port }, 'plain HTTP is allowed, for testing only');
    } else if (!settings.values.httpTesting && listener !== null) {
      const closing = listener;
      listener = null;
      // Closed at once, because clients may send passwords unencrypted.
      await closing.close(0);
    }
  }

  return {
    /** Null while it is closed. */
    port: () => listener?.port ?? null,

    /** For the owner. */
    problems: (): string[] => (problem === null ? [] : [problem]),

    /** Follows the setting from now on. A port that cannot be opened is a problem, but no failure. */
    async open(app: RequestListener, closers: Closers): Promise<void> {
      await followSetting(app);
      const close = async () => {
        // The port may just be opening.
        await following;
        await listener?.close(config.grace);
      };
      closers.add('http', close, config.grace + 30_000);
      const unsubscribe = events.on('settings.changed', ({ keys }) => {
        if (keys.includes('httpTesting')) void followSetting(app);
      });
      closers.add('setting of http', unsubscribe);
    },
  };
}
