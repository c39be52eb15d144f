import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Log } from '../../dist/server/lib/log/log.js';
import { JobError } from '../../dist/server/workers/job-error.js';
import { imageJobs } from '../../dist/server/workers/pictures/image-jobs.js';
import { forkFile, forkWorker } from '../../dist/server/workers/pool/fork-worker.js';
import { createWorkerPool, type PoolLimits } from '../../dist/server/workers/pool/worker-pool.js';
import type { WorkerProcess } from '../../dist/server/workers/pool/worker-process.js';

export const log = { info: () => undefined } as unknown as Log;

const number = { input: z.number(), output: z.number() };
const nothing = { input: z.undefined(), output: z.undefined() };

/** The jobs of `odd-worker.mjs`. */
export const oddJobs = {
  echo: { input: z.unknown(), output: z.unknown() },
  /** The same to the worker: what comes out of it is not what was asked for. */
  reject: nothing,
  surroundings: {
    input: z.undefined(),
    output: z.object({
      pid: z.number(),
      environment: z.record(z.string(), z.string()),
      arguments: z.array(z.string()),
      folder: z.string(),
    }),
  },
  wait: number,
  hang: nothing,
  exit: nothing,
  abort: nothing,
  throw: nothing,
  bloat: nothing,
  /** Megabytes that it does not give back. */
  keep: number,
  babble: { input: z.unknown(), output: z.undefined() },
};

export const ODD_WORKER = fileURLToPath(new URL('./pool/odd-worker.mjs', import.meta.url));

/** A pool and the processes that it started. */
export function openOddPool(
  limits: Partial<PoolLimits> = {},
  change: (made: WorkerProcess) => WorkerProcess = (it) => it,
) {
  const pids: number[] = [];
  const pool = createWorkerPool({
    jobs: oddJobs,
    log,
    limits,
    spawnWorker: () => {
      const made = forkFile(ODD_WORKER);
      pids.push(made.pid ?? 0);
      return change(made);
    },
  });
  return { pool, pids };
}

export function openImagePool(limits: Partial<PoolLimits> = {}) {
  return createWorkerPool({ jobs: imageJobs, log, limits, spawnWorker: () => forkWorker('image-worker') });
}

/** A process that has ended, and of which only nobody has taken note, is not alive. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(process.platform === 'linux' ? readFileSync(`/proc/${pid}/status`, 'utf8') : '');
  } catch {
    return false;
  }
}

/** Why a job failed, or `done`. */
export async function outcomeOf(job: Promise<unknown>): Promise<string> {
  try {
    await job;
    return 'done';
  } catch (error) {
    if (error instanceof JobError) return error.reason;
    throw error;
  }
}
