import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const LINGER = 2_000;

/**
 * When a reply was sent before the body had arrived (a refused upload), the rest of the body is read and discarded for a short
 * time, so that the client sees the reply; then the connection is closed, because reading gigabytes is pointless.
 */
export function lingerBriefly(request: IncomingMessage, response: ServerResponse): void {
  if (isWithoutBody(request)) return;
  response.on('finish', () => {
    if (request.complete) return;
    request.resume();
    const timer = setTimeout(() => request.socket.destroy(), LINGER);
    request.on('close', () => clearTimeout(timer));
    request.on('end', () => clearTimeout(timer));
  });
}

/** RFC 9112 §6.3: a request has a body where one of these headers says so. */
function isWithoutBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] === undefined && headers['transfer-encoding'] === undefined;
}

/**
 * Sends the last reply of a connection, then reads and discards input for a moment. A connection closed with unread input is
 * reset, and a client that is still sending would see the reset instead of the reply (RFC 9112 §9.6).
 */
export function endWith(socket: Socket, text: string): void {
  const timer = setTimeout(() => socket.destroy(), LINGER);
  socket.once('close', () => clearTimeout(timer));
  // A reset during the reply ends it as well.
  socket.on('error', () => undefined);
  socket.end(text);
  socket.resume();
}
