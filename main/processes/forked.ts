import type { WorkerRequest } from '../../server/control/contract/desktop.ts';

/** A program of ours in a process of its own, as Electron's `utilityProcess` starts it. */
export interface Forked {
  /** What is posted before it has started waits for it. @param ports ends of channels that go along */
  postMessage(message: unknown, ports?: readonly unknown[]): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once, if it starts at all. @param pid undefined when the system does not say */
  onStart(listener: (pid: number | undefined) => void): void;
  /** Called once. @param how for the log */
  onExit(listener: (how: string) => void): void;
  /** At once, whatever it does. */
  kill(): void;
}

/** Two ends of a channel. Those that go to other processes are whatever `postMessage` takes. */
export interface PortPair {
  readonly first: unknown;
  readonly second: unknown;
}

export type WorkerName = Extract<WorkerRequest, { kind: 'spawn-worker' }>['entry'];
/** By its name. `cli` is the command line. */
export type Program = 'server' | 'cli' | WorkerName;

export interface ForkOptions {
  /** Of its command line. */
  readonly options?: readonly string[];
  /** All that it knows of its surroundings; ours unless given. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Megabytes of JavaScript heap. */
  readonly heap?: number;
}

/** Starts programs of ours. */
export interface Processes {
  /** @throws Error when the system starts no more */
  fork(program: Program, options?: ForkOptions): Forked;
  newPorts(): PortPair;
}
