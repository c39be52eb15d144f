import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Household, openHousehold } from '../support/households/household.ts';
import { Client } from './client.ts';
import { Generator, type Planned } from './generate.ts';
import type { Call, Operation, Path, Reply } from './history.ts';
import { observe } from './observe.ts';
import { Random } from './random.ts';
import { Rows } from './records.ts';
import { emptyState, type Node, type State, withChild } from './state.ts';

const CLIENTS = 8;
const OPERATIONS = 200;
/** After so many everyone waits for the last reply, and everything is looked at. */
const BETWEEN_LOOKS = 40;

/** All that happened in a round. */
export interface Round {
  readonly seed: number;
  readonly initial: State;
  /** Between two looks each, which are the last call of their part. */
  readonly parts: readonly (readonly Call[])[];
  /** Where disk, rows and listings contradict each other. */
  readonly problems: readonly string[];
}

/** One household for many rounds, with eight clients of its owner. Every round begins with an empty home. */
export class Rounds {
  readonly #household: Household;
  readonly #clients: readonly Client[];
  readonly #rows: Rows;

  private constructor(household: Household, clients: readonly Client[], rows: Rows) {
    this.#household = household;
    this.#clients = clients;
    this.#rows = rows;
  }

  static async open(): Promise<Rounds> {
    const household = await openHousehold();
    const { token_ } = await household.signIn();
    const clients = Array.from({ length: CLIENTS }, () => new Client(household.port, household.ca, token_ ?? ''));
    return new Rounds(household, clients, await Rows.open(household.folder));
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
    await this.#rows.close();
    await this.#household.close();
  }

  async play(seed: number): Promise<Round> {
    try {
      return await this.#play(seed);
    } catch (error) {
      throw new Error(`round ${seed} did not come to its end`, { cause: error });
    }
  }

