import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Random } from '../../model/random.ts';
import { Installation } from '../../support/households/server-process.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';
import { API_WAYS, DAV_WAYS, type Ways } from './ways.ts';

export interface KillReport {
  readonly seed: number;
  readonly rounds: number;
  /** Changes that were answered with success before a kill. */
  readonly acknowledged: number;
  /** Changes that were under way when the server was killed, and how many of them had happened. */
  readonly underWay: { readonly all: number; readonly happened: number };
  /** What must not be, in sentences. */
  readonly complaints: readonly string[];
  /** Milliseconds of the slowest start after a kill. */
  readonly slowestStart: number;
}

/** Who change something at the same time, each in a folder of their own. */
const CLIENTS = 6;
/** Milliseconds after the first change of a round after which the server is killed. */
const KILLED_AFTER = { least: 0, most: 850 };

/** Milliseconds in which rows and disk agree after a start. */
const TIMEOUT = 20_000;

/** What is in a client's folder: the hash of a file's content by its name. */
type State = ReadonlyMap<string, string>;

interface Change {
  readonly told: string;
  send(api: ApiClient): Promise<{ readonly status: number; readonly text: string }>;
  after(state: State): State;
}

/**
 * Kills the server at random moments under a mixed load, starts it again, and looks: everything that it had said yes to is there,
 * and of what was under way either all or nothing; rows and counts agree with the disk.
 */
export async function killRounds({ rounds, seed }: { rounds: number; seed: number }): Promise<KillReport> {
  const random = new Random(seed);
  const installation = await Installation.create();
  const complaints: string[] = [];
  let [acknowledged, all, happened, slowestStart] = [0, 0, 0, 0];
  const clients = Array.from({ length: CLIENTS }, (_, n) => {
    // The last ones use WebDAV.
    return new Client(`c${n}`, installation, new Random(seed + n), n < CLIENTS / 2 ? API_WAYS : DAV_WAYS);
  });
  try {
    for (const { folder } of clients) await mkdir(folder, { recursive: true });
    for (let round = 0; round < rounds && complaints.length === 0; round += 1) {
      const began = performance.now();
      const api = await installation.start();
      slowestStart = Math.max(slowestStart, performance.now() - began);
      for (const client of clients) {
        const complaint = await client.look();
        if (complaint !== null) complaints.push(`Round ${round} of seed ${seed}: ${complaint}`);
        if (client.wasUnderWay) all += 1;
        if (client.hasHappened) happened += 1;
      }
      const found = await doctorsWord(installation);
      complaints.push(...found.map((text) => `Round ${round} of seed ${seed}: the doctor says: ${text}`));
      let changed = () => {};
      const first = new Promise<void>((resolve) => {
        changed = resolve;
      });
      const working = Promise.all(clients.map((client) => client.work(api, changed)));
      await Promise.race([first, working]);
      await new Promise((done) =>
        setTimeout(done, KILLED_AFTER.least + random.below(KILLED_AFTER.most - KILLED_AFTER.least)),
      );
      await installation.kill();
      await working;
      acknowledged = clients.reduce((sum, client) => sum + client.acknowledged, 0);
    }
    return { seed, rounds, acknowledged, underWay: { all, happened }, complaints, slowestStart };
  } finally {
    await installation.remove();
  }
}

/** What is wrong once the first look through the homes is over: it takes in what was under way and has happened. */
async function doctorsWord(installation: Installation): Promise<string[]> {
  const deadline = performance.now() + TIMEOUT;
  for (;;) {
    const { problems, notes } = await installation.doctor();
    const differing = notes.filter((note) => /other programs have been at work/.test(note));
    if (differing.length === 0 || performance.now() > deadline) return [...problems, ...differing];
    await new Promise((done) => setTimeout(done, 100));
  }
}

class Client {
  readonly folder: string;
  acknowledged = 0;
  wasUnderWay = false;
  hasHappened = false;
  readonly #name: string;
  readonly #random: Random;
  readonly #ways: Ways;
  #state: State = new Map();
  #underWay: Change | null = null;
  #named = 0;

  constructor(name: string, installation: Installation, random: Random, ways: Ways) {
    this.#ways = ways;
    this.#name = name;
    this.folder = join(installation.home, name);
    this.#random = random;
  }

  /** One change after the other, until nobody answers any more. @param onChange called after each that was acknowledged */
  async work(api: ApiClient, onChange: () => void): Promise<void> {
    for (;;) {
      const change = this.#next();
      this.#underWay = change;
      const reply = await change.send(api).catch(() => null);
      if (reply === null) return;
      // A refusal of the server says nothing about what is there; here none is due.
      if (reply.status >= 300) throw new Error(`${change.told}: ${reply.status} ${reply.text}`);
      this.#state = change.after(this.#state);
      this.#underWay = null;
      this.acknowledged += 1;
      onChange();
    }
  }

  /** Holds what is on the disk against what there has to be. @returns what is wrong, or null */
  async look(): Promise<string | null> {
    const found = await contentsOf(this.folder);
    const change = this.#underWay;
    this.wasUnderWay = change !== null;
    this.hasHappened = change !== null && isSame(found, change.after(this.#state)) && !isSame(found, this.#state);
    const isFine = isSame(found, this.#state) || this.hasHappened;
    const before = this.#state;
    this.#state = found;
    this.#underWay = null;
    if (isFine) return null;
    const wanted = [...before].filter(([name, hash]) => found.get(name) !== hash).map(([name]) => name);
    const extra = [...found].filter(([name, hash]) => before.get(name) !== hash).map(([name]) => name);
    return `${this.#name}: after "${change?.told ?? 'nothing'}" under way, missing or other: ${wanted.join(', ')}; there although not acknowledged: ${extra.join(', ')}`;
  }

  #next(): Change {
    const random = this.#random;
    const names = [...this.#state.keys()];
    // Never one that was there before: a name that is taken is refused.
    const fresh = `f${this.#named++}.bin`;
    const path = (name: string) => `${this.#name}/${name}`;
    const ways = this.#ways;
    const kind = names.length < 3 ? 'upload' : random.weighted({ upload: 5, overwrite: 3, rename: 2, remove: 2 });
    const name = names.length === 0 ? fresh : random.pick(names);
    if (kind === 'upload' || kind === 'overwrite') {
      const target = kind === 'upload' ? fresh : name;
      const content = randomBytes(random.chance(0.1) ? 600_000 : random.below(20_000));
      const store = ways.inParts !== undefined && random.chance(0.3) ? ways.inParts : ways.store;
      return {
        told: `${kind} ${target}`,
        send: (api) => store(api, path(target), content),
        after: (state) => new Map(state).set(target, hashOf(content)),
      };
    }
    if (kind === 'rename') {
      return {
        told: `rename ${name} to ${fresh}`,
        send: (api) => ways.rename(api, path(name), fresh),
        after: (state) => without(new Map(state).set(fresh, state.get(name) ?? ''), name),
      };
    }
    return {
      told: `delete ${name}`,
      send: (api) => ways.remove(api, path(name)),
      after: (state) => without(new Map(state), name),
    };
  }
}

function without(state: Map<string, string>, name: string): State {
  state.delete(name);
  return state;
}

function isSame(one: State, other: State): boolean {
  return one.size === other.size && [...one].every(([name, hash]) => other.get(name) === hash);
}

const hashOf = (content: Uint8Array) => createHash('sha256').update(content).digest('base64');

async function contentsOf(folder: string): Promise<State> {
  const names = await readdir(folder);
  return new Map(
    await Promise.all(names.map(async (name) => [name, hashOf(await readFile(join(folder, name)))] as const)),
  );
}
