import { mkdirSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { operationPath } from '../api.ts';
import { Load } from '../clients/load.ts';
import { startHelper } from '../helper.ts';
import { Larder } from '../larder.ts';
import { alternate, type Work } from '../work.ts';
import { startBareNode } from '../yardsticks/bare-node.ts';
import type { RawLoopJob } from '../yardsticks/raw-loop-process.ts';

const LANES = 8;

export const smallUploads: Work = {
  name: 'small-uploads',
  targets: ['smallUploads'],
  async run({ scratch, sizes, runs }, report) {
    const larder = await Larder.open(scratch);
    const load = new Load(scratch);
    const rawLoop = startHelper<RawLoopJob, number>(scratch, './yardsticks/raw-loop-process.js', {
      // As Larder's own: otherwise four of the eight lanes would wait for a thread.
      UV_THREADPOOL_SIZE: '16',
    });
    const bareRoot = scratch.newFolder('bare');
    const bare = await startBareNode(scratch, bareRoot, larder.certificate);
    const incoming = scratch.newFolder('incoming');
    let folders = 0;
    const samples = await alternate(runs, {
      larder: async () => {
        const { path, real } = larder.newFolder(`Photos ${folders++}`);
        const result = await load.run({
          port: larder.port,
          ca: larder.authority,
          connections: LANES,
          count: sizes.smallFiles,
          method: 'PUT',
          path: operationPath('files/upload', { path: `${path}/file-{n}` }).replace('%7Bn%7D', '{n}'),
          headers: { authorization: `Bearer ${larder.api.token}` },
          body: sizes.small,
        });
        await checkAndRemove(real, sizes.smallFiles);
        return result;
      },
      bare: async () => {
        const name = `bare-${folders++}`;
        mkdirSync(join(bareRoot, name));
        const result = await load.run({
          port: bare.port,
          ca: larder.authority,
          connections: LANES,
          count: sizes.smallFiles,
          method: 'PUT',
          path: `/${name}/file-{n}`,
          headers: {},
          body: sizes.small,
        });
        await checkAndRemove(join(bareRoot, name), sizes.smallFiles);
        return result;
      },
      raw: async () => {
        const target = join(scratch.folder, `raw-${folders++}`);
        mkdirSync(target);
        const job = { incoming, target, files: sizes.smallFiles, bytes: sizes.small, lanes: LANES };
        const milliseconds = await rawLoop.ask(job);
        await checkAndRemove(target, sizes.smallFiles);
        return (sizes.smallFiles / milliseconds) * 1000;
      },
    });
    const name = `raw loop, ${LANES} lanes`;
    const yardsticks = [
      { name, samples: samples.raw },
      // It knows nobody and remembers nothing: what HTTPS alone leaves of the raw loop.
      { name: `${bare.name}, files flushed, their folder not`, samples: samples.bare },
    ];
    report('smallUploads', { larder: samples.larder, yardsticks, ...load.note });
  },
};

async function checkAndRemove(folder: string, files: number): Promise<void> {
  const found = (await readdir(folder)).length;
  if (found !== files) throw new Error(`${found} files instead of ${files} are there`);
  await rm(folder, { recursive: true });
}
