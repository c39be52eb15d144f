import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { FailPoints } from '../lib/fail-points.ts';
import type { DiskOperation, DiskOperations, DiskReply } from './disk-protocol.ts';
import { StorageError } from './errors.ts';
import type { Place } from './folder-handle.ts';

export type { Cached, DiskEntry, DiskListing, Found, OpenedFile, Published, SeenFolder } from './disk-protocol.ts';

export interface Disk {
  run<Name extends DiskOperation>(
    operation: Name,
    input: DiskOperations[Name]['input'],
  ): Promise<DiskOperations[Name]['output']>;
  close(): Promise<void>;
}

/**
 * The blocking calls on people's files, in one thread for each device: a disk that has to wake up first makes only
 * those wait who want something from it.
 * @param idle milliseconds after which a thread that has nothing to do is ended; never unless given
 */
export function openDisk(failPoints: FailPoints, idle: number | null = null): Disk {
  const threads = new Map<number, DiskThread>();
  const devices = new Map<string, number>();

  async function threadFor(root: string): Promise<DiskThread> {
    let device = devices.get(root);
    if (device === undefined) {
      const found = await stat(root).catch(() => null);
      if (found === null) throw new StorageError('offline');
      device = found.dev;
      devices.set(root, device);
    }
    let thread = threads.get(device);
    if (thread === undefined || thread.ended) {
      thread = new DiskThread(failPoints, idle);
      threads.set(device, thread);
    }
    return thread;
  }

  return {
    async run(operation, input) {
      const thread = await threadFor(input.place.root);
      return (await thread.ask(operation, input)) as never;
    },
    async close() {
      await Promise.all([...threads.values()].map((thread) => thread.close()));
    },
  };
}

/** Whether the disk of a home is there: of one that is not, nothing can be said and nothing removed. */
export async function isOnline(disk: Disk, place: Place): Promise<boolean> {
  return (await rootIdentity(disk, place)) !== null;
}

/** Which folder the root of a home is: not the same one after another took its place. Null when its disk is not there. */
export async function rootIdentity(disk: Disk, place: Place): Promise<string | null> {
  return disk.run('stat', { place, segments: [] }).then(
    ({ entry }) => entry.identity,
    () => null,
  );
}

interface Pending {
  resolve(output: unknown): void;
  reject(error: unknown): void;
}

class DiskThread {
  ended = false;
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  readonly #idle: number | null;
  #timer: NodeJS.Timeout | undefined;
  #next = 0;

  constructor(failPoints: FailPoints, idle: number | null) {
    this.#idle = idle;
    this.#worker = new Worker(new URL('./disk-thread.js', import.meta.url), {
      workerData: { failPoints },
      // The descriptors it opens are handed over; they must outlive it.
      trackUnmanagedFds: false,
      // A listing is short-lived: without a limit the thread keeps tens of megabytes for the next one.
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    });
    this.#worker.unref();
    this.#worker.on('message', (reply: DiskReply) => this.#settle(reply));
    this.#worker.on('error', (error) => this.#end(error));
    this.#worker.on('exit', () => this.#end(new Error('the disk thread ended')));
  }

  ask(operation: DiskOperation, input: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const id = this.#next++;
      // Only a call under way keeps the process alive.
      if (this.#pending.size === 0) this.#worker.ref();
      clearTimeout(this.#timer);
      this.#pending.set(id, { resolve, reject });
      this.#worker.postMessage({ id, operation, input });
    });
  }

  async close(): Promise<void> {
    this.ended = true;
    clearTimeout(this.#timer);
    await this.#worker.terminate();
  }

  #settle(reply: DiskReply): void {
    const pending = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if (this.#pending.size === 0) this.#rest();
    if (reply.ok) pending?.resolve(reply.output);
    else if ('reason' in reply.error) pending?.reject(new StorageError(reply.error.reason, reply.error.existing));
    else pending?.reject(Object.assign(new Error(reply.error.message), { code: reply.error.code }));
  }

  #rest(): void {
    this.#worker.unref();
    if (this.#idle !== null) this.#timer = setTimeout(() => void this.close(), this.#idle).unref();
  }

  #end(error: unknown): void {
    this.ended = true;
    for (const pending of this.#pending.values()) pending.reject(error);
    this.#pending.clear();
  }
}
