import type { z } from 'zod';
import { JobError, OutgrownError } from '../job-error.ts';
import { type JobRequest, workerMessage } from '../protocol.ts';
import type { WorkerProcess } from './worker-process.ts';

export interface WorkerLimits {
  /** Milliseconds for one job, including the start of the process. */
  readonly deadline: number;
  /** Most bytes of resident memory of the process. */
  readonly residentBytes: number;
  /** Milliseconds without a job after which the process is ended. */
  readonly idle: number;
}

interface UnderWay {
  readonly id: number;
  readonly output: z.ZodType;
  readonly deadline: NodeJS.Timeout;
  readonly watch: NodeJS.Timeout;
  resolve(output: unknown): void;
  reject(error: JobError): void;
}

/** Milliseconds between two memory checks: what can be allocated in between is what the system must spare. */
const WATCH_EVERY = 50;
/** Fraction of the allowed memory: a process that used more is ended after its job, so that the next one has room. */
const LEAVES_ROOM = 0.5;

/** One worker process with at most one job, and its supervision. */
export class SupervisedWorker {
  /** Resolves when the process is gone. */
  readonly gone: Promise<void>;
  readonly #process: WorkerProcess;
  readonly #limits: WorkerLimits;
  #job: UnderWay | null = null;
  #ended = false;
  #idle: NodeJS.Timeout | undefined;
  #reported = 0;
  /** Bytes, at the last check of the present or last job. */
  #seen = 0;
  /** Bytes that the process may use during this job. */
  #most: number;
  #next = 0;

  constructor(process: WorkerProcess, limits: WorkerLimits) {
    this.#process = process;
    this.#limits = limits;
    this.#most = limits.residentBytes;
    process.onMessage((message) => this.#onMessage(message));
    this.gone = new Promise((resolve) => {
      process.onExit((how) => {
        this.end(new JobError('crashed', `the worker ended by itself: ${how}`));
        resolve();
      });
    });
  }

  get isFree(): boolean {
    return this.#job === null && !this.#ended;
  }

  /** Bytes of memory, as last measured. */
  get seenBytes(): number {
    return this.#seen;
  }

  /**
   * Runs one job; only while the worker is free.
   * @param output schema of the result
   * @param most bytes of memory that the process may use meanwhile
   * @throws JobError
   */
  run(job: string, input: unknown, output: z.ZodType, most = this.#limits.residentBytes): Promise<unknown> {
    // It may have been ended since it was chosen.
    if (this.#ended) return Promise.reject(new JobError('crashed', 'the worker has ended'));
    this.#most = most;
    clearTimeout(this.#idle);
    return new Promise((resolve, reject) => {
      const id = this.#next++;
      this.#reported = 0;
      this.#seen = 0;
      const { deadline: time } = this.#limits;
      // This timer, and not the worker, keeps the server's process alive during a job.
      const deadline = setTimeout(() => this.end(new JobError('timeout', `not done after ${time} ms`)), time);
      const watch = setInterval(() => void this.#watch(id), WATCH_EVERY).unref();
      this.#job = { id, output, deadline, watch, resolve, reject };
      const request: JobRequest = { id, job, input };
      this.#process.post(request);
    });
  }

  /** Kills the process. @param error the failure of its job, if it has one */
  end(error: JobError): void {
    this.#ended = true;
    clearTimeout(this.#idle);
    this.#take()?.reject(error);
    this.#process.kill();
  }

  #onMessage(received: unknown): void {
    const { success, data: message } = workerMessage.safeParse(received);
    if (!success) {
      this.end(new JobError('crashed', 'the worker sent an invalid message'));
    } else if ('residentBytes' in message) {
      this.#reported = message.residentBytes;
    } else if (message.id === this.#job?.id) {
      const output = 'output' in message ? this.#job.output.safeParse(message.output) : null;
      if (output?.success === false) {
        this.end(new JobError('crashed', 'the output of the job does not match its schema'));
        return;
      }
      const job = this.#take();
      const isFull = this.#seen > this.#most * LEAVES_ROOM;
      if (isFull) this.end(new JobError('stopped', 'its memory may stay'));
      else this.#idle = setTimeout(() => this.end(new JobError('stopped', 'idle')), this.#limits.idle).unref();
      if ('failure' in message) job?.reject(new JobError(message.failure, message.detail));
      else job?.resolve(output?.data);
    }
  }

  async #watch(id: number): Promise<void> {
    const bytes = (await this.#process.residentBytes()) ?? this.#reported;
    if (this.#job?.id !== id) return;
    this.#seen = bytes;
    if (bytes <= this.#most) return;
    this.end(new OutgrownError(`took ${bytes} bytes of memory, and had ${this.#most}`));
  }

  #take(): UnderWay | null {
    const job = this.#job;
    this.#job = null;
    clearTimeout(job?.deadline);
    clearInterval(job?.watch);
    return job;
  }
}
