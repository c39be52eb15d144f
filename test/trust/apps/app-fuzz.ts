import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Agent } from 'undici';
import { Random } from '../../model/random.ts';
import { davClient } from '../../support/webdav/dav-client.ts';
import { Ground } from '../access/secrets.ts';
import { credentialsRequest } from './credentials.ts';
import { davRequest } from './dav-requests.ts';
import { complaintAbout, type SeenReply } from './judge.ts';
import { asHeader, Learned, type MadeRequest, Maker } from './made-request.ts';
import { loginRequest, ocsRequest, pictureRequest } from './ocs-requests.ts';
import { tusRequest } from './tus-requests.ts';

const MAKERS = {
  tus: tusRequest,
  dav: davRequest,
  ocs: ocsRequest,
  login: loginRequest,
  pictures: pictureRequest,
  credentials: credentialsRequest,
} as const;

export type AppKind = keyof typeof MAKERS;

const WEIGHTS: Readonly<Record<AppKind, number>> = { tus: 4, dav: 8, ocs: 4, login: 1, pictures: 2, credentials: 1 };

export interface AppFuzzReport {
  /** How often each kind of request got which status, as `tus POST 201`. */
  readonly statuses: ReadonlyMap<string, number>;
  /** What must not be, in sentences with what was sent. */
  readonly complaints: readonly string[];
}

/** Requests at the same time. */
const CONCURRENCY = 8;
/** Milliseconds after which a request counts as hanging. */
const HANGING = 30_000;
/** Requests after which what they have deleted is there again. */
const REPLENISHED_EVERY = 200;

/**
 * Requests to everything that apps use beside the API, made by a seeded generator: sensible ones, and ones with hostile values in
 * any place. What may never come is in `judge.ts`; besides, nothing outside of the homes may change, the log may have no unexpected
 * failure, and the server has to answer afterwards.
 */
export async function fuzzApps({
  requests,
  seed,
  kinds = WEIGHTS,
}: {
  readonly requests: number;
  readonly seed: number;
  /** How often each kind is made. */
  readonly kinds?: Readonly<Record<AppKind, number>>;
}): Promise<AppFuzzReport> {
  const ground = await Ground.open();
  const agent = new Agent({ connect: { rejectUnauthorized: false }, connections: CONCURRENCY, bodyTimeout: HANGING });
  const round = await Round.open(ground, agent, new Random(seed), kinds);
  try {
    const homes = await homesOf(ground);
    for (let left = requests; left > 0 && round.complaints.length < 20; left -= REPLENISHED_EVERY) {
      await ground.replenish();
      await addPicture(ground);
      await round.play(Math.min(left, REPLENISHED_EVERY));
    }
    const { status } = await ground.api.send('GET', '/healthz');
    const after = [
      ...(status === 200 ? [] : [`/healthz answers ${status}`]),
      ...(await unexpectedIn(ground)),
      ...((await homesOf(ground)) === homes ? [] : ['Something is beside the homes.']),
      ...(await ground.damages()),
    ];
    return { statuses: round.statuses, complaints: [...round.complaints, ...after] };
  } finally {
    await agent.destroy();
    await ground.remove();
  }
}

/** Of which there can be previews. */
async function addPicture({ installation }: Ground): Promise<void> {
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60"><rect width="90" height="60"/></svg>';
  // Something else may be in the place of the folder by now.
  await writeFile(join(installation.home, 'Photos', 'picture.svg'), drawing).catch(() => undefined);
}

async function homesOf({ installation }: Ground): Promise<string> {
  return JSON.stringify((await readdir(join(installation.folder, 'homes'))).sort());
}

