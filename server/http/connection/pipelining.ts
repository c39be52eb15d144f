import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Maximum number of waiting requests per connection. Browsers and libraries do not pipeline. */
const MAX_WAITING = 16;

const waiting = new WeakMap<Socket, number>();

/**
 * A pipelined request waits until the previous one is answered (RFC 9112 §9.3.2). Until then its response has no socket, and
 * would not notice a closed connection, so its resources would never be freed.
 */
export function serializePipelined({ socket }: IncomingMessage, response: ServerResponse, next: () => void): void {
  // The connection is closing; ignore what follows (RFC 9112 §9.6).
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  if (response.socket !== null) {
    next();
    return;
  }
  const before = waiting.get(socket) ?? 0;
  if (before >= MAX_WAITING) {
    socket.destroy();
    return;
  }
  waiting.set(socket, before + 1);
  response.once('socket', () => {
    waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
    // Reset the previous request's timeout.
    socket.setTimeout(0);
    // The socket is assigned after this event.
    process.nextTick(next);
  });
}
