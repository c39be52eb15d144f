import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that wait. Browsers and libraries send none ahead. */
const MOST_WAITING = 16;

const waiting = new WeakMap<Socket, number>();

/**
 * A pipelined request waits until the previous one is answered (RFC 9112 §9.3.2). Until then its response has no socket, and
 * would not notice a closed connection, so its resources would never be freed.
 */
export function serializePipelined({ socket }: IncomingMessage, response: ServerResponse, next: () => void): void {
  // The answer before was the last one (RFC 9112 §9.6): what came behind it is not carried out.
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  if (response.socket !== null) {
    next();
    return;
  }
  const before = waiting.get(socket) ?? 0;
  if (before >= MOST_WAITING) {
    socket.destroy();
    return;
  }
  waiting.set(socket, before + 1);
  response.once('socket', () => {
    waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
    // What the one before had for its silence is not the time that this one has for its work.
    socket.setTimeout(0);
    // It has got the socket when this is over.
    process.nextTick(next);
  });
}
