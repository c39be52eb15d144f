import type { z } from 'zod';
import type { Log } from '../lib/log.ts';
import { JobError } from './job-error.ts';
import type { InputOf, Jobs, OutputOf } from './protocol.ts';
import { SupervisedWorker, type WorkerLimits } from './supervised-worker.ts';
import type { WorkerProcess } from './worker-process.ts';

export interface PoolLimits extends WorkerLimits {
  /** Processes at the same time. */
  readonly workers: number;
  /** Jobs that may wait for one. */
  readonly waiting: number;
}

const DEFAULT_LIMITS: PoolLimits = {
  workers: 2,
  waiting: 32,
  deadline: 20_000,
  residentBytes: 768 * 1024 * 1024,
  idle: 30_000,
};

/** Milliseconds to wait for killed processes: the system may hold one that waits for a disk. */
const MAX_CLOSING = 5_000;

export interface WorkerPool<Table extends Jobs> {
  /** @throws JobError */
  run<Name extends keyof Table & string>(job: Name, input: InputOf<Table, Name>): Promise<OutputOf<Table, Name>>;
  /** Whether a job is under way. */
  readonly isBusy: boolean;
  /** Whether no job waits for a worker. */
  readonly isKeepingUp: boolean;
  /** Fails what runs and what waits with `stopped`; resolves when the last process is gone. */
  close(): Promise<void>;
}

interface Waiting {
  readonly job: string;
  readonly input: unknown;
  readonly output: z.ZodType;
  resolve(output: unknown): void;
  reject(error: unknown): void;
}

/**
 * Decodes hostile bytes in processes of their own, started for the first job and ended when there has been none for a while.
 * Bytes that hang, crash or bloat a decoder cost their own job: its process is killed, and the next job gets a new one.
 */
export function createWorkerPool<Table extends Jobs>({
  jobs,
  spawnWorker,
  log,
  limits: given = {},
}: {
  jobs: Table;
  spawnWorker: () => WorkerProcess;
  log: Log;
  limits?: Partial<PoolLimits>;
}): WorkerPool<Table> {
  const limits = { ...DEFAULT_LIMITS, ...given };
  const workers = new Set<SupervisedWorker>();
  const waiting: Waiting[] = [];
  let closed = false;

  /** @returns null when all that there may be are busy, or not gone yet */
  function freeWorker(): SupervisedWorker | null {
    for (const worker of workers) if (worker.isFree) return worker;
    if (workers.size >= limits.workers) return null;
    const worker = new SupervisedWorker(spawnWorker(), limits);
    workers.add(worker);
    void worker.gone.then(() => {
      workers.delete(worker);
      startNext();
    });
    return worker;
  }

  function startNext(): void {
    for (;;) {
      const [next] = waiting;
      if (next === undefined) return;
      try {
        const worker = freeWorker();
        if (worker === null) return;
        waiting.shift();
        void worker.run(next.job, next.input, next.output).then(next.resolve, next.reject).finally(startNext);
      } catch (error) {
        waiting.shift();
        next.reject(new JobError('busy', `no worker could be started: ${(error as Error).message}`));
      }
    }
  }

  function wait(job: string, input: unknown, output: z.ZodType): Promise<unknown> {
    if (closed) throw new JobError('stopped', 'the server is being closed');
    if (waiting.length >= limits.waiting) throw new JobError('busy', `${waiting.length} jobs are waiting`);
    return new Promise((resolve, reject) => {
      waiting.push({ job, input, output, resolve, reject });
      startNext();
    });
  }

  return {
    get isBusy() {
      return [...workers].some(({ isFree }) => !isFree);
    },

    get isKeepingUp() {
      return !closed && waiting.length === 0;
    },

    async run(job, input) {
      try {
        return (await wait(job, input, jobs[job]?.output as z.ZodType)) as never;
      } catch (error) {
        if (error instanceof JobError) log.info({ job, reason: error.reason, detail: error.message }, 'a job failed');
        throw error;
      }
    },

    async close() {
      closed = true;
      const stopped = new JobError('stopped', 'the server is being closed');
      for (const { reject } of waiting.splice(0)) reject(stopped);
      for (const worker of workers) worker.end(stopped);
      await withinTime(Promise.all([...workers].map(({ gone }) => gone)), MAX_CLOSING);
    },
  };
}

/** The timer also keeps this process alive meanwhile, which workers do not: whoever closes has more to do after it. */
async function withinTime(work: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, over]);
  clearTimeout(timer);
}
