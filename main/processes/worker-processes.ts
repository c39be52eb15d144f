import type { WorkerReport, WorkerRequest } from '../../server/control/contract/desktop.ts';
import type { Forked, Processes } from './forked.ts';

/** The workers of one process that cannot start any itself. */
export interface WorkerProcesses {
  handle(request: WorkerRequest): void;
  /** Ends all of them, when their process ends. */
  kill(): void;
}

/** Starts processes that decode untrusted bytes, with a channel to the requesting process. */
export function createWorkerProcesses({ fork, newPorts }: Processes, caller: Forked): WorkerProcesses {
  const workers = new Map<number, Forked>();
  let isOver = false;

  function tell(message: WorkerReport, ports: readonly unknown[] = []): void {
    if (!isOver) caller.postMessage(message, ports);
  }

  function start({ id, entry, ...how }: Extract<WorkerRequest, { kind: 'spawn-worker' }>): void {
    let worker: Forked;
    try {
      worker = fork(entry, how);
    } catch (error) {
      tell({ kind: 'worker-ended', id, how: (error as Error).message });
      return;
    }
    workers.set(id, worker);
    const { first, second } = newPorts();
    worker.postMessage(null, [first]);
    // Only then is its process id known, by which its memory is supervised.
    worker.onStart((pid) => tell({ kind: 'worker-started', id, pid: pid ?? null }, [second]));
    worker.onExit((how) => {
      workers.delete(id);
      tell({ kind: 'worker-ended', id, how });
    });
  }

  return {
    handle(request) {
      if (isOver) return;
      if (request.kind === 'spawn-worker') start(request);
      else workers.get(request.id)?.kill();
    },
    kill() {
      isOver = true;
      for (const worker of workers.values()) worker.kill();
    },
  };
}
