import { createSocket, type Socket } from 'node:dgram';
import type { EventEmitter } from 'node:events';
import { isIPv4 } from 'node:net';
import Bonjour, { type Service } from 'bonjour-service';
import type { Log } from '../lib/log/log.ts';
import { answerSparingly, hearQuestionsOnly, type Question } from './mdns-filter.ts';

/** What others on the local network are told. */
export interface Announced {
  /** As people see it in a list of what is there: the household's name. */
  readonly household: string;
  /** The host name under `.local` that leads here. */
  readonly host: string;
  readonly port: number;
  /** The prefix of the installation, or empty. */
  readonly basePath: string;
  /** Where it listens, among the addresses of this machine: no other is told. */
  readonly addresses: readonly string[];
}

export interface Announcer {
  /**
   * Announces this in place of what was announced before; null: nothing. One after the other, and never throws. What could
   * not be announced is tried again with the next call.
   * @param again also when it is announced already: the network may have forgotten that we listen to it
   */
  follow(announced: Announced | null, again?: boolean): Promise<void>;
  /** Whether others can find us. */
  isHeard(): boolean;
  /** For good: whatever is to be followed afterwards is not. */
  close(): Promise<void>;
}

/** Of the library, what its types do not say. */
interface Inside {
  readonly mdns: EventEmitter & { respond: Respond };
  register(records: readonly Told[]): void;
  respondToQuery(query: { questions: Question[] }): void;
}
interface Told {
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly data: unknown;
}
/** A list where it tells by itself, an object where it was asked. */
type Respond = (
  packet: readonly Told[] | { answers: readonly Told[]; additionals: readonly Told[] },
  done: (error?: Error) => void,
) => void;

/** What the library is given for every socket that it opens, of which its types say nothing. */
export type Network = () => Readonly<Record<string, unknown>>;

/** HTTPS as every browser of services knows it, and ours, for apps that look for a Larder. */
const SERVICES = ['https', 'larder'] as const;
const USUAL_PORT = 8443;
/** Bytes of a name (RFC 6763 §4.1.1). */
const LONGEST_NAME = 63;
/** Control characters, ends of lines, and what turns the direction of the text around it. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;
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
    // It is tried again and again; the owner is told once.
    log[message === lastProblem ? 'debug' : 'warn']({ err: error }, 'Larder cannot be announced on the network');
    lastProblem = message;
  }

  function start({ household, host, port, basePath, addresses }: Announced): void {
    const options = { socket: createSocket({ type: 'udp4', reuseAddr: true }), ...network() };
    const bonjour = new Bonjour(options as object, (error: Error) => log.debug({ err: error }, 'an answer failed'));
    open = { bonjour, services: [] };
    const fail = (error: Error) => {
      if (open?.bonjour !== bonjour) return;
      warn(error);
      now = null;
      void stop();
    };
    const mdns = insideOf(bonjour, options.socket, addressRecords(host, addresses));
    // An error that nobody listens to would end the process.
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
      const wanted = isClosed ? null : announced;
      const next = wanted === null ? null : JSON.stringify(wanted);
      if (next === now && !(again && next !== null)) return;
      try {
        await stop();
        now = next;
        if (wanted !== null) start(wanted);
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
    isHeard: () => open !== null,
    close() {
      isClosed = true;
      return follow(null);
    },
  };
}

/** Seconds that others may remember an address (RFC 6762 §10). */
const REMEMBERED = 120;

function addressRecords(name: string, addresses: readonly string[]): readonly Told[] {
  return addresses.map((data) => ({ name, type: isIPv4(data) ? 'A' : 'AAAA', ttl: REMEMBERED, data }));
}

/**
 * Takes the library in hand, between the socket and what it does with it. By itself it tells every address of the machine,
 * also those at which nothing listens, answers whatever is asked as often as it is asked, and throws out of its timers what
 * it cannot send.
 */
function insideOf(bonjour: Bonjour, socket: Socket, addresses: readonly Told[]): Inside['mdns'] {
  const { server } = bonjour as unknown as { server: Inside };
  const { mdns } = server;
  const { respond } = mdns;
  const sparingly = answerSparingly((query) => server.respondToQuery(query));
  hearQuestionsOnly(socket);
  mdns.removeAllListeners('query');
  mdns.on('query', sparingly.answer);
  server.register(addresses);
  const isAddress = ({ type }: Told) => type === 'A' || type === 'AAAA';
  const isOurs = (one: Told) => !isAddress(one) || addresses.some(({ data }) => data === one.data);
  /** Good-byes are for what was told, whatever addresses the machine has by then. */
  const byItself = (records: readonly Told[]) => {
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
 * The household's, with the machine's, so that no two in a network have the same (RFC 6763 §4.1.1: UTF-8, at most 63 bytes).
 * The household's is shortened where there is no room for both.
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
    const timer = setTimeout(resolve, PATIENCE);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    try {
      work(done);
    } catch {
      // What cannot be said any more does not hold up the end.
      done();
    }
  });
}
