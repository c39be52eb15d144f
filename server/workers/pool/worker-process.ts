/** What the pool needs of a process, forked by Node, or started by the desktop application with a message port. */
export interface WorkerProcess {
  readonly pid: number | undefined;
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once, even if the process could not be started. @param how for the log: code, signal or error */
  onExit(listener: (how: string) => void): void;
  /** Ends it immediately, whatever it is doing. */
  kill(): void;
  /** Bytes of resident memory, or null if the system cannot tell: then the worker's own report counts. */
  residentBytes(): Promise<number | null>;
}

/** The worker programs, by their files in this folder. */
export type WorkerEntry = 'image-worker' | 'thumbnail-worker' | 'text-worker' | 'embedded-worker' | 'archive-worker';

/** @param options of the worker's command line */
export type SpawnWorker = (entry: WorkerEntry, options?: readonly string[]) => WorkerProcess;
