/** What the pool needs of a process, whoever made it: forked by Node, or by the desktop with a port to talk through. */
export interface WorkerProcess {
  readonly pid: number | undefined;
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once, also when the process could not be started. @param how for the log: code, signal or error */
  onExit(listener: (how: string) => void): void;
  /** At once, whatever it does. */
  kill(): void;
  /** Bytes of memory that it occupies, or null where the system is not asked: then its own word counts. */
  residentBytes(): Promise<number | null>;
}

/** The programs that run as workers, by their files in this folder. */
export type WorkerEntry = 'image-worker' | 'thumbnail-worker' | 'text-worker' | 'embedded-worker' | 'archive-worker';

/** @param options of the worker's command line */
export type SpawnWorker = (entry: WorkerEntry, options?: readonly string[]) => WorkerProcess;
