import type { TransferredPort } from '../../lib/process/parent-port.ts';
import { heapOf, WORKER_ENVIRONMENT } from './fork-worker.ts';
import { residentBytes } from './resident-bytes.ts';
import type { SpawnWorker, WorkerEntry } from './worker-process.ts';

/** Requests to the process that can start others. */
type WorkerRequest =
  | {
      readonly kind: 'spawn-worker';
      readonly id: number;
      readonly entry: WorkerEntry;
      readonly options: readonly string[];
      readonly environment: Readonly<Record<string, string>>;
      /** Megabytes of JavaScript heap. */
      readonly heap: number;
    }
  | { readonly kind: 'end-worker'; readonly id: number };

/** Workers started by another process, where this program cannot start Node itself. */
interface RemoteWorkers {
  readonly spawnWorker: SpawnWorker;
  /** The worker runs. @param port the other end of its channel */
  started(id: number, pid: number | null, port: TransferredPort): void;
  /** The worker ended, or could not be started. @param how for the log */
  ended(id: number, how: string): void;
}

interface RemoteWorker {
  pid: number | undefined;
  port: TransferredPort | null;
  /** Messages until it has a port. */
  readonly waiting: unknown[];
  listener(message: unknown): void;
  exited(how: string): void;
}

export function createRemoteWorkers(ask: (request: WorkerRequest) => void): RemoteWorkers {
  const workers = new Map<number, RemoteWorker>();
  let next = 0;
  return {
    spawnWorker(entry, options = []) {
      const id = next++;
      const none = () => undefined;
      const worker: RemoteWorker = { pid: undefined, port: null, waiting: [], listener: none, exited: none };
      workers.set(id, worker);
      ask({ kind: 'spawn-worker', id, entry, options, environment: WORKER_ENVIRONMENT, heap: heapOf(entry) });
      return {
        get pid() {
          return worker.pid;
        },
        post(message) {
          if (worker.port === null) worker.waiting.push(message);
          else worker.port.postMessage(message);
        },
        onMessage(listener) {
          worker.listener = listener;
        },
        onExit(listener) {
          worker.exited = listener;
        },
        kill: () => ask({ kind: 'end-worker', id }),
        residentBytes: () => residentBytes(worker.pid),
      };
    },

    started(id, pid, port) {
      const worker = workers.get(id);
      if (worker === undefined) return port.close();
      worker.pid = pid ?? undefined;
      worker.port = port;
      port.on('message', ({ data }) => worker.listener(data));
      port.start();
      for (const message of worker.waiting.splice(0)) port.postMessage(message);
    },

    ended(id, how) {
      const worker = workers.get(id);
      workers.delete(id);
      worker?.port?.close();
      worker?.exited(how);
    },
  };
}
