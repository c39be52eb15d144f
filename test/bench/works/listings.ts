import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { operationPath } from '../api.ts';
import { Load } from '../clients/load.ts';
import { writeFiles } from '../content.ts';
import { Larder } from '../larder.ts';
import { writeLibrary } from '../library.ts';
import type { Measured, Series } from '../rows.ts';
import { isCompared, isIndexed } from '../settled.ts';
import type { TargetName } from '../targets.ts';
import { alternate, type Bench, pause, type Report, type Work } from '../work.ts';
import { type FileServer, startBareNode } from '../yardsticks/bare-node.ts';
import { startNginx } from '../yardsticks/nginx.ts';

const CONNECTIONS = 8;
/** Milliseconds between a change and the next listing, as between two looks of a person. */
const BETWEEN = 200;

/** Listings in a home with as many files as people have. */
export const listings: Work = {
  name: 'listings',
  targets: ['shortList', 'longList', 'longListFirst', 'longListChanged', 'wideList', 'widePage', 'wideListChanged'],
  async run(bench, report) {
    const { sizes } = bench;
    const larder = await Larder.open(bench.scratch);
    const folders = {
      short: newFolder(larder, 'Short', sizes.shortList),
      long: newFolder(larder, 'Long', sizes.longList),
      wide: newFolder(larder, 'Wide', sizes.wideList),
    };
    await larder.stop();
    writeLibrary(join(larder.home, 'Library'), sizes.household);
    await larder.start();
    await isIndexed(larder);
    for (const folder of Object.values(folders)) await checkListing(larder, folder);
    const listing = new Listings(bench, larder, report);
    await listing.open();
    await listing.perSecond('shortList', folders.short, sizes.shortListRequests);
    await listing.times('longList', folders.long, { requests: sizes.longListRequests });
    await listing.times('longListChanged', folders.long, { requests: 1, before: () => change(folders.long) });
    await listing.times('wideList', folders.wide, { requests: 2 });
    await listing.times('widePage', folders.wide, { requests: sizes.longListRequests, limit: sizes.widePage });
    await listing.times('wideListChanged', folders.wide, { requests: 1, before: () => change(folders.wide) });
    // Last, since it restarts the servers.
    await listing.firstTimes('longListFirst', folders.long);
  },
};

interface Folder {
  readonly name: string;
  readonly path: string;
  readonly real: string;
  readonly entries: number;
}

function newFolder(larder: Larder, name: string, entries: number): Folder {
  const { path, real } = larder.newFolder(name);
  writeFiles(real, entries, 'bin');
  return { name, path, real, entries };
}

let changes = 0;

/** A change by another program, which has then settled. */
async function change({ real }: Folder): Promise<void> {
  changes += 1;
  writeFileSync(join(real, `changed ${changes % 2}`), String(changes));
  await pause(BETWEEN);
}

const queryOf = ({ path }: Pick<Folder, 'path'>, limit?: number) => ({
  path,
  itemType: 'any',
  'details[]': ['fileSize', 'mdate'],
  ...(limit === undefined ? {} : { limit }),
});

class Listings {
  readonly #bench: Bench;
  readonly #larder: Larder;
  readonly #report: Report;
  readonly #load: Load;
  readonly #authorization: string;
  #yardsticks: readonly FileServer[] = [];

  constructor(bench: Bench, larder: Larder, report: Report) {
    this.#bench = bench;
    this.#larder = larder;
    this.#report = report;
    this.#load = new Load(bench.scratch);
    this.#authorization = `Bearer ${larder.api.token}`;
  }

  async open(): Promise<void> {
    const { scratch, nginx } = this.#bench;
    const { home, certificate } = this.#larder;
    const bare = await startBareNode(scratch, home, certificate, this.#authorization);
    this.#yardsticks = nginx === null ? [bare] : [await startNginx(scratch, nginx, home, certificate), bare];
  }

  /** Listings in a second, over several connections. The bare server decides. */
  async perSecond(target: TargetName, folder: Folder, count: number): Promise<void> {
    const samples = await this.#measure(folder, { connections: CONNECTIONS, count });
    const yardsticks = [...samples.yardsticks].reverse();
    this.#report(target, { ...samples, yardsticks, ...this.#load.note });
  }

  /** Milliseconds of one listing over one connection: how long a person waits. */
  async times(
    target: TargetName,
    folder: Folder,
    { requests, limit, before }: { requests: number; limit?: number; before?: () => Promise<void> },
  ): Promise<void> {
    const job = { connections: 1, count: requests, limit, before };
    this.#report(target, inMilliseconds(await this.#measure(folder, job)));
  }

  /** Of a server that has just been started, and has compared everything. */
  async firstTimes(target: TargetName, folder: Folder): Promise<void> {
    const { scratch, runs } = this.#bench;
    const larder: number[] = [];
    const bare: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      await this.#larder.stop();
      await this.#larder.start();
      await isCompared(this.#larder);
      larder.push(await this.#larderListing(folder, { connections: 1, count: 1 }));
      const server = await startBareNode(scratch, this.#larder.home, this.#larder.certificate, this.#authorization);
      bare.push(await this.#bareListing(server, folder, { connections: 1, count: 1 }));
      process.kill(server.pid);
    }
    this.#report(target, inMilliseconds({ larder, yardsticks: [{ name: 'bare Node', samples: bare }] }));
  }

  async #measure(folder: Folder, job: Job): Promise<Measured & { readonly yardsticks: readonly Series[] }> {
    const { runs } = this.#bench;
    const contestants: Record<string, () => Promise<number>> = { larder: () => this.#larderListing(folder, job) };
    for (const server of this.#yardsticks) contestants[server.name] = () => this.#bareListing(server, folder, job);
    const { larder = [], ...others } = await alternate(runs, contestants);
    return { larder, yardsticks: Object.entries(others).map(([name, samples]) => ({ name, samples })) };
  }

  /** @returns requests in a second */
  async #larderListing(folder: Folder, { before, limit, ...job }: Job): Promise<number> {
    await before?.();
    const path = operationPath('files/browse/', queryOf(folder, limit));
    return this.#load.run({ ...this.#job(job), port: this.#larder.port, path });
  }

  async #bareListing({ port }: FileServer, { name }: Folder, { before, limit: _, ...job }: Job): Promise<number> {
    await before?.();
    return this.#load.run({ ...this.#job(job), port, path: `/${name}/` });
  }

  #job(job: Pick<Job, 'connections' | 'count'>) {
    const headers = { authorization: this.#authorization };
    return { ...job, ca: this.#larder.authority, method: 'GET', body: 0, headers };
  }
}

interface Job {
  readonly connections: number;
  readonly count: number;
  readonly limit?: number | undefined;
  readonly before?: (() => Promise<void>) | undefined;
}

/** From requests in a second, one after the other. */
function inMilliseconds({ larder, yardsticks = [], ...rest }: Measured): Measured {
  const milliseconds = (samples: readonly number[]) => samples.map((rate) => 1_000 / rate);
  return {
    ...rest,
    larder: milliseconds(larder),
    yardsticks: yardsticks.map(({ name, samples }) => ({ name, samples: milliseconds(samples) })),
  };
}

/** A listing that left something out would be fast. */
async function checkListing(larder: Larder, folder: Folder): Promise<void> {
  const { files } = await larder.api.get('files/browse/', queryOf(folder));
  const complete = Array.isArray(files)
    ? files.filter(({ fileSize, mdate }) => fileSize > 0 && mdate !== undefined)
    : [];
  if (complete.length !== folder.entries)
    throw new Error(`${complete.length} entries instead of ${folder.entries} are listed`);
}
