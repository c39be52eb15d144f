import type { EventEmitter } from 'node:events';
import Bonjour, { type Service } from 'bonjour-service';
import type { Log } from '../lib/log.ts';

/** What others on the local network are told. */
export interface Announced {
  /** As people see it in a list of what is there: the household's name. */
  readonly household: string;
  /** The host name under `.local` that leads here. */
  readonly host: string;
  readonly port: number;
  /** The prefix of the installation, or empty. */
  readonly basePath: string;
}

export interface Announcer {
  /** Announces this in place of what was announced before; null: nothing. One after the other, and never throws. */
  follow(announced: Announced | null): Promise<void>;
  /** Whether others can find us. */
  isHeard(): boolean;
  close(): Promise<void>;
}

/** What the library is given for every socket that it opens, of which its types say nothing. */
export type Network = () => Readonly<Record<string, unknown>>;

/** HTTPS as every browser of services knows it, and ours, for apps that look for a Larder. */
const SERVICES = ['https', 'larder'] as const;
const USUAL_PORT = 8443;
/** Bytes of a name (RFC 6763 §4.1.1). */
const LONGEST_NAME = 63;
/** Milliseconds that a good-bye may take. */
const PATIENCE = 1_000;

/**
 * Says on the local network what runs here (DNS-based service discovery, RFC 6763, over multicast DNS, RFC 6762), so that
 * apps find it without an address. The host name is one of its own: the machine's own name belongs to the system, whose
 * responder would take our answers for another machine with the same name, and rename its own.
 */
export function createAnnouncer({ log, network = () => ({}) }: { log: Log; network?: Network | undefined }): Announcer {
  let following: Promise<void> = Promise.resolve();
  let open: { readonly bonjour: Bonjour; readonly services: readonly Service[] } | null = null;
  let now: string | null = null;

  async function stop(): Promise<void> {
    if (open === null) return;
    const { bonjour, services } = open;
    open = null;
    await soon((done) => bonjour.unpublishAll(done));
    for (const service of services) service.destroyed = true;
    await soon((done) => bonjour.destroy(done));
  }

  function start({ household, host, port, basePath }: Announced): void {
    const bonjour = new Bonjour(network(), (error: Error) => log.debug({ err: error }, 'an announcement failed'));
    const fail = (error: Error) => {
      if (open?.bonjour !== bonjour) return;
      log.warn({ err: error }, 'Larder cannot be announced on the network');
      void stop();
    };
    // The library has no other way to it; an error that nobody listens to would end the process.
    const { mdns } = (bonjour as unknown as { server: { mdns: EventEmitter } }).server;
    mdns.on('error', fail);
    const name = serviceName({ household, host, port });
    const common = { name, host, port, txt: { txtvers: '1', path: `${basePath}/` }, probe: false };
    open = { bonjour, services: SERVICES.map((type) => bonjour.publish({ ...common, type })) };
    log.info({ name, host, port }, 'announced on the network');
  }

  return {
    follow(announced) {
      following = following.then(async () => {
        const next = announced === null ? null : JSON.stringify(announced);
        if (next === now) return;
        now = next;
        try {
          await stop();
          if (announced !== null) start(announced);
        } catch (error) {
          log.warn({ err: error }, 'Larder cannot be announced on the network');
        }
      });
      return following;
    },
    isHeard: () => open !== null,
    async close() {
      await this.follow(null);
    },
  };
}

/**
 * The household's, with the machine's, so that no two in a network have the same (RFC 6763 §4.1.1: UTF-8, at most 63 bytes).
 * The household's is shortened where there is no room for both.
 */
function serviceName({ household, host, port }: Pick<Announced, 'household' | 'host' | 'port'>): string {
  const machine = host.replace(/^larder-/, '').replace(/\.local$/, '');
  const aside = ` (${machine}${port === USUAL_PORT ? '' : `, ${port}`})`;
  const room = Math.max(0, LONGEST_NAME - Buffer.byteLength(aside));
  let short = '';
  for (const sign of household) {
    if (Buffer.byteLength(short + sign) > room) break;
    short += sign;
  }
  return Buffer.from(`${short}${aside}`).subarray(0, LONGEST_NAME).toString();
}

function soon(work: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, PATIENCE);
    work(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
