import { Larder } from '../larder.ts';
import { residentMegabytes } from '../processes.ts';
import { pause, repeat, timeOf, type Work } from '../work.ts';

/** After this long a server that nobody asks anything has settled. Milliseconds. */
const SETTLED = 1_000;

export const start: Work = {
  name: 'start',
  targets: ['start', 'memoryAfterStart'],
  async run({ scratch, runs }, report) {
    const larder = await Larder.open(scratch);
    const samples = await repeat(runs, async () => {
      await larder.stop();
      const milliseconds = await timeOf(async () => {
        await larder.start();
        await larder.api.get('files/browse/', { path: '/ROOT/HOME', itemType: 'any' });
      });
      await pause(SETTLED);
      return { milliseconds, megabytes: process.platform === 'linux' ? residentMegabytes(larder.pid) : null };
    });
    report('start', { larder: samples.map(({ milliseconds }) => milliseconds) });
    const megabytes = samples.flatMap((sample) => sample.megabytes ?? []);
    if (megabytes.length === 0) throw new Error('memory is read from /proc, which is not there');
    report('memoryAfterStart', { larder: megabytes });
  },
};
