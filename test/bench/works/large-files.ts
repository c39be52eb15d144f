import { open, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { operationPath } from '../api.ts';
import type { TransferJob } from '../clients/transfer.ts';
import { writeContent } from '../content.ts';
import { Larder } from '../larder.ts';
import { cpuSeconds } from '../processes.ts';
import type { Series } from '../rows.ts';
import { alternate, type Bench, timeOf, type Work } from '../work.ts';
import { type FileServer, startBareNode } from '../yardsticks/bare-node.ts';
import { startNginx } from '../yardsticks/nginx.ts';

const MIB = 2 ** 20;
const GIB = 2 ** 30;

export const download: Work = {
  name: 'download',
  targets: ['downloadSpeed', 'downloadCpu'],
  async run(bench, report) {
    const { larder, yardsticks } = await startServers(bench);
    const folder = larder.newFolder('Downloads');
    // The very same file for every server. It has just been written, so it is in memory for all of them.
    writeContent(join(folder.real, 'film.mkv'), bench.sizes.big);
    const path = operationPath('files/download/', { path: `${folder.path}/film.mkv` });
    const job = { authority: larder.certificate.authority, upload: null };
    const samples = await alternate(bench.runs, {
      larder: () => measure(bench, larder.pid, { ...job, url: larder.url(path), headers: bearer(larder) }),
      ...contestants(yardsticks, (server) =>
        measure(bench, server.pid, { ...job, url: urlOf(server, '/Downloads/film.mkv'), headers: {} }),
      ),
    });
    const throughput = ({ seconds }: Sample) => bench.sizes.big / MIB / seconds;
    report('downloadSpeed', series(samples, yardsticks, throughput));
    report('downloadCpu', series(samples, yardsticks, cpuPerGib(bench)));
  },
};

export const upload: Work = {
  name: 'upload',
  targets: ['uploadSpeed', 'uploadCpu'],
  async run(bench, report) {
    const { larder, yardsticks, bare } = await startServers(bench);
    // Larder always hashes what it receives. The others do not: their speed is that of a server that does nothing else.
    const hashing = { ...bare, name: `${bare.name} with SHA-256` };
    const source = join(bench.scratch.newFolder('source'), 'film.mkv');
    writeContent(source, bench.sizes.big);
    const folder = larder.newFolder('Uploads');
    const path = operationPath('files/upload', { path: `${folder.path}/film.mkv` });
    const job = { authority: larder.certificate.authority, upload: source };
    // What was uploaded goes away outside the time, so that each run makes a new file.
    const run = async (send: () => Promise<Sample>, file: string) => {
      const sample = await send();
      if ((await stat(file)).size !== bench.sizes.big) throw new Error(`${basename(file)} is not as long as it was`);
      await rm(file);
      return sample;
    };
    const samples = await alternate(bench.runs, {
      larder: () =>
        run(
          () => measure(bench, larder.pid, { ...job, url: larder.url(path), headers: bearer(larder) }),
          join(folder.real, 'film.mkv'),
        ),
      ...contestants([...yardsticks, hashing], (server, n) => {
        const file = join(folder.real, `film-${n}.mkv`);
        return run(async () => {
          const sample = await measure(bench, server.pid, {
            ...job,
            url: urlOf(server, `/Uploads/film-${n}.mkv`),
            headers: server === hashing ? { 'x-hash': 'sha-256' } : {},
          });
          // Bare Node has flushed it before it answered; nginx never does.
          return server.name.startsWith('nginx')
            ? { ...sample, seconds: sample.seconds + (await flush(file)) }
            : sample;
        }, file);
      }),
    });
    report(
      'uploadSpeed',
      series(samples, yardsticks, ({ seconds }) => bench.sizes.big / MIB / seconds, ' with fsync'),
    );
    report('uploadCpu', series(samples, [hashing], cpuPerGib(bench)));
  },
};

function cpuPerGib({ sizes }: Bench): (sample: Sample) => number {
  return ({ cpu }) => {
    if (cpu === null) throw new Error('CPU time is read from /proc, which is not there');
    return (cpu / sizes.big) * GIB;
  };
}

interface Sample {
  readonly seconds: number;
  /** Seconds; null where the system does not tell. */
  readonly cpu: number | null;
}

/** Larder and, the deciding one first, the yardsticks, which serve Larder's own home on the same disk. */
async function startServers({ scratch, nginx }: Bench) {
  const larder = await Larder.open(scratch);
  const bare = await startBareNode(scratch, larder.home, larder.certificate);
  const yardsticks = [
    ...(nginx === null ? [] : [await startNginx(scratch, nginx, larder.home, larder.certificate)]),
    bare,
  ];
  return { larder, yardsticks, bare };
}

/** One transfer, and the CPU time of the server that it took. */
async function measure({ transfer, sizes }: Bench, pid: number, job: TransferJob): Promise<Sample> {
  const before = cpuTime(pid);
  const { seconds, bytes } = await transfer(job);
  const after = cpuTime(pid);
  if (bytes !== sizes.big) throw new Error(`${bytes} bytes instead of ${sizes.big} went over ${job.url}`);
  return { seconds, cpu: before === null || after === null ? null : after - before };
}

function cpuTime(pid: number): number | null {
  return process.platform === 'linux' ? cpuSeconds(pid) : null;
}

/**
 * One fsync of the file that was put, in seconds. Not `sync` of everything, which would also pay for what others have
 * written, and none of the folder: on the usual file systems the journal takes the new name along with the file, and
 * where it does not, the yardstick has the advantage.
 */
async function flush(path: string): Promise<number> {
  const file = await open(path, 'r+');
  const milliseconds = await timeOf(() => file.sync());
  await file.close();
  return milliseconds / 1000;
}

function contestants(servers: readonly FileServer[], run: (server: FileServer, n: number) => Promise<Sample>) {
  return Object.fromEntries(servers.map((server, n) => [server.name, () => run(server, n)]));
}

function series(
  samples: Readonly<Record<string, readonly Sample[]>>,
  yardsticks: readonly FileServer[],
  value: (sample: Sample) => number,
  suffix = '',
): { larder: number[]; yardsticks: Series[] } {
  const valuesOf = (name: string) => (samples[name] ?? []).map(value);
  return {
    larder: valuesOf('larder'),
    yardsticks: yardsticks.map(({ name }) => ({ name: `${name}${suffix}`, samples: valuesOf(name) })),
  };
}

function bearer(larder: Larder): { authorization: string } {
  return { authorization: `Bearer ${larder.api.token}` };
}

function urlOf({ port }: FileServer, path: string): string {
  return `https://127.0.0.1:${port}${path}`;
}
