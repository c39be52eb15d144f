import { createSocket, type Socket } from 'node:dgram';
import type { EventEmitter } from 'node:events';
import { isIPv4 } from 'node:net';
import Bonjour, { type Service } from 'bonjour-service';
import type { Log } from '../lib/log/log.ts';
import { acceptQueriesOnly, limitAnswers, type Question } from './mdns-filter.ts';

/** The announcement on the local network. */
interface Announced {
  /** The name in lists of services: the household's name. */
  readonly household: string;
  /** The announced host name under `.local`. */
  readonly host: string;
  readonly port: number;
  /** The prefix of the installation, or empty. */
  readonly basePath: string;
  /** The addresses of this machine at which it listens; no others are announced. */
  readonly addresses: readonly string[];
}

export interface Announcer {
  /**
   * Replaces the previous announcement; null: none. Calls are sequential, and never throw. A failed announcement is tried again
   * with the next call.
   * @param again also when it is announced already, because the network may have forgotten our multicast membership
   */
  follow(announced: Announced | null, again?: boolean): Promise<void>;
  /** Whether others can find us. */
  isAnnounced(): boolean;
  /** Final: later calls of `follow` are ignored. */
  close(): Promise<void>;
}

/** Members of the library that its types lack. */
interface Inside {
  readonly mdns: EventEmitter & { respond: Respond };
  register(records: readonly AnnouncedRecord[]): void;
  respondToQuery(query: { questions: Question[] }): void;
}
interface AnnouncedRecord {
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly data: unknown;
}
/** The answers are a list for unsolicited announcements, and an object for queries. */
type Respond = (
  packet: readonly AnnouncedRecord[] | { answers: readonly AnnouncedRecord[]; additionals: readonly AnnouncedRecord[] },
  done: (error?: Error) => void,
) => void;

/** Options for every socket the library opens, which its types lack. */
export type Network = () => Readonly<Record<string, unknown>> & { readonly socket?: Socket };

/** HTTPS, which every service browser knows, and our own type, for apps that look for a Larder. */
const SERVICES = ['https', 'larder'] as const;
const USUAL_PORT = 8443;
/** Bytes of a name (RFC 6763 §4.1.1). */
const LONGEST_NAME = 63;
/** Control characters, line ends, and characters that change the writing direction. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;
/** Milliseconds that the goodbye messages may take. */
const TIMEOUT = 1_000;

/**
 * Announces the server on the local network (DNS-based service discovery, RFC 6763, over multicast DNS, RFC 6762), so that apps
 * find it without an address. It uses a host name of its own: the machine's name belongs to the system, whose responder would
 * treat our answers as a conflict, and rename the machine.
 */
export function createAnnouncer({ log, network = () => ({}) }: { log: Log; network?: Network | undefined }): Announcer {
  let following: Promise<void> = Promise.resolve();
  let open: { readonly bonjour: Bonjour; readonly services: readonly Service[] } | null = null;
  let now: string | null = null;
  let isClosed = false;
  let lastProblem = '';

  async function stop(): Promise<void> {
    if (open === null) return;
    const { bonjour, services } = open;
    open = null;
    await soon((done) => bonjour.unpublishAll(done));
    for (const service of services) service.destroyed = true;
    await soon((done) => bonjour.destroy(done));
  }

  function warn(error: unknown): void {
    const { message } = error as Error;
    // It is retried repeatedly, but logged as a warning only once.
    log[message === lastProblem ? 'debug' : 'warn']({ err: error }, 'Larder cannot be announced on the network');
    lastProblem = message;
  }

  function start({ household, host, port, basePath, addresses }: Announced): void {
    const given = network();
    const options = { ...given, socket: given.socket ?? createSocket({ type: 'udp4', reuseAddr: true }) };
    const bonjour = new Bonjour(options as object, (error: Error) =>
      log.debug({ err: error }, 'failed to answer a discovery query'),
    );
    open = { bonjour, services: [] };
    const fail = (error: Error) => {
      if (open?.bonjour !== bonjour) return;
      warn(error);
      now = null;
      void stop();
    };
    const mdns = insideOf(bonjour, options.socket, addressRecords(host, addresses));
    // An error without a listener would end the process.
    mdns.on('error', fail);
    const name = serviceName({ household, host, port });
    mdns.once('ready', () => {
      lastProblem = '';
      log.info({ name, host, port }, 'announced on the network');
    });
    const common = { name, host, port, txt: { txtvers: '1', path: `${basePath}/` }, probe: false };
    open = { bonjour, services: SERVICES.map((type) => bonjour.publish({ ...common, type })) };
  }

  function follow(announced: Announced | null, again = false): Promise<void> {
    following = following.then(async () => {
      const requested = isClosed ? null : announced;
      const next = requested === null ? null : JSON.stringify(requested);
      if (next === now && !(again && next !== null)) return;
      try {
        await stop();
        now = next;
        if (requested !== null) start(requested);
      } catch (error) {
        now = null;
        warn(error);
        await stop();
      }
    });
    return following;
  }

  return {
    follow,
    isAnnounced: () => open !== null,
    close() {
      isClosed = true;
      return follow(null);
    },
  };
}

