import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
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
  endless: nothing,
  /** The path of a file that it waits for; see `heldJob`. */
  held: { input: z.string(), output: z.number() },
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

/** A job `held` runs until the test lets it go on. @param path of no file yet: input of the job */
export function heldJob(path: string) {
  return {
    /** Until a worker has begun it. */
    hasBegun: () => expect.poll(() => existsSync(`${path}.begun`)).toBe(true),
    goOn: () => writeFile(`${path}.go`, ''),
  };
}

/** A process whose results arrive only once its memory has been measured after them, so that no job is too quick to be seen. */
export function measuredFirst(made: WorkerProcess): WorkerProcess {
  let arrived: (() => void)[] = [];
  return {
    ...made,
    onMessage(listener) {
      made.onMessage((message) => {
        if (typeof message === 'object' && message !== null && 'output' in message) {
          arrived.push(() => listener(message));
        } else listener(message);
      });
    },
    async residentBytes() {
      const due = arrived;
      arrived = [];
      const bytes = await made.residentBytes();
      // After the pool has seen the bytes.
      setImmediate(() => {
        for (const pass of due) pass();
      });
      return bytes;
    },
  };
}

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

/** @param pids is given the processes that are started */
export function openImagePool(limits: Partial<PoolLimits> = {}, pids: number[] = []) {
  const spawnWorker = () => {
    const made = forkWorker('image-worker');
    pids.push(made.pid ?? 0);
    return made;
  };
  return createWorkerPool({ jobs: imageJobs, log, limits, spawnWorker });
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
