import { fork } from 'node:child_process';
import { dirname } from 'node:path';
import { entryPoint } from '../../lib/program-files.ts';
import { residentBytes } from './resident-bytes.ts';
import type { WorkerEntry, WorkerProcess } from './worker-process.ts';

/** Megabytes of JavaScript heap. What the decoders of images take lies outside of it; documents and lists of 100,000 names do not. */
const HEAP = 64;
const HEAPS: Readonly<Partial<Record<WorkerEntry, number>>> = {
  'text-worker': 256,
  'archive-worker': 256,
  'thumbnail-worker': 256,
  'embedded-worker': 256,
};

/** All that a worker knows of its surroundings: nothing of ours, and what keeps its memory small and off the disk. */
export const WORKER_ENVIRONMENT = {
  UV_THREADPOOL_SIZE: '2',
  MALLOC_ARENA_MAX: '2',
  // libvips would unpack a large picture into a temporary file, where somebody's picture has no business to be.
  VIPS_DISC_THRESHOLD: '1000g',
  // Archives and cameras write the time of day where they are, which is taken for the time of day here.
  TZ: Intl.DateTimeFormat().resolvedOptions().timeZone,
};

/** What a worker is started with, whoever starts it. */
export const heapOf = (entry: WorkerEntry): number => HEAPS[entry] ?? HEAP;

/** Starts a worker as a process of Node's. It does not keep this process alive, and ends with it. */
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
      // Into a process that has just gone: its exit says so.
      child.send(message as object, () => undefined);
    },
    onMessage(listener) {
      child.on('message', listener);
    },
    onExit(listener) {
      child.on('exit', (code, signal) => listener(signal ?? `exit code ${code}`));
      // It runs: its exit is still to come.
      child.on('error', () => undefined);
    },
    kill() {
      child.kill('SIGKILL');
    },
    residentBytes: () => residentBytes(child.pid),
  };
}
