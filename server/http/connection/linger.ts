import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const LINGER = 2_000;

/**
 * When a reply was sent before the body had arrived (a refused upload), the rest of the body is read and discarded for a short
 * time, so that the client sees the reply; then the connection is closed, because reading gigabytes is pointless.
 */
export function lingerBriefly(request: IncomingMessage, response: ServerResponse, next: () => void): void {
  response.on('finish', () => {
    if (request.complete) return;
    request.resume();
    const timer = setTimeout(() => request.socket.destroy(), LINGER);
    request.on('close', () => clearTimeout(timer));
    request.on('end', () => clearTimeout(timer));
  });
  next();
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