/** Seconds that others may cache an address (RFC 6762 §10). */
const REMEMBERED = 120;

function addressRecords(name: string, addresses: readonly string[]): readonly AnnouncedRecord[] {
  return addresses.map((data) => ({ name, type: isIPv4(data) ? 'A' : 'AAAA', ttl: REMEMBERED, data }));
}

/**
 * Controls the library's traffic at its socket. By default it announces every address of the machine, even those without a
 * listener, answers queries without limit, and throws from its timers when it cannot send.
 */
function insideOf(bonjour: Bonjour, socket: Socket, addresses: readonly AnnouncedRecord[]): Inside['mdns'] {
  const { server } = bonjour as unknown as { server: Inside };
  const { mdns } = server;
  const { respond } = mdns;
  const sparingly = limitAnswers((query) => server.respondToQuery(query));
  acceptQueriesOnly(socket);
  mdns.removeAllListeners('query');
  mdns.on('query', sparingly.answer);
  server.register(addresses);
  const isAddress = ({ type }: AnnouncedRecord) => type === 'A' || type === 'AAAA';
  const isOurs = (one: AnnouncedRecord) => !isAddress(one) || addresses.some(({ data }) => data === one.data);
  /** Goodbye messages must contain what was announced, even if the machine's addresses have changed. */
  const byItself = (records: readonly AnnouncedRecord[]) => {
    const isGoodBye = records[0]?.ttl === 0;
    const own = isGoodBye ? addresses.map((one) => ({ ...one, ttl: 0 })) : addresses;
    return [...records.filter((one) => !isAddress(one)), ...own];
  };
  mdns.respond = (packet, done) => {
    if (!sparingly.maySend()) return;
    const { answers, additionals } =
      'answers' in packet
        ? { answers: packet.answers.filter(isOurs), additionals: packet.additionals.filter(isOurs) }
        : { answers: byItself(packet), additionals: [] };
    if (answers.length === 0) return done();
    try {
      respond({ answers, additionals }, done);
    } catch (error) {
      done(error as Error);
    }
  };
  return mdns;
}

/**
 * The household's name with the machine's, to be unique in a network (RFC 6763 §4.1.1: UTF-8, at most 63 bytes). The household's
 * name is shortened if both do not fit.
 */
function serviceName({ household, host, port }: Pick<Announced, 'household' | 'host' | 'port'>): string {
  const machine = host.replace(/^larder-/, '').replace(/\.local$/, '');
  const behind = port === USUAL_PORT ? ')' : `, ${port})`;
  const aside = ` (${machine.slice(0, LONGEST_NAME - behind.length - 2)}${behind}`;
  const room = LONGEST_NAME - Buffer.byteLength(aside);
  let short = '';
  for (const { segment } of new Intl.Segmenter().segment(household.toWellFormed().replace(UNSEEN, ' '))) {
    if (Buffer.byteLength(short + segment) > room) break;
    short += segment;
  }
  return `${short.trim()}${aside}`.trim();
}

function soon(work: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, TIMEOUT);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    try {
      work(done);
    } catch {
      // A failing goodbye does not delay the end.
      done();
    }
  });
}
