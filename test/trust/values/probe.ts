import { Agent } from 'undici';
import type { Random } from '../../model/random.ts';
import type { WebVisitor } from '../../support/browser/web-visitor.ts';
import { readZip } from '../../support/content/read-zip.ts';
import { Ground } from '../access/secrets.ts';

/** A place where a value goes in. */
export interface Channel {
  readonly name: string;
  readonly ask: (value: string) => Asked;
}

export interface Asked {
  readonly method: string;
  /** With its query, as it stands in the request line. */
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

export interface ProbeReport {
  /** Places where values went in. */
  readonly channels: number;
  readonly values: number;
  /** Of others. */
  readonly listed: number;
  readonly requests: number;
  readonly statuses: ReadonlyMap<number, number>;
  /** What must not be, in sentences with what was sent. */
  readonly complaints: readonly string[];
  /** Milliseconds of the slowest answer. */
  readonly slowest: number;
}

interface ProbeOptions {
  readonly doorsOf: (ground: Ground) => Promise<readonly Channel[]>;
  readonly values: readonly string[];
  /** How many of all requests with them are made, 0 to 1. */
  readonly share: number;
  /** Lists of others, of which each channel gets some. */
  readonly listed?: readonly string[];
  readonly random: Random;
}

/** How many of the values of others each channel gets: over all channels it is every one, many times. */
const LISTED_SHARE = 0.1;
/** Requests at the same time, all at one channel. */
const CONCURRENCY = 6;
/** Doors after which it is looked what has changed. */
const LOOKED_AFTER = 25;
const MAX_COMPLAINTS = 20;

/**
 * Puts each value into each place of a running server, as its owner, with a token and a session. No answer may be a failure of the
 * server, tell of the machine, give out what is not in the home, or lead elsewhere; and nothing may change where nobody may write.
 */
export async function probe({ doorsOf, values, share, listed = [], random }: ProbeOptions): Promise<ProbeReport> {
  const ground = await Ground.open();
  const sender = new Sender(ground);
  try {
    await sender.signInAnew();
    const channels = await doorsOf(ground);
    for (const [at, channel] of channels.entries()) {
      await ground.replenish();
      const some = listed.filter(() => random.chance(LISTED_SHARE));
      const chosen = [...values.filter(() => random.chance(share)), ...some].values();
      const one = async () => {
        for (const value of chosen) if (sender.complaints.length < MAX_COMPLAINTS) await sender.send(channel, value);
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, one));
      if (at % LOOKED_AFTER !== LOOKED_AFTER - 1 && at !== channels.length - 1) continue;
      await ground.replenishPeople();
      const damages = await ground.damages();
      sender.complaints.push(...damages.map((damage) => `${channel.name}, or one before it: ${damage}`));
      if (damages.length > 0) break;
    }
    const { requests, statuses, complaints, slowest } = sender;
    return {
      channels: channels.length,
      values: values.length,
      listed: listed.length,
      requests,
      statuses,
      complaints,
      slowest,
    };
  } finally {
    await sender.close();
    await ground.remove();
  }
}

class Sender {
  requests = 0;
  slowest = 0;
  readonly statuses = new Map<number, number>();
  readonly complaints: string[] = [];
  readonly #ground: Ground;
  readonly #agent = new Agent({
    connect: { rejectUnauthorized: false },
    connections: CONCURRENCY,
    bodyTimeout: 30_000,
  });
  #token = '';
  #cookie = '';
  #signingIn: Promise<void> | null = null;

  constructor(ground: Ground) {
    this.#ground = ground;
  }

  async signInAnew(): Promise<void> {
    this.#signingIn ??= (async () => {
      this.#token = await this.#ground.signInAnew();
      this.#cookie = cookieOf(await this.#ground.visitor());
      this.#signingIn = null;
    })();
    await this.#signingIn;
  }

  async send(channel: Channel, value: string): Promise<void> {
    const { method, path, headers = {}, body } = channel.ask(value);
    const token = this.#token;
    const told = `${channel.name} with ${JSON.stringify(value.slice(0, 200))}`;
    const began = performance.now();
    this.requests += 1;
    const answer = await this.#agent
      .request({
        origin: this.#ground.api.base,
        path,
        method: method as 'GET',
        headers: { authorization: `Bearer ${token}`, cookie: this.#cookie, accept: 'text/html', ...headers },
        body: body ?? null,
      })
      .catch((error: NodeJS.ErrnoException) => error);
    if (answer instanceof Error) {
      // What is no request line is not sent by the client.
      if (answer.code !== 'UND_ERR_INVALID_ARG') this.complaints.push(`${told}: no answer (${answer.message})`);
      return;
    }
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    this.slowest = Math.max(this.slowest, performance.now() - began);
    this.#judge(channel, told, answer.statusCode, answer.headers, await tokenize(bytes));
    if (answer.statusCode === 401 && token === this.#token && path.startsWith('/api.php/')) await this.signInAnew();
  }

  #judge(channel: Channel, told: string, status: number, headers: Record<string, unknown>, text: string): void {
    const complain = (what: string) => this.complaints.push(`${told}: ${what}: ${text.slice(0, 200)}`);
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    // Another server is what some values are, as a place to move to.
    if (status >= 500 && status !== 502) complain(String(status));
    // Whoever looks after people sees where their homes are.
    const tells = this.#ground.tellsTooMuch(text, { mayNameFolders: channel.name.includes('admin-users') });
    if (tells !== null) complain(tells);
    if (Object.keys(headers).some((name) => name.includes('larder-mark'))) complain('has a header of the asker’s');
    const location = String(headers.location ?? '');
    if (/^(?:\/\/|\/\\|[a-z]+:)/i.test(location) && !location.startsWith(`${this.#ground.api.base}/`))
      complain(`leads to ${location}`);
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }
}

const cookieOf = ({ cookies }: WebVisitor) => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

/** An answer as text; of an archive, what is in it. */
async function tokenize(bytes: Buffer): Promise<string> {
  if (bytes.subarray(0, 4).toString('latin1') !== 'PK\x03\x04') return bytes.toString();
  return Object.values(await readZip(bytes)).join('\n');
}

/** For the report: how many answers had which status. */
export function statusesTold(statuses: ReadonlyMap<number, number>): string {
  return [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ');
}
