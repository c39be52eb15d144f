import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTextPool } from '../../../dist/server/media/text/text-index.js';
import { forkWorker } from '../../../dist/server/workers/pool/fork-worker.js';
import { createMemoryBudget } from '../../../dist/server/workers/pool/memory-budget.js';
import { openWorkerPools } from '../../../dist/server/workers/pool/pools.js';
import { residentBytes } from '../../../dist/server/workers/pool/resident-bytes.js';
import type { SpawnWorker } from '../../../dist/server/workers/pool/worker-process.js';
import type { ThumbnailShape } from '../../../dist/server/workers/thumbnails/jobs.js';
import { buildPdf } from '../../support/content/build-pdf.ts';
import { isAlive, log, outcomeOf } from '../../workers/support.ts';
import { wordsOf } from '../../workers/text-support.ts';
import { fixture } from '../../workers/thumbnail-support.ts';

const MIB = 1024 * 1024;
let folder: string;
let pids: number[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

const spawnWorker: SpawnWorker = (entry, options) => {
  const made = forkWorker(entry, options);
  pids.push(made.pid ?? 0);
  return made;
};

/** Bytes that each worker occupied at most while the work was done, added up. */
async function peaksDuring(work: Promise<unknown>): Promise<number> {
  const peaks = new Map<number, number>();
  let isGoing = true;
  const watching = (async () => {
    while (isGoing) {
      for (const pid of pids) peaks.set(pid, Math.max(peaks.get(pid) ?? 0, (await residentBytes(pid)) ?? 0));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  await work;
  isGoing = false;
  await watching;
  return [...peaks.values()].reduce((sum, bytes) => sum + bytes, 0);
}

async function withHandle<T>(path: string, work: (file: { paths: string[]; identity: string }) => Promise<T>) {
  const handle = await open(path);
  try {
    const { ino, size, mtimeNs } = await handle.stat({ bigint: true });
    return await work({ paths: [path], identity: `${ino}.${size}.${mtimeNs}` });
  } finally {
    await handle.close();
  }
}

const JOB = {
  shapes: [{ width: 400, height: 400, fit: 'contain', format: 'jpeg' }],
  ffmpeg: null,
} satisfies { shapes: ThumbnailShape[]; ffmpeg: null };

it('a PDF of 4 KB that unpacks to over a gigabyte takes a few hundred megabytes in two readers together', async () => {
  pids = [];
  const once = deflateSync(Buffer.alloc(1_400_000_000, ' 0 0 m 9 9 l S'), { level: 9 });
  const bomb = buildPdf(deflateSync(once, { level: 9 }), '[/FlateDecode/FlateDecode]');
  expect(bomb.length).toBeLessThan(4_096);
  const path = join(folder, 'bomb.pdf');
  await writeFile(path, bomb);
  const memory = createMemoryBudget(1024 * MIB);
  const pools = openWorkerPools(spawnWorker, log, { wasmImages: false, memory });
  const texts = createTextPool({ spawnWorker, log, memory });
  try {
    const outcomes: string[] = [];
    const peaks = await peaksDuring(
      withHandle(path, async (file) => {
        outcomes.push(
          ...(await Promise.all([
            outcomeOf(pools.thumbnails.run('thumbnail', { ...JOB, source: 'pdf', file })),
            outcomeOf(wordsOf(texts, file, 'pdf')),
          ])),
        );
      }),
    );
    for (const outcome of outcomes) expect(['too_large', 'corrupt', 'done']).toContain(outcome);
    // It was 1.5 GB. Memory is looked at every 50 ms: what is taken in between is more than was reserved.
    expect(peaks).toBeLessThan(900 * MIB);
    const ordinary = await withHandle(fixture('documents/chromium.pdf'), (file) =>
      outcomeOf(pools.thumbnails.run('thumbnail', { ...JOB, source: 'pdf', file })),
    );
    expect(ordinary).toBe('done');
  } finally {
    await Promise.all([pools.close(), texts.close()]);
  }
  expect(pids.filter(isAlive)).toEqual([]);
});
