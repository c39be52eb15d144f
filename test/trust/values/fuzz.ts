import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { Agent, request } from 'undici';
import { Random } from '../../model/random.ts';
import { Ground } from '../access/secrets.ts';
import { LiveHeap, LOOKED_INTO } from '../load/live-heap.ts';
import { type Call, describedCalls, type Parameter } from './description.ts';
import { HOSTILE_NUMBERS, HOSTILE_PATHS, HOSTILE_TEXTS } from './hostile-values.ts';

export interface FuzzReport {
  readonly seed: number;
  readonly requests: number;
  /** How many replies had which status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** What must not be, in sentences with what was sent. */
  readonly complaints: readonly string[];
  /** Bytes of the server's heap that are in use: after the first tenth, and at the end. */
  readonly memory: { readonly before: number; readonly after: number };
  readonly milliseconds: number;
  readonly slowest: number;
}

/** Requests at the same time. */
const CONCURRENCY = 8;
/** Milliseconds after which a request counts as hanging. */
const HANGING = 30_000;
/** What a server may answer although nothing is wrong with it. */
const FINE = new Set([507]);
/** How many of the requests have hostile values, and how many of the values in them. */
const HOSTILE = { requests: 0.5, values: 0.4 };
/** Requests after which what they have deleted is there again. */
const REPLENISHED_EVERY = 500;

/**
 * Requests made of the server's own OpenAPI description, with tokens that are good, by a seeded generator: sensible ones, and ones
 * with hostile values in any place. What may never come: a status of 500 and above, silence, a path of the machine or a stack in
 * an answer, anything changed outside of the homes, memory that stays, an installation that is not well afterwards.
 */
export async function fuzz({ requests, seed }: { requests: number; seed: number }): Promise<FuzzReport> {
  const ground = await Ground.open(LOOKED_INTO);
  const { installation, api } = ground;
  const agent = new Agent({ connect: { rejectUnauthorized: false }, connections: CONCURRENCY, bodyTimeout: HANGING });
  try {
    const round = new Round({ ground, agent, calls: await describedCalls(api), random: new Random(seed) });
    const heap = await LiveHeap.of(installation);
    const began = performance.now();
    await round.play(Math.ceil(requests / 10));
    const before = await heap.used();
    await round.play(requests - Math.ceil(requests / 10));
    const milliseconds = performance.now() - began;
    const after = await heap.used();
    const complaints = [...round.complaints, ...(await ground.damages())];
    const { statuses, slowest } = round;
    return { seed, requests, statuses, complaints, memory: { before, after }, milliseconds, slowest };
  } finally {
    await agent.destroy();
    await ground.remove();
  }
}

interface RoundParts {
  readonly ground: Ground;
  readonly agent: Agent;
  readonly calls: readonly Call[];
  readonly random: Random;
}

class Round {
  readonly complaints: string[] = [];
  readonly statuses = new Map<number, number>();
  slowest = 0;
  /** How often the token ended by what was asked with it. */
  renewals = 0;
  #hostile = 0;
  #token: string;
  #renewing: Promise<void> | null = null;
  readonly #parts: RoundParts;
  /** What was told of so far, by the names that parameters have. */
  readonly #known = new Map<string, string[]>();
  #paths = ['/', '/ROOT', '/ROOT/HOME', '/ROOT/HOME/Photos', '/ROOT/HOME/Work/file 1.txt', '/ROOT/SHARED'];

  constructor(parts: RoundParts) {
    this.#parts = parts;
    this.#token = parts.ground.api.token_ ?? '';
  }

