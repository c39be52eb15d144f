import { parentPort } from '../lib/process/parent-port.ts';

/** The worker's channel to the server. */
interface WorkerChannel {
  onMessage(listener: (message: unknown) => void): void;
  post(message: unknown): void;
}

/** Opens the channel that this process was given. The process ends with the channel. */
export function openWorkerChannel(): WorkerChannel {
  const parent = parentPort();
  if (parent !== null) return overPort(parent);
  process.on('disconnect', endAtOnce);
  return {
    onMessage: (listener) => process.on('message', listener),
    post: (message) => process.send?.(message, () => undefined),
  };
}

/** The parent sends one end of a channel, whose other end the server has. */
function overPort(parent: NonNullable<ReturnType<typeof parentPort>>): WorkerChannel {
  let post: (message: unknown) => void = () => undefined;
  return {
    // Messages are not received before there is a listener.
    onMessage: (listener) =>
      parent.on('message', ({ ports: [port] }) => {
        if (port === undefined) return;
        post = (message) => port.postMessage(message);
        port.on('message', ({ data }) => listener(data));
        // A worker stuck in a decoder does not get here: its parent kills it.
        port.on('close', () => process.exit());
        port.start();
      }),
    post: (message) => post(message),
  };
}

/** An ordinary exit waits for all threads, and one of them may be in a decoder that never returns. */
function endAtOnce(): void {
  process.kill(process.pid, 'SIGKILL');
}
