import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTextPool } from '../../../dist/server/media/text/text-index.js';
import { forkFile, forkWorker } from '../../../dist/server/workers/pool/fork-worker.js';
import { createMemoryBudget } from '../../../dist/server/workers/pool/memory-budget.js';
import { openWorkerPools } from '../../../dist/server/workers/pool/pools.js';
import { residentBytes } from '../../../dist/server/workers/pool/resident-bytes.js';
import { createWorkerPool } from '../../../dist/server/workers/pool/worker-pool.js';
import type { SpawnWorker } from '../../../dist/server/workers/pool/worker-process.js';
import { buildPdf } from '../../support/content/build-pdf.ts';
import { heldJob, isAlive, log, measuredFirst, ODD_WORKER, oddJobs, outcomeOf } from '../support.ts';
import { wordsOf } from '../text-support.ts';
import { fixture } from '../thumbnail-support.ts';

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

const SHAPE = { width: 400, height: 400, fit: 'contain', format: 'jpeg', ffmpeg: null } as const;

describe('one memory budget for all workers', () => {
  it('makes a PDF of 4 KB that unpacks to more than a gigabyte cost a few hundred megabytes, in two readers together', async () => {
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
              outcomeOf(pools.thumbnails.run('thumbnail', { ...SHAPE, source: 'pdf', file })),
              outcomeOf(wordsOf(texts, file, 'pdf')),
            ])),
          );
        }),
      );
      for (const outcome of outcomes) expect(['too_large', 'corrupt', 'done']).toContain(outcome);
      // It was 1.5 GB. Memory is looked at every 50 ms: what is taken in between is more than was reserved.
      expect(peaks).toBeLessThan(900 * MIB);
      const ordinary = await withHandle(fixture('documents/chromium.pdf'), (file) =>
        outcomeOf(pools.thumbnails.run('thumbnail', { ...SHAPE, source: 'pdf', file })),
      );
      expect(ordinary).toBe('done');
    } finally {
      await Promise.all([pools.close(), texts.close()]);
    }
    expect(pids.filter(isAlive)).toEqual([]);
  });

  const poolOf = (memory: ReturnType<typeof createMemoryBudget>, residentBytes: number) =>
    createWorkerPool({
      jobs: oddJobs,
      log,
      limits: { workers: 2, residentBytes },
      memory,
      spawnWorker: () => {
        const made = forkFile(ODD_WORKER);
        pids.push(made.pid ?? 0);
        return made;
      },
    });

  it('lets a job wait until what it may take is free, also while a process of another pool is only idle', async () => {
    pids = [];
    const memory = createMemoryBudget(300 * MIB);
    const [one, other] = [poolOf(memory, 250 * MIB), poolOf(memory, 250 * MIB)];
    try {
      const path = join(folder, 'held');
      const job = heldJob(path);
      const first = one.run('held', path);
      const second = other.run('echo', 'second');
      const third = one.run('echo', 'third');
      // Their processes would have been started before the first one did anything.
      await job.hasBegun();
      expect(pids).toHaveLength(1);
      expect(memory.reserved).toBe(250 * MIB);
      await job.goOn();
      await first;
      expect(await second).toBe('second');
      expect(await third).toBe('third');
      // The idle process of the first pool had to make room.
      expect(pids.filter(isAlive).length).toBeLessThanOrEqual(2);
      expect(memory.reserved).toBeLessThanOrEqual(300 * MIB);
    } finally {
      await Promise.all([one.close(), other.close()]);
    }
    expect(memory.reserved).toBe(0);
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it('costs a job that outgrows its reservation only itself, and begins it again where it may have more', async () => {
    pids = [];
    const memory = createMemoryBudget(600 * MIB);
    const pool = createWorkerPool({
      jobs: oddJobs,
      log,
      limits: { workers: 1, residentBytes: 500 * MIB },
      memory,
      memoryOf: (_input, most) => ({ usual: 150 * MIB, most }),
      spawnWorker: () => {
        const made = forkFile(ODD_WORKER);
        pids.push(made.pid ?? 0);
        return measuredFirst(made);
      },
    });
    try {
      expect(await outcomeOf(pool.run('keep', 200))).toBe('done');
      expect(pids).toHaveLength(2);
      expect(await outcomeOf(pool.run('bloat', undefined))).toBe('too_large');
      expect(await pool.run('echo', 'next')).toBe('next');
    } finally {
      await pool.close();
    }
    expect(memory.reserved).toBe(0);
  });

  it('ends the waiting for memory when a pool is closed', async () => {
    pids = [];
    const memory = createMemoryBudget(300 * MIB);
    const [one, other] = [poolOf(memory, 250 * MIB), poolOf(memory, 250 * MIB)];
    const first = outcomeOf(one.run('hang', undefined));
    const second = outcomeOf(other.run('echo', 1));
    await other.close();
    expect(await second).toBe('stopped');
    await one.close();
    expect(await first).toBe('stopped');
    expect(memory.reserved).toBe(0);
  });
});
