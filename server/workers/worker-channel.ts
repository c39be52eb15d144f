import { parentPort } from '../lib/process/parent-port.ts';

/** The worker's way to the server. */
export interface WorkerChannel {
  onMessage(listener: (message: unknown) => void): void;
  post(message: unknown): void;
}

/** The one that this process was given, whoever started it. The process ends with the channel. */
export function openWorkerChannel(): WorkerChannel {
  const parent = parentPort();
  if (parent !== null) return overPort(parent);
  process.on('disconnect', endAtOnce);
  return {
    onMessage: (listener) => process.on('message', listener),
    post: (message) => process.send?.(message, () => undefined),
  };
}

/** Whoever started it sends one end of a channel, whose other end the server has. */
function overPort(parent: NonNullable<ReturnType<typeof parentPort>>): WorkerChannel {
  let post: (message: unknown) => void = () => undefined;
  return {
    // Nothing is taken from the channel before somebody listens.
    onMessage: (listener) =>
      parent.on('message', ({ ports: [port] }) => {
        if (port === undefined) return;
        post = (message) => port.postMessage(message);
        port.on('message', ({ data }) => listener(data));
        // What hangs in a decoder does not get to this: whoever started it ends it, too.
        port.on('close', () => process.exit());
        port.start();
      }),
    post: (message) => post(message),
  };
}

/** An ordinary exit waits for the threads, and one of them may be in a decoder that never returns. */
function endAtOnce(): void {
  process.kill(process.pid, 'SIGKILL');
}
