import { stat } from 'node:fs/promises';
import type { FailPoints } from '../../lib/process/fail-points.ts';
import { StorageError } from '../errors.ts';
import type { Place } from '../paths/folder-handle.ts';
import type { DiskOperation, DiskOperations } from './disk-protocol.ts';
import { type DiskCall, type DiskInput, DiskWorker } from './disk-worker.ts';
import { Stalls } from './stalls.ts';

export type { Cached, DiskEntry, DiskListing, Found, OpenedFile, Published, SeenFolder } from './disk-protocol.ts';

export interface Disk {
  run<Name extends DiskOperation>(
    operation: Name,
    input: DiskOperations[Name]['input'],
  ): Promise<DiskOperations[Name]['output']>;
  /**
   * Runs other work on the disk of a home, such as taking an upload, which uses threads that everybody shares: it is not begun
   * when the disk does not answer, and not waited for when it stops doing so.
   * @throws StorageError `offline` then, and whatever the work throws
   */
  whileAnswering<T>(place: Place, work: () => Promise<T>): Promise<T>;
  /** Whether the disk of a home does not answer: until it does, the home is offline. */
  isStalled(place: Place): boolean;
  close(): Promise<void>;
}

export interface DiskOptions {
  /** Milliseconds after which a thread that has nothing to do is ended; never unless given. */
  readonly idle?: number;
  /** Shared by those who use the same disks. */
  readonly stalls?: Stalls;
  /** Milliseconds after which a disk that does not answer is offline. */
  readonly limit?: number;
}

/** Longer than a disk needs to wake up. */
const LIMIT = 20_000;

/**
 * The blocking calls on people's files, in one thread for each device: a disk that has to wake up first makes only
 * those wait who want something from it. One that never answers takes the homes on it offline, and no other: what waits
 * behind the call gets another thread.
 */
export function openDisk(
  failPoints: FailPoints,
  { idle, stalls = new Stalls(), limit = LIMIT }: DiskOptions = {},
): Disk {
  const threads = new Map<number, DiskWorker>();
  const stuckThreads = new Set<DiskWorker>();
  const devices = new Map<string, number>();
  const looks = new Map<string, Promise<number | null>>();

  /** One look at a time: each takes a thread that others need. */
  async function deviceOf(root: string): Promise<number> {
    const known = devices.get(root);
    if (known !== undefined) return known;
    let look = looks.get(root);
    if (look === undefined) {
      look = lookForDevice(root).finally(() => looks.delete(root));
      looks.set(root, look);
    }
    const device = await look;
    if (device === null) throw new StorageError('offline');
    devices.set(root, device);
    return device;
  }

  async function lookForDevice(root: string): Promise<number | null> {
    const found = stat(root).then(
      ({ dev }) => dev,
      () => null,
    );
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), limit);
    });
    const first = await Promise.race([found, late]);
    clearTimeout(timer);
    if (first !== 'late') return first;
    void found.finally(stalls.add(root));
    return null;
  }

  function newThread(): DiskWorker {
    const thread: DiskWorker = new DiskWorker({
      failPoints,
      idle: idle ?? null,
      limit,
      stalled: (stuck, behind) => {
        stuckThreads.add(thread);
        const over = rootsOf(stuck.input).map((root) => stalls.add(root));
        if (over.length > 1) void askEach(stuck.input, over);
        for (const call of behind) void dispatch(call);
        return () => {
          stuckThreads.delete(thread);
          for (const end of over) end();
        };
      },
    });
    return thread;
  }

  /** A call about two disks does not say which of them it waits for. */
  async function askEach(input: DiskInput, over: readonly (() => void)[]): Promise<void> {
    for (const [index, place] of locationsOf(input).entries()) {
      const thread = newThread();
      const call = { operation: 'homeState', input: { place } } as const;
      const answered = () => {
        over[index]?.();
        void thread.close();
      };
      thread.ask({ ...call, resolve: answered, reject: () => undefined });
    }
  }

  async function dispatch(call: DiskCall): Promise<void> {
    try {
      const { place } = call.input;
      if (stalls.has(place.root)) throw new StorageError('offline');
      const device = await deviceOf(place.root);
      if (rootsOf(call.input).some((root) => stalls.has(root))) throw new StorageError('offline');
      let thread = threads.get(device);
      if (thread === undefined || thread.ended) {
        thread = newThread();
        threads.set(device, thread);
      }
      thread.ask(call);
    } catch (error) {
      call.reject(error);
    }
  }

  const run: Disk['run'] = (operation, input) =>
    new Promise((resolve, reject) => {
      void dispatch({ operation, input, resolve: resolve as (output: unknown) => void, reject });
    });

  return {
    run,
    async whileAnswering(place, work) {
      await run('homeState', { place });
      let unsubscribe = () => {};
      const stalled = new Promise<never>((_, reject) => {
        unsubscribe = stalls.onStall(place.root, () => reject(new StorageError('offline')));
      });
      try {
        return await Promise.race([work(), stalled]);
      } finally {
        unsubscribe();
      }
    },
    isStalled: ({ root }) => stalls.has(root),
    async close() {
      await Promise.all([...threads.values(), ...stuckThreads].map((thread) => thread.close()));
    },
  };
}

function locationsOf(input: DiskInput): Place[] {
  return 'toPlace' in input && input.toPlace !== undefined ? [input.place, input.toPlace] : [input.place];
}

function rootsOf(input: DiskInput): string[] {
  return [...new Set(locationsOf(input).map(({ root }) => root))];
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
