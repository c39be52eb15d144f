import type { z } from 'zod';
import { settled } from '../../lib/async/settled.ts';
import { type Owner, TurnQueue } from '../../lib/concurrency/turn-queue.ts';
import type { Log } from '../../lib/log/log.ts';
import { JobError, OutgrownError } from '../job-error.ts';
import type { InputOf, Jobs, OutputOf } from '../protocol.ts';
import type { JobMemory } from './job-memory.ts';
import { createMemoryBudget, type MemoryBudget, type Reservation } from './memory-budget.ts';
import { SupervisedWorker, type WorkerLimits } from './supervised-worker.ts';
import type { WorkerProcess } from './worker-process.ts';

export interface PoolLimits extends WorkerLimits {
  /** Processes at the same time. */
  readonly workers: number;
  /** Jobs that may wait. */
  readonly waiting: number;
}

const DEFAULT_LIMITS: PoolLimits = {
  workers: 2,
  waiting: 32,
  deadline: 20_000,
  residentBytes: 768 * 1024 * 1024,
  idle: 30_000,
};

/** Bytes counted for a process without a job at least, even if never measured. */
const IDLE_BYTES = 64 * 1024 * 1024;

/** Milliseconds to wait for killed processes: the system may delay one that waits for a disk. */
const MAX_CLOSING = 5_000;

export interface WorkerPool<Table extends Jobs> {
  /**
   * @param input or a function that is called when the job begins
   * @param owner for whom it is: when jobs wait, owners take turns
   * @throws JobError
   */
  run<Name extends keyof Table & string>(
    job: Name,
    input: InputOf<Table, Name> | (() => InputOf<Table, Name>),
    owner?: Owner,
  ): Promise<OutputOf<Table, Name>>;
  /** Whether a job is running. */
  readonly isBusy: boolean;
  /** Whether no job waits for a worker. */
  readonly isKeepingUp: boolean;
  /** Fails running and waiting jobs with `stopped`; resolves when the last process is gone. */
  close(): Promise<void>;
}

/** Of jobs that are for nobody in particular. */
const NOBODY: Owner = { kind: '', id: '' };

interface Waiting {
  readonly job: string;
  readonly input: () => unknown;
  readonly output: z.ZodType;
  resolve(output: unknown): void;
  reject(error: unknown): void;
}

/**
 * Decodes untrusted bytes in separate processes, started for the first job and ended when idle. Bytes that hang, crash or bloat a
 * decoder cost only their own job: its process is killed, and the next job gets a new one.
 */