  async #play(seed: number): Promise<Round> {
    const random = new Random(seed);
    const generator = new Generator(random);
    const versionsKept = random.pick([20, 20, 2, 0]);
    await this.#household.control('settings.update', { versionsKept });
    const initial = await this.#furnish(random, generator, versionsKept);
    const play = new Play(this.#clients, random);
    const parts: Call[][] = [];
    const problems: string[] = [];
    for (let done = 0; done < OPERATIONS && problems.length === 0; done += BETWEEN_LOOKS) {
      const plans = this.#clients.map((_, client) => planFor(generator, client, BETWEEN_LOOKS / CLIENTS));
      const calls = await play.run(plans);
      const isEnd = done + BETWEEN_LOOKS >= OPERATIONS;
      const seen = await observe(this.#household, this.#rows, this.#client, isEnd);
      parts.push([...calls, play.look({ status: 200, code: null, observed: seen.observation })]);
      problems.push(...seen.problems);
    }
    problems.push(...(await this.#clear()));
    return { seed, initial, parts, problems };
  }

  get #client(): Client {
    return this.#clients[0] as Client;
  }

  /** A small tree, put there by another program, or nothing. */
  async #furnish(random: Random, generator: Generator, versionsKept: number): Promise<State> {
    let state = emptyState(versionsKept);
    if (random.chance(0.3)) return state;
    const put = async (path: Path, text: string | null) => {
      const real = join(this.#household.home, ...path);
      await (text === null ? mkdir(real) : writeFile(real, text));
      generator.know(path, text === null);
      state = withChild(state, path.slice(0, -1), path.at(-1) ?? '', foundNode(path, text));
    };
    for (const path of [['a'], ['b'], ['a', 'b'], ['a', '\u00e9']])
      if (random.chance(0.8)) await put(path, null).catch(ignoreMissing);
    for (const path of [['c.txt'], ['a', 'c.txt'], ['a', 'b', 'd.txt'], ['b', 'e\u0301']])
      if (random.chance(0.8)) await put(path, generator.content()).catch(ignoreMissing);
    // Twins, which the API does not make.
    if (random.chance(0.15)) await put(['A'], random.chance(0.5) ? null : generator.content());
    return state;
  }

  /** Leaves an empty home, and looks whether anything stays. */
  async #clear(): Promise<string[]> {
    const client = this.#client;
    const wipe = async () => {
      const { listed = [] } = await client.perform({ kind: 'browse', path: [], recursive: false });
      for (const { path } of listed) await client.perform({ kind: 'delete', path, permanent: true });
      const trash = await client.perform({ kind: 'trash/list' });
      for (const { path } of trash.listed ?? []) await client.perform({ kind: 'trash/delete', trashId: path[0] ?? '' });
    };
    await wipe();
    for (const { path, total_size: total } of (await this.#rows.read()).uploads) {
      const [piece, text] = [{ start: 0, total }, 'x'.repeat(total)];
      await client.perform({ kind: 'upload', path: path.split('/'), text, makesFolders: true, piece });
    }
    await wipe();
    const journal = await this.#rows.settled();
    const { items, ...rest } = await this.#rows.read();
    const left = [...items.slice(2), ...Object.values(rest).flat(), ...journal];
    return left.map((row) => `left after everything was removed: ${JSON.stringify(row)}`);
  }
}

function foundNode(path: Path, text: string | null): Node {
  const id = `found ${path.join('/')}`;
  if (text === null) return { isDir: true, id, uuid: null, children: new Map() };
  return { isDir: false, id, uuid: null, version: 1, text, isSigned: false, history: [] };
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

function planFor(generator: Generator, client: number, count: number): Planned[] {
  const planned: Planned[] = [];
  while (planned.length < count) planned.push(...generator.next(client));
  return planned;
}

/** Sends what was planned and writes down what comes back, and when. */
class Play {
  readonly #clients: readonly Client[];
  readonly #random: Random;
  /** Ids of the trash that a reply has told, the newest last. */
  readonly #trashIds: string[] = [];
  /** Grows with everything that is sent or received: all of it happens in this process, one after the other. */
  #moment = 0;
  #count = 0;

  constructor(clients: readonly Client[], random: Random) {
    this.#clients = clients;
    this.#random = random;
  }

  async run(plans: readonly (readonly Planned[])[]): Promise<Call[]> {
    const lanes = plans.map(async (planned, client) => {
      const calls: Call[] = [];
      for (const plan of planned) calls.push(await this.#call(client, this.#operation(plan)));
      return calls;
    });
    return (await Promise.all(lanes)).flat().sort((a, b) => a.began - b.began);
  }

  /** A call at one moment, when no other is under way. */
  look(reply: Reply): Call {
    const moment = ++this.#moment;
    const operation: Operation = { kind: 'observe' };
    return { id: this.#count++, client: -1, operation, reply, began: moment, ended: moment, took: 0 };
  }

  async #call(client: number, operation: Operation): Promise<Call> {
    const id = this.#count++;
    const began = ++this.#moment;
    const start = performance.now();
    const reply = await (this.#clients[client] as Client).perform(operation);
    const took = performance.now() - start;
    const ended = ++this.#moment;
    const fromTrash = operation.kind === 'trash/list' ? (reply.listed ?? []).map(({ path }) => path[0] ?? '') : [];
    for (const trashId of [...fromTrash, ...(reply.trashId === undefined ? [] : [reply.trashId])])
      if (!this.#trashIds.includes(trashId)) this.#trashIds.push(trashId);
    return { id, client, operation, reply, began, ended, took };
  }

  #operation(plan: Planned): Operation {
    if (!('choice' in plan)) return plan;
    // Mostly of the last few: those are in the trash still.
    const recent = this.#trashIds.slice(-6);
    const trashId = recent[Math.floor(plan.choice * recent.length)] ?? `nothing${this.#random.below(10)}`;
    return { kind: plan.kind, trashId };
  }
}
