import { stat } from 'node:fs/promises';
import { ignoreFailure } from '../../lib/async/ignore-failure.ts';
import type { FailPoints } from '../../lib/process/fail-points.ts';
import { StorageError, storageError } from '../errors.ts';
import type { HomeRoot } from '../paths/folder-handle.ts';
import type { DiskOperation, DiskOperations } from './disk-protocol.ts';
import { type DiskCall, type DiskInput, DiskWorker } from './disk-worker.ts';
import { Stalls } from './stalls.ts';

export type {
  Cached,
  DiskEntry,
  DiskListing,
  Found,
  KnownContent,
  OpenedFile,
  Published,
  SeenFolder,
} from './disk-protocol.ts';

export interface Disk {
  run<Name extends DiskOperation>(
    operation: Name,
    input: DiskOperations[Name]['input'],
  ): Promise<DiskOperations[Name]['output']>;
  /**
   * Runs work on the disk of a home outside of its thread, such as receiving an upload: it does not begin if the disk does not
   * respond, and is not awaited when it stops responding.
   * @param undo called if the work ends well after it was given up; nobody waits for it
   * @throws StorageError `offline` then, and whatever the work throws
   */
  whileAnswering<T>(homeRoot: HomeRoot, work: () => Promise<T>, undo?: (late: T) => Promise<unknown>): Promise<T>;
  /** The same for work that begins with a call in the disk's thread: whether the disk responds is not checked before. */
  unlessStalled<T>(homeRoot: HomeRoot, work: () => Promise<T>, undo?: (late: T) => Promise<unknown>): Promise<T>;
  /** Milliseconds after which a call that has not returned counts as unanswered. */
  readonly limit: number;
  /** Whether the disk of a home does not respond: until it does, the home is offline. */
  isStalled(homeRoot: HomeRoot): boolean;
  close(): Promise<void>;
}

interface DiskOptions {
  /** Milliseconds after which an idle thread is ended; by default never. */
  readonly idle?: number;
  /** Shared by all users of the same disks. */
  readonly stalls?: Stalls;
  /** Milliseconds after which a disk that does not respond is offline. */
  readonly limit?: number;
}

/** What the system says where a disk is not mounted, was pulled out, or belongs to another machine that does not answer. */
const AWAY: ReadonlySet<string> = new Set(
  'ENOENT ENOTDIR ELOOP ENXIO ENODEV EIO ENOTCONN ESTALE EHOSTDOWN EHOSTUNREACH ETIMEDOUT'.split(' '),
);

/** Longer than a disk needs to wake up. */
const LIMIT = 20_000;

/**
 * Runs the blocking calls on people's files, in one thread per device: a disk that has to spin up delays only requests to it. One
 * that never responds takes only its own homes offline: calls queued behind get another thread.
 */
export function openDisk(
  failPoints: FailPoints,
  { idle, stalls = new Stalls(), limit = LIMIT }: DiskOptions = {},
): Disk {
  const threads = new Map<number, DiskWorker>();
  const stuckThreads = new Set<DiskWorker>();
  const devices = new Map<string, number>();
  const lookups = new Map<string, Promise<number>>();

  /** One check at a time, since each occupies a thread of the shared pool. */
  async function deviceOf(root: string): Promise<number> {
    const known = devices.get(root);
    if (known !== undefined) return known;
    let look = lookups.get(root);
    if (look === undefined) {
      look = readDevice(root).finally(() => lookups.delete(root));
      lookups.set(root, look);
    }
    const device = await look;
    devices.set(root, device);
    return device;
  }

  /** @throws StorageError `offline` when the disk is away, or why else its root cannot be read; an error of the system */
  async function readDevice(root: string): Promise<number> {
    const found = stat(root).then(
      ({ dev }) => dev,
      (error: NodeJS.ErrnoException) => {
        throw AWAY.has(error.code ?? '') ? new StorageError('offline') : storageError(error);
      },
    );
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), limit);
    });
    const first = await Promise.race([found, late]).finally(() => clearTimeout(timer));
    if (first !== 'late') return first;
    const answered = stalls.add(root);
    void found.then(answered, answered);
    throw new StorageError('offline');
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

  /** A call that involves two disks does not show which of them it waits for. */
  async function askEach(input: DiskInput, over: readonly (() => void)[]): Promise<void> {
    for (const [index, homeRoot] of locationsOf(input).entries()) {
      const thread = newThread();
      const call = { operation: 'homeState', input: { homeRoot } } as const;
      const answered = () => {
        over[index]?.();
        void thread.close();
      };
      thread.ask({ ...call, resolve: answered, reject: () => undefined });
    }
  }

  async function dispatch(call: DiskCall): Promise<void> {
    try {
      const { homeRoot } = call.input;
      if (stalls.has(homeRoot.root)) throw new StorageError('offline');
      const device = await deviceOf(homeRoot.root);
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

  async function unlessStalled<T>(
    { root }: HomeRoot,
    work: () => Promise<T>,
    undo?: (late: T) => Promise<unknown>,
  ): Promise<T> {
    const givenUp = new StorageError('offline');
    let unsubscribe = () => {};
    const stalled = new Promise<never>((_, reject) => {
      unsubscribe = stalls.onStall(root, () => reject(givenUp));
    });
    const working = work();
    try {
      return await Promise.race([working, stalled]);
    } catch (error) {
      if (error === givenUp && undo !== undefined)
        void ignoreFailure(working.then(undo), 'failed to undo what a disk did late');
      throw error;
    } finally {
      unsubscribe();
    }
  }

  return {
    run,
    limit,
    unlessStalled,
    async whileAnswering(homeRoot, work, undo) {
      await run('homeState', { homeRoot });
      return unlessStalled(homeRoot, work, undo);
    },
    isStalled: ({ root }) => stalls.has(root),
    async close() {
      await Promise.all([...threads.values(), ...stuckThreads].map((thread) => thread.close()));
    },
  };
}

function locationsOf(input: DiskInput): HomeRoot[] {
  return 'toHomeRoot' in input && input.toHomeRoot !== undefined
    ? [input.homeRoot, input.toHomeRoot]
    : [input.homeRoot];
}

function rootsOf(input: DiskInput): string[] {
  return [...new Set(locationsOf(input).map(({ root }) => root))];
}

/** Whether the disk of a home is available. If not, its contents are unknown, and nothing may be removed. */
export async function isOnline(disk: Disk, homeRoot: HomeRoot): Promise<boolean> {
  return (await rootIdentity(disk, homeRoot)) !== null;
}

/** Identifies the root folder of a home, to detect that another one has replaced it. Null when its disk is unavailable. */
export async function rootIdentity(disk: Disk, homeRoot: HomeRoot): Promise<string | null> {
  return disk.run('stat', { homeRoot, segments: [] }).then(
    ({ entry }) => entry.identity,
    () => null,
  );
}
