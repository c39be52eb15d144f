import type { WorkerRequest } from '../../server/control/contract/desktop.ts';

/** A program of ours in a separate process, started by Electron's `utilityProcess`. */
export interface Forked {
  /** Messages before its start are queued. @param ports ends of channels to transfer */
  postMessage(message: unknown, ports?: readonly unknown[]): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once, if it starts at all. @param pid undefined if the system does not report it */
  onStart(listener: (pid: number | undefined) => void): void;
  /** Called once. @param how for the log */
  onExit(listener: (how: string) => void): void;
  /** Ends it immediately, whatever it is doing. */
  kill(): void;
}

/** The two ends of a channel. An end for another process is passed to `postMessage`. */
interface PortPair {
  readonly first: unknown;
  readonly second: unknown;
}

type WorkerName = Extract<WorkerRequest, { kind: 'spawn-worker' }>['entry'];
/** By its name. `cli` is the command line. */
export type Program = 'server' | 'cli' | WorkerName;

interface ForkOptions {
  /** Of its command line. */
  readonly options?: readonly string[];
  /** Its whole environment; by default ours. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Megabytes of JavaScript heap. */
  readonly heap?: number;
}

/** Starts programs of ours. */
export interface Processes {
  /** @throws Error when the system cannot start it */
  fork(program: Program, options?: ForkOptions): Forked;
  newPorts(): PortPair;
}
