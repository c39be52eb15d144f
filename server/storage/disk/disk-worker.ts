import { closeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { FailPoints } from '../../lib/process/fail-points.ts';
import { entryPoint } from '../../lib/program-files.ts';
import { DiskStalled, StorageError } from '../errors.ts';
import type { DiskOperation, DiskOperations, DiskReply } from './disk-protocol.ts';
import { type Progress, progressIn, progressSlots } from './progress.ts';

export type DiskInput = DiskOperations[DiskOperation]['input'];

/** A call given to a thread. */
export interface DiskCall {
  readonly operation: DiskOperation;
  readonly input: DiskInput;
  resolve(output: unknown): void;
  reject(error: unknown): void;
}

interface DiskWorkerOptions {
  readonly failPoints: FailPoints;
  /** Milliseconds after which an idle thread is ended; null: never. */
  readonly idle: number | null;
  /** Milliseconds that one system call may block the thread. */
  readonly limit: number;
  /**
   * Called when a call has blocked the thread for longer, with the call and those queued behind it, which this thread will not
   * run. The returned function is called when the disk responds after all.
   */
  readonly stalled: (stuck: DiskCall, behind: readonly DiskCall[]) => () => void;
}

/** Operations that change something: they may still happen after their caller gave up. */
const CHANGING: ReadonlySet<DiskOperation> = new Set([
  'publish',
  'publishOver',
  'createFolder',
  'setFolderTime',
  'move',
  'moveIn',
  'moveOut',
]);
/** Milliseconds for a thread to end; one blocked by a disk does not. */
const END = 2_000;

/** A thread for the blocking calls on one disk, with its supervision. */
export class DiskWorker {
  ended = false;
  readonly #worker: Worker;
  readonly #progress: Progress;
  readonly #pending = new Map<number, DiskCall>();
  readonly #options: DiskWorkerOptions;
  #timer: NodeJS.Timeout | undefined;
  #watch: NodeJS.Timeout | undefined;
  #answers: (() => void) | null = null;
  #next = 0;

  constructor(options: DiskWorkerOptions) {
    this.#options = options;
    const slots = progressSlots();
    this.#progress = progressIn(slots);
    this.#worker = new Worker(entryPoint('disk-thread'), {
      workerData: { failPoints: options.failPoints, slots },
      // It passes on the descriptors it opens, and they must outlive it.
      trackUnmanagedFds: false,
      // Listings are short-lived: without a limit the thread keeps tens of megabytes for the next one.
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    });
    this.#worker.unref();
    this.#worker.on('message', (reply: DiskReply) => this.#settle(reply));
    this.#worker.on('error', (error) => this.#end(error));
    this.#worker.on('exit', () => this.#end(new Error('the disk thread ended')));
  }

  ask(call: DiskCall): void {
    const id = this.#next++;
    // Only a running call keeps the process alive.
    if (this.#pending.size === 0) this.#begin();
    this.#pending.set(id, call);
    this.#worker.postMessage({ id, operation: call.operation, input: call.input });
  }

  /** Does not wait for a disk that does not respond. */
  async close(): Promise<void> {
    this.ended = true;
    const { current } = this.#progress.abandon();
    clearTimeout(this.#timer);
    clearInterval(this.#watch);
    const end = new Promise((resolve) => setTimeout(resolve, END).unref());
    await Promise.race([this.#worker.terminate(), end]);
    for (const [id, call] of this.#pending) {
      if (id > current || !CHANGING.has(call.operation)) continue;
      // It may still happen.
      this.#pending.delete(id);
      call.reject(new DiskStalled());
    }
    this.#end(new StorageError('offline'));
  }

  #begin(): void {
    this.#worker.ref();
    clearTimeout(this.#timer);
    let seen = this.#progress.beats();
    let since = performance.now();
    const { limit } = this.#options;
    this.#watch = setInterval(() => {
      const beats = this.#progress.beats();
      const now = performance.now();
      if (beats !== seen) [seen, since] = [beats, now];
      else if (now - since >= limit) this.#stall();
    }, limit / 10).unref();
  }

  /** Gives up the blocking call; those not begun are for another thread. */
  #stall(): void {
    const { current, isRunning } = this.#progress.abandon();
    const stuck = this.#pending.get(current);
    clearInterval(this.#watch);
    this.ended = true;
    // Without one, the call has just ended, and its reply is on the way.
    if (isRunning && stuck !== undefined) this.#pending.delete(current);
    const behind: DiskCall[] = [];
    for (const [id, call] of this.#pending) {
      if (id <= current) continue;
      this.#pending.delete(id);
      behind.push(call);
    }
    this.#worker.unref();
    if (stuck === undefined) return;
    this.#answers = this.#options.stalled(stuck, behind);
    if (isRunning) stuck.reject(CHANGING.has(stuck.operation) ? new DiskStalled() : new StorageError('offline'));
  }

  #settle(reply: DiskReply): void {
    const call = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if (this.#answers !== null) this.#answered();
    else if (this.#pending.size === 0) this.#rest();
    if (call === undefined) closeTransferred(reply);
    else if (reply.ok) call.resolve(reply.output);
    else if ('reason' in reply.error) call.reject(new StorageError(reply.error.reason, reply.error.existing));
    else call.reject(Object.assign(new Error(reply.error.message), { code: reply.error.code }));
  }

  #answered(): void {
    this.#answers?.();
    this.#answers = null;
    void this.close();
  }

  #rest(): void {
    clearInterval(this.#watch);
    this.#worker.unref();
    const { idle } = this.#options;
    if (idle !== null) this.#timer = setTimeout(() => void this.close(), idle).unref();
  }

  #end(error: unknown): void {
    this.ended = true;
    clearInterval(this.#watch);
    this.#answers?.();
    this.#answers = null;
    for (const call of this.#pending.values()) call.reject(error);
    this.#pending.clear();
  }
}

/** Their caller has given up. */
function closeTransferred(reply: DiskReply): void {
  if (!reply.ok) return;
  const output = reply.output as {
    fd?: number;
    folderFd?: number;
    fromFolderFd?: number;
    opened?: { fd: number } | null;
    files?: readonly ({ fd: number } | null)[];
  };
  for (const fd of [
    output.fd,
    output.folderFd,
    output.fromFolderFd,
    output.opened?.fd,
    ...(output.files ?? []).map((file) => file?.fd),
  ]) {
    if (fd !== undefined && fd >= 0) closeSync(fd);
  }
}
