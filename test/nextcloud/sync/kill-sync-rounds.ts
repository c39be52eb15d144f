import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from '../../model/random.ts';
import { Installation } from '../../support/households/server-process.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';
import { type DavClient, davClient } from '../../support/webdav/dav-client.ts';
import { runClient, treeOf } from '../support.ts';
import { retryFailed } from './client-journal.ts';
import { editShared } from './conflicts.ts';
import { CutRelay } from './cut-relay.ts';
import { Edits } from './edits.ts';
import { contentsOf, differenceOf } from './trees.ts';

export interface KillSyncReport {
  readonly killed: { readonly clients: number; readonly servers: number };
  /** What must not be, in sentences. */
  readonly complaints: readonly string[];
}

const COMPUTERS = ['one', 'other'] as const;
const SHARED = 'shared';
/** Runs of a client that are cut off in each round. */
const CUTS = 4;
/** After so many, everyone has everything, whatever was cut off. */
const PASSES = 6;

/**
 * Rounds like those of `syncRounds`, in which clients and server are killed while they synchronize. When nobody is killed any more,
 * all agree, and every content is there.
 * @param seed the same seed gives the same edits; the moments depend on the order of packets as well
 */
export async function killSyncRounds({ rounds, seed }: { rounds: number; seed: number }): Promise<KillSyncReport> {
  const folder = await mkdtemp(join(tmpdir(), 'larder-sync-'));
  const installation = await Installation.create();
  const relay = await CutRelay.open();
  try {
    const api = await installation.start();
    const app = await davClient(api, { folder: '/ROOT/HOME' });
    const play = new KillSyncRounds(installation, relay, app, folder, new Random(seed));
    await play.begin(api);
    for (let round = 1; round <= rounds && play.complaints.length === 0; round += 1) await play.round(round);
    return { killed: play.killed, complaints: play.complaints };
  } finally {
    await installation.remove();
    await relay.close();
    await rm(folder, { recursive: true, force: true });
  }
}

class KillSyncRounds {
  readonly complaints: string[] = [];
  readonly killed = { clients: 0, servers: 0 };
  readonly #installation: Installation;
  readonly #relay: CutRelay;
  readonly #app: DavClient;
  readonly #folder: string;
  readonly #random: Random;
  readonly #edits: Edits;
  #api: ApiClient | null = null;

  constructor(installation: Installation, relay: CutRelay, app: DavClient, folder: string, random: Random) {
    [this.#installation, this.#relay, this.#app, this.#folder] = [installation, relay, app, folder];
    [this.#random, this.#edits] = [random, new Edits(random, join(folder, 'removed'))];
  }

  async begin(api: ApiClient): Promise<void> {
    const { home } = this.#installation;
    this.#running(api);
    for (const computer of COMPUTERS) await mkdir(this.#at(computer));
    await mkdir(join(home, SHARED), { recursive: true });
    // Without anything that stays, the client asks before it changes everything.
    await writeFile(join(home, 'stays.txt'), 'here');
    await this.#untilQuiet();
  }

  async round(round: number): Promise<void> {
    const { home } = this.#installation;
    const places = [this.#at('one'), this.#at('other'), home];
    const owns = [join(places[0] ?? '', 'from one'), join(places[1] ?? '', 'from other'), join(home, 'from disk')];
    for (const own of owns) await this.#edits.make(own, 8, false);
    const shared = places.map((place) => join(place, SHARED));
    const expected = await editShared(shared, this.#edits, this.#random);
    const edited = await Promise.all(owns.map((own) => treeOf(own)));
    await this.#look();
    for (let cut = 0; cut < CUTS; cut += 1) await this.#cutOff();
    const difference = await this.#untilQuiet();
    if (difference !== null) this.complaints.push(`round ${round}: the trees differ: ${difference}`);
    for (const [at, own] of owns.entries()) await this.#expectKept(round, own, [...contentsOf(edited[at] ?? {})]);
    await this.#expectKept(round, join(home, SHARED), expected.contents);
  }

  #at(computer: (typeof COMPUTERS)[number]): string {
    return join(this.#folder, computer);
  }

  #running(api: ApiClient): void {
    this.#api = api;
    this.#relay.target = Number(new URL(api.base).port);
  }

  /** What another program did on the disk counts once Larder has seen it. */
  async #look(): Promise<void> {
    await this.#api?.get('files/browse', { path: '/ROOT/HOME', recursive: 1 });
  }

  /** A client synchronizes until it or the server is killed. */
  async #cutOff(): Promise<void> {
    const random = this.#random;
    const computer = random.pick(COMPUTERS);
    const isServer = random.chance(0.5);
    let killing: Promise<void> | null = null;
    let lines = isServer ? 0 : 60 + random.below(400);
    if (isServer) this.#relay.after(10 + random.below(60), () => (killing = this.#installation.kill()));
    await this.#synchronize(computer, (client) =>
      client.stderr?.on('data', (text: Buffer) => {
        if (lines <= 0) return;
        lines -= String(text).split('\n').length - 1;
        if (lines > 0 || !client.kill('SIGKILL')) return;
        this.killed.clients += 1;
      }),
    );
    this.#relay.after(0, () => undefined);
    if (killing === null) return;
    await killing;
    this.killed.servers += 1;
    this.#running(await this.#installation.start());
  }

  async #synchronize(computer: (typeof COMPUTERS)[number], watch?: Parameters<typeof runClient>[5]): Promise<boolean> {
    const { port } = this.#relay;
    await retryFailed(this.#at(computer));
    const config = join(this.#folder, 'config');
    return (
      await runClient({ port, ca: await this.#installation.ca() }, this.#app, this.#at(computer), config, {}, watch)
    ).hasSucceeded;
  }

  /** @returns how the trees still differ, or null */
  async #untilQuiet(): Promise<string | null> {
    await this.#look();
    let difference: string | null = null;
    for (let pass = 0; pass < PASSES; pass += 1) {
      let isQuiet = true;
      for (const computer of COMPUTERS) isQuiet = (await this.#synchronize(computer)) && isQuiet;
      const [home, ...others] = await Promise.all(
        [this.#installation.home, ...COMPUTERS.map((computer) => this.#at(computer))].map(treeOf),
      );
      difference = others.map((tree) => differenceOf(tree, home ?? {})).find((one) => one !== null) ?? null;
      if (isQuiet && difference === null) return null;
    }
    return difference ?? 'a client fails again and again';
  }

  /**
   * Every content is still there. Its name may be the one before the round: when the connection ends during a move, the client moves
   * the file back. And a client that did not learn that it has sent a content may keep it a second time.
   */
  async #expectKept(round: number, folder: string, contents: readonly string[]): Promise<void> {
    const found = contentsOf(await treeOf(folder));
    const lost = contents.filter((content) => !found.has(content));
    if (lost.length > 0) this.complaints.push(`round ${round}: ${folder} has lost ${JSON.stringify(lost)}`);
  }
}
