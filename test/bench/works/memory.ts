import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { operationPath } from '../api.ts';
import { writeHole } from '../content.ts';
import { Larder } from '../larder.ts';
import { peakMegabytes } from '../processes.ts';
import { pause, type Work } from '../work.ts';

export const memory: Work = {
  name: 'memory',
  targets: ['memoryOfTransfers'],
  async run({ scratch, sizes, runs, transfer }, report) {
    const source = join(scratch.newFolder('source'), 'backup.img');
    writeHole(source, sizes.huge);
    const larder = await Larder.open(scratch);
    const folder = larder.newFolder('Backups');
    const query = { path: `${folder.path}/backup.img` };
    const { authority } = larder.certificate;
    const peaks: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      // A server of its own for every run: what one keeps must not be the next one's beginning.
      await larder.stop();
      await larder.start();
      const job = { authority, headers: { authorization: `Bearer ${larder.api.token}` } };
      const peak = await peakMegabytes(larder.pid, async () => {
        await transfer({ ...job, url: larder.url(operationPath('files/upload', query)), upload: source });
        const url = larder.url(operationPath('files/download/', query));
        const { bytes } = await transfer({ ...job, url, upload: null });
        if (bytes !== sizes.huge) throw new Error(`${bytes} bytes came back instead of ${sizes.huge}`);
        await pause(1_000);
      });
      peaks.push(peak);
      const file = join(folder.real, 'backup.img');
      if ((await stat(file)).size !== sizes.huge) throw new Error('the file on the disk has another length');
      await rm(file);
    }
    report('memoryOfTransfers', { larder: peaks });
  },
};
