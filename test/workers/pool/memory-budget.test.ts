import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forkFile } from '../../../dist/server/workers/pool/fork-worker.js';
import { createMemoryBudget } from '../../../dist/server/workers/pool/memory-budget.js';
import { createWorkerPool } from '../../../dist/server/workers/pool/worker-pool.js';
import { heldJob, isAlive, log, measuredFirst, ODD_WORKER, oddJobs, outcomeOf } from '../support.ts';

const MIB = 1024 * 1024;
let folder: string;
let pids: number[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('one memory budget for all workers', () => {
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

  it('delays a job until enough memory is free, and ends idle processes of other pools for it', async () => {
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

  it('stops only the job that exceeds its reservation, and restarts it with more memory if permitted', async () => {
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

  it('cancels jobs that wait for memory when a pool is closed', async () => {
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
