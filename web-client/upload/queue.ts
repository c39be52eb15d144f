// The queue of uploads: several at a time, in order.

import { asRequestError, type RequestError } from '../lib/requests.ts';
import { sleep } from '../lib/schedule.ts';
import { delayAfter } from './backoff.ts';
import { isOpen, type UploadJob } from './job.ts';

const CONCURRENT = 3;

/** What happens to a file after a failure. */
export type FailureDecision =
  /** Retry after a delay; the message shows the remaining seconds. */
  | { readonly kind: 'back-off'; readonly message: (seconds: number) => string }
  /** Retry as soon as uploads may start: at once, or when the page is ready again. */
  | { readonly kind: 'requeue' }
  | {
      readonly kind: 'fail';
      readonly message: string;
      readonly isFinal?: boolean;
      /** Whether to discard what the server has stored. */
      readonly isDiscarded?: boolean;
    }
  /** The page can send nothing more. */
  | { readonly kind: 'close' };

interface QueueOptions<Target> {
  /** @throws RequestError */
  readonly send: (job: UploadJob<Target>, signal: AbortSignal) => Promise<void>;
  readonly discard: (job: UploadJob<Target>) => void;
  readonly decide: (job: UploadJob<Target>, error: RequestError) => FailureDecision | Promise<FailureDecision>;
  /** Called before anything starts. */
  readonly isReady: () => boolean;
  readonly onChange: () => void;
  /** A file was sent, has failed for now, or was cancelled. */
  readonly onSettled: (job: UploadJob<Target>) => void;
}

export interface UploadQueue<Target> {
  readonly jobs: readonly UploadJob<Target>[];
  isBusy(): boolean;
  isClosed(): boolean;
  add(jobs: readonly UploadJob<Target>[]): void;
  /** Starts waiting jobs, up to the limit. */
  start(): void;
  retry(job: UploadJob<Target>): void;
  cancel(job: UploadJob<Target>): void;
  cancelAll(): void;
  /** Removes it from the list. */
  remove(job: UploadJob<Target>): void;
  /** Ends all delays after failures: the network is back. */
  wake(): void;
}

export function createQueue<Target>(options: QueueOptions<Target>): UploadQueue<Target> {
  const jobs: UploadJob<Target>[] = [];
  const running = new Map<UploadJob<Target>, AbortController>();
  const pauses = new Map<UploadJob<Target>, AbortController>();
  let isClosed = false;

  function start(): void {
    options.onChange();
    // A job that just failed is waiting already, but its attempt has not quite ended.
    const waiting = jobs.filter((job) => job.state === 'waiting' && !running.has(job));
    if (isClosed || waiting.length === 0 || !options.isReady()) return;
    for (const job of waiting.slice(0, Math.max(0, CONCURRENT - running.size))) void run(job);
  }

  async function run(job: UploadJob<Target>): Promise<void> {
    const controller = new AbortController();
    running.set(job, controller);
    job.state = 'sending';
    job.message = '';
    try {
      await attempt(job, controller.signal);
    } finally {
      running.delete(job);
      start();
    }
  }

  async function attempt(job: UploadJob<Target>, signal: AbortSignal): Promise<void> {
    try {
      await options.send(job, signal);
    } catch (error) {
      const failure = asRequestError(error);
      if (signal.aborted) return;
      job.sent = job.stored;
      const decision = await options.decide(job, failure);
      if (!signal.aborted) await apply(job, decision, signal);
      return;
    }
    if (signal.aborted) return;
    job.sent = job.file.size;
    settle(job, 'sent');
  }

  async function apply(job: UploadJob<Target>, decision: FailureDecision, signal: AbortSignal): Promise<void> {
    switch (decision.kind) {
      case 'back-off':
        return backOff(job, decision.message, signal);
      case 'requeue':
        return requeue(job);
      case 'fail':
        job.isFinal = decision.isFinal ?? false;
        if (decision.isDiscarded === true) options.discard(job);
        return settle(job, 'failed', decision.message);
      case 'close':
        return close();
    }
  }

  async function backOff(
    job: UploadJob<Target>,
    message: (seconds: number) => string,
    signal: AbortSignal,
  ): Promise<void> {
    const pause = new AbortController();
    pauses.set(job, pause);
    const end = () => pause.abort();
    signal.addEventListener('abort', end);
    const seconds = delayAfter(job.attempts);
    job.attempts += 1;
    job.state = 'paused';
    for (let left = seconds; left > 0 && !pause.signal.aborted; left -= 1) {
      job.message = message(left);
      options.onChange();
      await sleep(1_000, pause.signal);
    }
    signal.removeEventListener('abort', end);
    pauses.delete(job);
    if (!signal.aborted) requeue(job);
  }

  function requeue(job: UploadJob<Target>): void {
    job.state = 'waiting';
    job.message = '';
  }

  function settle(job: UploadJob<Target>, state: 'sent' | 'failed' | 'cancelled', message = ''): void {
    job.state = state;
    job.message = message;
    options.onSettled(job);
  }

  /** What the server has stored stays there, to be resumed later. */
  function close(): void {
    isClosed = true;
    for (const job of jobs.filter(isOpen)) {
      job.isFinal = true;
      running.get(job)?.abort();
      settle(job, 'failed');
    }
  }

  function cancel(job: UploadJob<Target>): void {
    if (!isOpen(job)) return;
    running.get(job)?.abort();
    options.discard(job);
    settle(job, 'cancelled');
  }

  return {
    jobs,
    isBusy: () => jobs.some(isOpen),
    isClosed: () => isClosed,
    start,
    add(more) {
      jobs.push(...more);
      start();
    },
    retry(job) {
      job.attempts = 0;
      requeue(job);
      start();
    },
    cancel(job) {
      cancel(job);
      start();
    },
    cancelAll() {
      for (const job of jobs.splice(0)) cancel(job);
      options.onChange();
    },
    remove(job) {
      const index = jobs.indexOf(job);
      if (index >= 0) jobs.splice(index, 1);
      options.onChange();
    },
    wake() {
      for (const pause of pauses.values()) pause.abort();
    },
  };
}