  async play(count: number): Promise<void> {
    for (let left = count; left > 0; left -= REPLENISHED_EVERY) {
      await this.#parts.ground.replenish();
      await this.#parts.ground.replenishPeople();
      await this.#learnPaths();
      let some = Math.min(left, REPLENISHED_EVERY);
      const one = async () => {
        while (some > 0 && this.complaints.length < 20) {
          some -= 1;
          await this.#send();
        }
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, one));
    }
  }

  /** What is there now is what sensible requests are about. */
  async #learnPaths(): Promise<void> {
    const names = await readdir(this.#parts.ground.installation.home, { recursive: true }).catch(() => []);
    const fresh = names.filter((name) => !name.startsWith('out')).map((name) => `/ROOT/HOME/${name}`);
    this.#paths = [...this.#paths.slice(0, 6), ...fresh.slice(0, 200)];
  }

  async #send(): Promise<void> {
    const { random, calls, ground, agent } = this.#parts;
    const call = random.pick(calls);
    this.#hostile = random.chance(HOSTILE.requests) ? HOSTILE.values : 0;
    const chosen = call.parameters.filter(({ isRequired }) => random.chance(isRequired ? 0.95 : 0.25));
    const pairs = chosen.flatMap((parameter) =>
      this.#valuesOf(parameter).map((value) => [parameter.name, value] as const),
    );
    if (random.chance(this.#hostile / 5))
      pairs.push([random.pick(HOSTILE_TEXTS).slice(0, 100), random.pick(HOSTILE_TEXTS)]);
    const { query, body, headers } = this.#written(call, pairs);
    const told = `${call.method} ${call.path} ${JSON.stringify(pairs).slice(0, 400)}`;
    const token = this.#token;
    const began = performance.now();
    try {
      const response = await request(`${ground.api.base}/api.php${call.path}${query}`, {
        method: call.method as 'GET',
        headers: { authorization: `Bearer ${token}`, ...headers },
        body,
        dispatcher: agent,
        headersTimeout: HANGING,
      });
      const bytes = Buffer.from(await response.body.arrayBuffer());
      this.#judge(told, response.statusCode, response.headers, bytes);
      if (response.statusCode === 401) await this.#renew(token);
    } catch (error) {
      // A server that refuses a body may close before it has all of it.
      const { code = '' } = error as NodeJS.ErrnoException;
      if (!['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'UND_ERR_INVALID_ARG'].includes(code))
        this.complaints.push(`${told}: no answer (${String(error)})`);
    }
    this.slowest = Math.max(this.slowest, performance.now() - began);
  }

  /** A token that has ended with a new password, say, would get nothing but refusals from there on. */
  async #renew(ended: string): Promise<void> {
    if (ended !== this.#token) return;
    this.#renewing ??= this.#parts.ground.signInAnew().then((token) => {
      this.#token = token;
      this.renewals += 1;
      this.#renewing = null;
    });
    await this.#renewing;
  }

  #valuesOf(parameter: Parameter): string[] {
    const { random } = this.#parts;
    const count = parameter.isList ? random.pick([0, 1, 1, 2, 5]) : random.chance(0.03) ? 2 : 1;
    return Array.from({ length: count }, () => this.#valueOf(parameter));
  }

  #valueOf({ name, type, choices }: Parameter): string {
    const { random } = this.#parts;
    const isPath = /path|^to$|^from$|destination|folder/i.test(name);
    if (random.chance(this.#hostile)) {
      if (isPath || /name/i.test(name)) return random.pick(random.chance(0.7) ? HOSTILE_PATHS : HOSTILE_TEXTS);
      return random.pick(/integer|number/.test(type) ? [...HOSTILE_NUMBERS, ...HOSTILE_TEXTS] : HOSTILE_TEXTS);
    }
    if (choices.length > 0) return random.pick(choices);
    if (isPath) return random.pick(this.#paths);
    if (/integer|number/.test(type)) return String(random.below(12));
    if (type === 'boolean') return random.pick(['0', '1']);
    const known = this.#known.get(name) ?? [];
    if (known.length > 0 && random.chance(0.6)) return random.pick(known);
    if (/name/i.test(name)) return `new ${random.below(50)}.txt`;
    if (/date|expire/i.test(name)) return random.pick(['2030-01-01', '2030-01-01 10:00:00', '2001-09-09']);
    if (/password/i.test(name)) return 'correct horse battery';
    return random.pick(['2', '1', 'mia', 'file', 'the text', 'red', '3', '#ff0000']);
  }

  /** As a query, a form, JSON, several parts, or the bytes of a file. */
  #written(call: Call, pairs: readonly (readonly [string, string])[]) {
    const { random } = this.#parts;
    const text = pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
    const headers: Record<string, string> = {};
    if (random.chance(0.05))
      headers.range = random.pick(['bytes=0-3', 'bytes=5-1', 'bytes=-', 'bytes=0-0,2-3', 'x=1-2']);
    if (random.chance(0.05))
      headers[random.pick(['if-match', 'if-none-match'])] = random.pick(['*', '"x"', 'W/"y"', '']);
    if (call.method === 'PUT') {
      return { query: `?${text}`, headers, body: random.chance(0.8) ? randomBytes(random.below(20_000)) : '' };
    }
    if (call.method !== 'POST') return { query: `?${text}`, headers, body: null };
    const kind = random.pick(['form', 'form', 'json', 'parts', 'broken']);
    if (kind === 'json') {
      return {
        query: '',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(grouped(pairs)),
      };
    }
    if (kind === 'parts') {
      const file = call.takesFile
        ? '--b\r\nContent-Disposition: form-data; name="file"; filename="f.txt"\r\n\r\nnew\r\n'
        : '';
      const fields = pairs.map(
        ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`,
      );
      const type = 'multipart/form-data; boundary=b';
      return { query: '', headers: { ...headers, 'content-type': type }, body: `${fields.join('')}${file}--b--\r\n` };
    }
    if (kind === 'broken') {
      const type = random.pick([
        'application/json',
        'multipart/form-data',
        'text/plain',
        'application/x-www-form-urlencoded',
      ]);
      return {
        query: `?${text}`,
        headers: { ...headers, 'content-type': type },
        body: random.pick(['{', '[[[[', '--b', '%', '\u0000', text]),
      };
    }
    return { query: '', headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' }, body: text };
  }

  #judge(told: string, status: number, headers: Record<string, unknown>, bytes: Buffer): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (status >= 500 && !FINE.has(status))
      this.complaints.push(`${told}: ${status} ${bytes.toString().slice(0, 300)}`);
    if (!String(headers['content-type']).startsWith('application/json')) return;
    const text = bytes.toString();
    // Whoever looks after people sees where their homes are.
    const mayNameFolders = told.includes('/admin-users/');
    const tells = this.#parts.ground.tellsTooMuch(text, { mayNameFolders });
    if (tells !== null) this.complaints.push(`${told}: ${tells}: ${text.slice(0, 300)}`);
    for (const [, name = '', value = ''] of text.matchAll(
      /"(id|uuid|weblink|hash|commentId|versionId|username)":"?([\w-]{1,64})/g,
    )) {
      const known = this.#known.get(name) ?? [];
      if (known.length < 100 && !known.includes(value)) this.#known.set(name, [...known, value]);
    }
  }
}

function encode(text: string): string {
  // What is no Unicode is sent as it would be by somebody who does not care.
  return text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80';
}

const quoted = (text: string) => text.replace(/["\p{Cc}]/gu, '_');

function grouped(pairs: readonly (readonly [string, string])[]): Record<string, unknown> {
  const groups: Record<string, unknown> = {};
  for (const [name, value] of pairs) {
    const before = Object.hasOwn(groups, name) ? groups[name] : undefined;
    Object.defineProperty(groups, name, {
      value: before === undefined ? value : [before, value].flat(),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return groups;
}
