import { fork } from 'node:child_process';
import { dirname } from 'node:path';
import { entryPoint } from '../../lib/program-files.ts';
import { residentBytes } from './resident-bytes.ts';
import type { WorkerEntry, WorkerProcess } from './worker-process.ts';

/** Megabytes of JavaScript heap. Image decoders allocate outside of it; documents and lists of 100,000 names do not. */
const HEAP = 64;
const HEAPS: Readonly<Partial<Record<WorkerEntry, number>>> = {
  'text-worker': 256,
  'archive-worker': 256,
  'thumbnail-worker': 256,
  'embedded-worker': 256,
};

/** The whole environment of a worker: nothing of ours, and settings that keep its memory small and off the disk. */
export const WORKER_ENVIRONMENT = {
  UV_THREADPOOL_SIZE: '2',
  MALLOC_ARENA_MAX: '2',
  // libvips would decode a large image into a temporary file, where private data must not be.
  VIPS_DISC_THRESHOLD: '1000g',
  // Archives and cameras store local times, which are interpreted in the server's time zone.
  TZ: Intl.DateTimeFormat().resolvedOptions().timeZone,
};

/** The heap of a worker, however it is started. */
export const heapOf = (entry: WorkerEntry): number => HEAPS[entry] ?? HEAP;

/** Starts a worker as a Node.js process. It does not keep this process alive, and ends with it. */
export function forkWorker(entry: WorkerEntry, options: readonly string[] = []): WorkerProcess {
  return forkFile(entryPoint(entry), heapOf(entry), options);
}

/**
 * @param file of a program that calls `answerJobs`
 * @param heap megabytes of JavaScript heap
 * @param options of its command line
 * @throws Error when no process can be started
 */
export function forkFile(file: string, heap = HEAP, options: readonly string[] = []): WorkerProcess {
  const child = fork(file, [...options], {
    cwd: dirname(file),
    env: WORKER_ENVIRONMENT,
    execArgv: [`--max-old-space-size=${heap}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  if (child.pid === undefined) {
    child.on('error', () => undefined);
    throw new Error('no process can be started');
  }
  child.unref();
  child.channel?.unref();
  return {
    pid: child.pid,
    post(message) {
      // If the process has just ended, its exit event reports it.
      child.send(message as object, () => undefined);
    },
    onMessage(listener) {
      child.on('message', listener);
    },
    onExit(listener) {
      child.on('exit', (code, signal) => listener(signal ?? `exit code ${code}`));
      // It is running: its exit event is still to come.
      child.on('error', () => undefined);
    },
    kill() {
      child.kill('SIGKILL');
    },
    residentBytes: () => residentBytes(child.pid),
  };
}