/** Lines of the log about failures that the program did not expect. */
async function unexpectedIn({ installation }: Ground): Promise<string[]> {
  const log = await readFile(join(installation.folder, '.larder', 'logs', 'larder.log'), 'utf8');
  return log
    .split('\n')
    .filter((line) => /^\{"level":"(?:error|fatal)"/.test(line))
    .slice(0, 5)
    .map((line) => `The log says: ${line.slice(0, 1_000)}`);
}

class Round {
  readonly statuses = new Map<string, number>();
  readonly complaints: string[] = [];
  readonly #ground: Ground;
  readonly #agent: Agent;
  readonly #maker: Maker;
  readonly #kinds: Readonly<Record<AppKind, number>>;

  private constructor(ground: Ground, agent: Agent, maker: Maker, kinds: Readonly<Record<AppKind, number>>) {
    this.#ground = ground;
    this.#agent = agent;
    this.#maker = maker;
    this.#kinds = kinds;
  }

  static async open(ground: Ground, agent: Agent, random: Random, kinds: Readonly<Record<AppKind, number>>) {
    const { username, authorization: basic } = await davClient(ground.api);
    const parts = { random, learned: new Learned(), username, basic, bearer: ground.api.token_ ?? '' };
    return new Round(ground, agent, new Maker(parts), kinds);
  }

  async play(count: number): Promise<void> {
    let left = count;
    const lane = async () => {
      while (left > 0) {
        left -= 1;
        await this.#send();
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, lane));
  }

  async #send(): Promise<void> {
    const maker = this.#maker;
    const { random } = maker;
    maker.isSensible = random.chance(0.6);
    const kind = random.weighted(this.#kinds);
    const made = MAKERS[kind](maker);
    const headers = Object.fromEntries(Object.entries(made.headers).map(([name, value]) => [name, asHeader(value)]));
    const { authorization: _, ...others } = headers;
    const told = `${kind}: ${made.method} ${made.path.slice(0, 300)} ${JSON.stringify(others).slice(0, 400)} ${String(made.body ?? '').slice(0, 300)}`;
    try {
      // Not by its URL, in which `..` would be resolved before it is sent.
      const response = await this.#agent.request({
        origin: this.#ground.api.base,
        path: made.path,
        method: made.method as 'GET',
        headers,
        body: made.body,
        headersTimeout: HANGING,
      });
      const bytes = Buffer.from(await response.body.arrayBuffer());
      const shown = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
      const reply = { status: response.statusCode, headers: shown, bytes };
      this.#judge(kind, told, made, reply);
      this.#learn(kind, reply);
    } catch (error) {
      // A server that refuses a body may close before it has all of it.
      const { code = '' } = error as NodeJS.ErrnoException;
      if (!['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'UND_ERR_INVALID_ARG'].includes(code))
        this.complaints.push(`${told}: no answer (${String(error)})`);
    }
  }

  #judge(kind: AppKind, told: string, made: MadeRequest, reply: SeenReply): void {
    const key = `${kind} ${made.method} ${reply.status}`;
    this.statuses.set(key, (this.statuses.get(key) ?? 0) + 1);
    // Version 1 of OCS says it in the body.
    const isRefused = reply.status >= 400 || reply.bytes.includes('failure');
    const isAccepted = kind === 'credentials' && !isRefused;
    const complaint = isAccepted ? 'accepts it' : complaintAbout(this.#ground, made, reply);
    if (complaint !== null)
      this.complaints.push(`${told}: ${reply.status}, ${complaint}: ${reply.bytes.toString().slice(0, 300)}`);
  }

  /** What later requests are about. */
  #learn(kind: AppKind, { status, headers, bytes }: SeenReply): void {
    const { learned } = this.#maker;
    const text = bytes.length < 1_000_000 ? bytes.toString() : '';
    if (kind === 'tus' && headers.location !== undefined) learned.add('upload', headers.location);
    const lock = /<([^>]+)>/.exec(headers['lock-token'] ?? '')?.[1];
    if (lock !== undefined) learned.add('lock', lock);
    for (const [, number = ''] of text.matchAll(/<oc:fileid>(\d+)</g)) learned.add('fileid', number);
    for (const [, id = ''] of text.matchAll(/\/trashbin\/[^/]+\/trash\/([^<]+?)\/?</g)) learned.add('trashed', id);
    if (status !== 200) return;
    for (const [, id = ''] of text.matchAll(/(?:<id>|"id":"?)(\d+)/g)) learned.add('share', id);
    const token = /"token":"([^"]+)"/.exec(text)?.[1];
    if (kind === 'login' && token !== undefined) learned.add('poll', token);
  }
}
