import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { writeFiles } from '../content.ts';
import { Larder } from '../larder.ts';
import { RARE_NAME, RARE_WORD, writeLibrary } from '../library.ts';
import { residentMegabytes } from '../processes.ts';
import { runToEnd, type Scratch } from '../scratch.ts';
import { isIndexed, within } from '../settled.ts';
import { type Bench, pause, repeat, timeOf, type Work } from '../work.ts';

/** Milliseconds after which an idle server has settled: its workers have ended, too. */
const SETTLED = 45_000;

/** A folder of ten files, as an app shows it. */
const LISTED = { path: '/ROOT/HOME/Listed', itemType: 'any', 'details[]': ['fileSize', 'mdate'] };

export const catalogue: Work = {
  name: 'catalogue',
  targets: ['firstReconcile', 'duringReconcile', 'searchNames', 'searchContents', 'memoryIdle', 'startLarge'],
  async run(bench, report) {
    const { scratch, sizes, runs } = bench;
    const small = await Larder.open(scratch);
    const starts = { small: await startTimes(small, runs), large: [] as number[] };
    await small.stop();

    const larder = await Larder.open(scratch);
    const { real } = larder.newFolder('Listed');
    writeFiles(real, sizes.shortList);
    await larder.stop();
    writeLibrary(join(larder.home, 'Library'), sizes.library);

    const find = await repeat(runs, () => timeOf(() => findAll(scratch, larder.home)));
    const seconds = (milliseconds: number) => milliseconds / 1_000;
    await larder.start();
    const began = performance.now();
    await within(larder.control().then((control) => control.until(['checking', 'ready'])));
    const reconciled = performance.now() - began;
    report('firstReconcile', {
      larder: [seconds(reconciled)],
      yardsticks: [{ name: 'find -printf', samples: find.map(seconds) }],
      note: 'once: a first time comes once',
    });

    await isIndexed(larder);
    await pause(SETTLED);
    const idle = await listingTimes(larder, 400);
    report('memoryIdle', { larder: [residentMegabytes(larder.pid)] });

    const names = await searches(bench, larder, { filename: RARE_NAME.word }, RARE_NAME.files);
    report('searchNames', { larder: names });
    const contents = await searches(bench, larder, { contents: RARE_WORD.word }, RARE_WORD.documents);
    report('searchContents', { larder: contents });

    await larder.stop();
    starts.large = await startTimes(larder, runs);
    report('startLarge', {
      larder: starts.large,
      yardsticks: [{ name: 'Larder without files', samples: starts.small }],
    });
    await larder.stop();

    // The same files, and a server that has never seen them.
    const fresh = await Larder.open(scratch);
    await fresh.stop();
    for (const name of ['Listed', 'Library']) renameSync(join(larder.home, name), join(fresh.home, name));
    await fresh.start();
    await pause(500);
    const during = await listingTimes(fresh, 400);
    const { catalogue: homes } = await (await fresh.control()).status();
    if (homes[0]?.state !== 'reading') throw new Error('the first reconcile was over before the requests were');
    report('duringReconcile', { larder: during, yardsticks: [{ name: 'the same when idle', samples: idle }] });
  },
};

async function startTimes(larder: Larder, runs: number): Promise<number[]> {
  return repeat(runs, async () => {
    await larder.stop();
    return timeOf(async () => {
      await larder.start();
      await larder.api.get('files/browse/', { path: '/ROOT/HOME', itemType: 'any' });
    });
  });
}

async function findAll(scratch: Scratch, folder: string): Promise<void> {
  await runToEnd(scratch, 'sh', ['-c', 'find "$0" -printf "%i %s %T@ %p\\n" > /dev/null', folder]);
}

/** Milliseconds that a listing takes, one after the other over one connection. */
async function listingTimes(larder: Larder, requests: number): Promise<number[]> {
  for (let warm = 0; warm < 20; warm += 1) await larder.api.get('files/browse/', LISTED);
  const times: number[] = [];
  for (let count = 0; count < requests; count += 1) {
    times.push(await timeOf(() => larder.api.get('files/browse/', LISTED)));
    // As people ask: not as fast as can be.
    await pause(5);
  }
  return times;
}

async function searches(
  { runs }: Bench,
  larder: Larder,
  what: Readonly<Record<string, string>>,
  hits: number,
): Promise<number[]> {
  const times = await repeat(20 * runs, async () => {
    let found = 0;
    const time = await timeOf(async () => {
      const { files } = await larder.api.post('files/search/', {
        path: '/ROOT/HOME',
        ...what,
        'details[]': ['fileSize', 'mdate'],
      });
      found = (files as unknown[]).length;
    });
    if (found !== hits) throw new Error(`${found} hits instead of ${hits}`);
    return time;
  });
  return times;
}
