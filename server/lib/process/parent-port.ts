/** One end of a channel between processes, as Electron's utility processes have it. */
export interface TransferredPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): void;
  on(event: 'close', listener: () => void): void;
  /** Nothing comes before this. */
  start(): void;
  close(): void;
}

/** The way from a utility process to the process that started it; ports come along with messages. */
export interface ParentPort {
  postMessage(message: unknown): void;
  on(
    event: 'message',
    listener: (event: { readonly data: unknown; readonly ports: readonly TransferredPort[] }) => void,
  ): void;
}

/** Null in a process that Node has started: there is no parent of this kind. */
export function parentPort(): ParentPort | null {
  return (process as { parentPort?: ParentPort }).parentPort ?? null;
}
