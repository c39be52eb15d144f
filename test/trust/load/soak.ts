import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { Random } from '../../model/random.ts';
import { MEMBER } from '../../support/households/member.ts';
import { Installation } from '../../support/households/server-process.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';

export interface SoakReport {
  readonly seed: number;
  readonly minutes: number;
  readonly requests: number;
  /** What must not be, in sentences. */
  readonly complaints: readonly string[];
  /** Of the first quarter, after it has warmed up, and of the last. */
  readonly first: Quarter;
  readonly last: Quarter;
}

export interface Quarter {
  /** Bytes, the most that was seen. */
  readonly memory: number;
  /** Open files and connections, the most that were seen. */
  readonly handles: number;
  /** Milliseconds within which 95 of 100 requests were answered. */
  readonly latency: number;
}

const PEOPLE = 10;
const DEVICES_EACH = 2;
/** Milliseconds that somebody looks at what has come. */
const THINKING = { least: 100, most: 1_200 };
/** Files that a device keeps; what is more is deleted. */
const MAX_FILES = 30;
const LOOKS = 40;

/**
 * A household for a while: ten people with two devices each who list, upload, download, rename, search, share and delete, with
 * pauses as people make them. Nothing may fail, and memory, handles and latency have to stay where they were.
 */
export async function soak({ minutes, seed }: { minutes: number; seed: number }): Promise<SoakReport> {
  const installation = await Installation.create();
  const milliseconds = minutes * 60_000;
  const random = new Random(seed);
  try {
    const api = await installation.start();
    const devices: Device[] = [];
    for (let n = 1; n <= PEOPLE; n += 1) {
      const username = n === 1 ? 'ann' : `person${n}`;
      if (n > 1)
        await installation.control('accounts.add', { ...MEMBER, username, name: username, createHomeFolder: true });
      for (let at = 0; at < DEVICES_EACH; at += 1) {
        const theirs = n === 1 ? api : api.with(await installation.token(username, MEMBER.password));
        devices.push(new Device(theirs, `device${at}`, new Random(seed + n * 10 + at)));
      }
    }
    for (const device of devices) await device.begin();
    const end = performance.now() + milliseconds;
    const complaints: string[] = [];
    const latencies: { readonly at: number; readonly took: number }[] = [];
    const looks: { readonly at: number; readonly memory: number; readonly handles: number }[] = [];
    const looking = setInterval(async () => {
      looks.push({ at: performance.now(), ...(await stateOf(installation.pid)) });
    }, milliseconds / LOOKS);
    const working = devices.map(async (device) => {
      while (performance.now() < end && complaints.length < 10) {
        const began = performance.now();
        const complaint = await device.act().catch((error: unknown) => String(error));
        latencies.push({ at: began, took: performance.now() - began });
        if (complaint !== null) complaints.push(complaint);
        const pause = THINKING.least + random.below(THINKING.most - THINKING.least);
        await new Promise((done) => setTimeout(done, pause));
      }
    });
    await Promise.all(working);
    clearInterval(looking);
    const { problems } = await installation.doctor();
    const quarter = (from: number, to: number): Quarter => {
      const within = ({ at }: { at: number }) =>
        at >= end - milliseconds * (1 - from) && at <= end - milliseconds * (1 - to);
      const took = latencies.filter(within).map((one) => one.took);
      const seen = looks.filter(within);
      return {
        memory: Math.max(0, ...seen.map(({ memory }) => memory)),
        handles: Math.max(0, ...seen.map(({ handles }) => handles)),
        latency: took.sort((a, b) => a - b)[Math.floor(took.length * 0.95)] ?? 0,
      };
    };
    const all = [...complaints, ...problems.map((problem) => `The doctor says: ${problem}`)];
    // The first tenth is for caches to fill.
    return {
      seed,
      minutes,
      requests: latencies.length,
      complaints: all,
      first: quarter(0.1, 0.35),
      last: quarter(0.75, 1),
    };
  } finally {
    await installation.remove();
  }
}

async function stateOf(pid: number): Promise<{ memory: number; handles: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const handles = (await readdir(`/proc/${pid}/fd`).catch(() => [])).length;
  return { memory: Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1_024, handles };
}

/** One device of somebody, with a folder of its own. */
class Device {
  readonly #api: ApiClient;
  readonly #folder: string;
  readonly #random: Random;
  readonly #files = new Map<string, Buffer>();
  #made = 0;

  constructor(api: ApiClient, name: string, random: Random) {
    this.#api = api;
    this.#folder = `/ROOT/HOME/${name}`;
    this.#random = random;
  }

  async begin(): Promise<void> {
    await this.#api.post('files/createfolder', { path: '/ROOT/HOME', name: this.#folder.slice('/ROOT/HOME/'.length) });
  }

  /** One thing that people do. @returns what was wrong with the answer, or null */
  async act(): Promise<string | null> {
    const random = this.#random;
    if (this.#files.size === 0) return this.#upload();
    if (this.#files.size > MAX_FILES) return this.#remove();
    switch (random.weighted({ list: 6, upload: 3, download: 4, rename: 1, search: 1, star: 1, remove: 1 })) {
      case 'list':
        return this.#expect('list', await this.#api.get('files/browse', { path: this.#folder }), [200]);
      case 'upload':
        return this.#upload();
      case 'download':
        return this.#download();
      case 'rename':
        return this.#rename();
      case 'search':
        return this.#expect(
          'search',
          await this.#api.post('files/search', { path: '/ROOT/HOME', filename: 'f' }),
          [200],
        );
      case 'star':
        return this.#expect('star', await this.#api.post('files/star', { path: this.#any() }), [200, 409]);
      case 'remove':
        return this.#remove();
    }
  }

  #any(): string {
    return `${this.#folder}/${this.#random.pick([...this.#files.keys()])}`;
  }

  async #upload(): Promise<string | null> {
    this.#made += 1;
    const name = `f${this.#made}.bin`;
    const content = randomBytes(this.#random.chance(0.05) ? 2_000_000 : this.#random.below(40_000));
    const reply = await this.#api.put({ path: `${this.#folder}/${name}` }, content);
    this.#files.set(name, content);
    return this.#expect(`upload ${name}`, reply, [200, 201]);
  }

  async #download(): Promise<string | null> {
    const [name, content] = this.#random.pick([...this.#files]);
    const reply = await this.#api.get('files/download', { path: `${this.#folder}/${name}` });
    if (reply.status === 200 && !reply.bytes.equals(content)) return `download ${name}: another content`;
    return this.#expect(`download ${name}`, reply, [200]);
  }

  async #rename(): Promise<string | null> {
    const [name, content] = this.#random.pick([...this.#files]);
    this.#made += 1;
    const newName = `r${this.#made}.bin`;
    const reply = await this.#api.post('files/rename', { path: `${this.#folder}/${name}`, newName });
    this.#files.delete(name);
    this.#files.set(newName, content);
    return this.#expect(`rename ${name}`, reply, [200]);
  }

  async #remove(): Promise<string | null> {
    const name = this.#random.pick([...this.#files.keys()]);
    const reply = await this.#api.post('files/delete', { path: `${this.#folder}/${name}` });
    this.#files.delete(name);
    return this.#expect(`delete ${name}`, reply, [200]);
  }

  #expect(told: string, { status, text }: { status: number; text: string }, fine: readonly number[]): string | null {
    return fine.includes(status) ? null : `${told}: ${status} ${text.slice(0, 300)}`;
  }
}
