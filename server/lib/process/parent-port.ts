/** One end of a channel between processes, as in Electron's utility processes. */
export interface TransferredPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): void;
  on(event: 'close', listener: () => void): void;
  /** No messages arrive before this. */
  start(): void;
  close(): void;
}

/** The channel from a utility process to its parent; ports are transferred with messages. */
interface ParentPort {
  postMessage(message: unknown): void;
  on(
    event: 'message',
    listener: (event: { readonly data: unknown; readonly ports: readonly TransferredPort[] }) => void,
  ): void;
}

/** Null in a process started by Node, which has no such parent. */
export function parentPort(): ParentPort | null {
  return (process as { parentPort?: ParentPort }).parentPort ?? null;
}