export function createWorkerPool<Table extends Jobs>({
  jobs,
  spawnWorker,
  log,
  limits: given = {},
  memory,
  memoryOf,
}: {
  jobs: Table;
  spawnWorker: () => WorkerProcess;
  log: Log;
  limits?: Partial<PoolLimits>;
  /** Shared by all pools; by default one of its own that is large enough. */
  memory?: MemoryBudget | undefined;
  /** The memory of a job; by default `residentBytes`. */
  memoryOf?: (input: InputOf<Table, keyof Table>, most: number) => JobMemory;
}): WorkerPool<Table> {
  const limits = { ...DEFAULT_LIMITS, ...given };
  const budget = memory ?? createMemoryBudget(Number.POSITIVE_INFINITY);
  const workers = new Set<SupervisedWorker>();
  /** The memory of processes without a job. */
  const held = new Map<SupervisedWorker, Reservation>();
  /** Workers that a job was given, which begins some turns of the event loop later: no other job is given them. */
  const booked = new Set<SupervisedWorker>();
  const waiting = new TurnQueue<Waiting>(limits.waiting);
  /** Jobs that run, or are next and wait for memory. */
  let serving = 0;
  const closing = new AbortController();
  const closed = new Promise<never>((_resolve, reject) => {
    closing.signal.addEventListener('abort', () => reject(closing.signal.reason), { once: true });
  });
  // Without a job that waits, nothing awaits it.
  void settled(closed);

  /** Books a worker. @returns null when all allowed workers are busy, or were killed and are not gone yet */
  function freeWorker(): SupervisedWorker | null {
    const free = [...workers].find((worker) => worker.isFree && !booked.has(worker));
    const worker = free ?? (workers.size < limits.workers ? startWorker() : null);
    if (worker === null) return null;
    booked.add(worker);
    held.get(worker)?.release();
    held.delete(worker);
    return worker;
  }

  async function nextFreeWorker(): Promise<SupervisedWorker> {
    for (;;) {
      // The system may delay the end of a killed process: it must not delay that of the server.
      await Promise.race([closed, ...[...workers].map(({ gone }) => gone)]);
      closing.signal.throwIfAborted();
      const worker = freeWorker();
      if (worker !== null) return worker;
    }
  }

  function startWorker(): SupervisedWorker {
    try {
      const worker = new SupervisedWorker(spawnWorker(), limits);
      workers.add(worker);
      void worker.gone.then(() => {
        workers.delete(worker);
        held.get(worker)?.release();
        held.delete(worker);
      });
      return worker;
    } catch (error) {
      throw new JobError('busy', `no worker could be started: ${(error as Error).message}`);
    }
  }

  async function runWithin(bytes: number, { job, output }: Waiting, input: unknown): Promise<unknown> {
    // If nothing has to be waited for, the process is started synchronously.
    const reservation = budget.tryReserve(bytes) ?? (await budget.reserve(bytes, closing.signal));
    let worker: SupervisedWorker | undefined;
    try {
      closing.signal.throwIfAborted();
      worker = freeWorker() ?? (await nextFreeWorker());
      return await worker.run(job, input, output, reservation.bytes);
    } finally {
      if (worker !== undefined) booked.delete(worker);
      settle(reservation, worker);
    }
  }

  /** The memory of a process is free once it is gone; if it stays, the unused part is free. */
  function settle(reservation: Reservation, worker: SupervisedWorker | undefined): void {
    if (worker === undefined) reservation.release();
    else if (!worker.isFree) void worker.gone.then(() => reservation.release());
    else {
      const evict = () => worker.end(new JobError('stopped', 'its memory is needed'));
      const bytes = Math.min(reservation.bytes, Math.max(worker.seenBytes, IDLE_BYTES));
      reservation.release();
      held.set(worker, budget.holdIdle(bytes, evict));
    }
  }

  async function serve(next: Waiting): Promise<unknown> {
    const all = { usual: limits.residentBytes, most: limits.residentBytes };
    const input = next.input();
    const { usual, most } = memoryOf?.(input as never, limits.residentBytes) ?? all;
    try {
      return await runWithin(usual, next, input);
    } catch (error) {
      if (!(error instanceof OutgrownError) || Math.min(most, budget.total) <= usual) throw error;
      return await runWithin(most, next, input);
    }
  }

  function startNext(): void {
    while (serving < limits.workers) {
      const next = waiting.shift();
      if (next === undefined) return;
      serving += 1;
      void serve(next)
        .then(next.resolve, next.reject)
        .finally(() => {
          serving -= 1;
          startNext();
        });
    }
  }

  function wait(owner: Owner, job: string, input: () => unknown, output: z.ZodType): Promise<unknown> {
    closing.signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const refused = waiting.push(owner, { job, input, output, resolve, reject });
      refused?.reject(new JobError('busy', `${waiting.length} jobs are waiting`));
      startNext();
    });
  }

  return {
    get isBusy() {
      return [...workers].some(({ isFree }) => !isFree);
    },

    get isKeepingUp() {
      return !closing.signal.aborted && waiting.length === 0;
    },

    async run(job, input, owner = NOBODY) {
      const given = typeof input === 'function' ? (input as () => unknown) : () => input;
      try {
        return (await wait(owner, job, given, jobs[job]?.output as z.ZodType)) as never;
      } catch (error) {
        if (error instanceof JobError) log.info({ job, reason: error.reason, detail: error.message }, 'a job failed');
        throw error;
      }
    },

    async close() {
      const stopped = new JobError('stopped', 'the server is being closed');
      closing.abort(stopped);
      for (const { reject } of waiting.drain()) reject(stopped);
      for (const worker of workers) worker.end(stopped);
      await withinTime(Promise.all([...workers].map(({ gone }) => gone)), MAX_CLOSING);
    },
  };
}

/** The timer also keeps this process alive meanwhile, which workers do not: the caller has more to do afterwards. */
async function withinTime(work: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, over]);
  clearTimeout(timer);
}
