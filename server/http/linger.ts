import type { IncomingMessage, ServerResponse } from 'node:http';

const LINGER = 2_000;

/**
 * When a reply was sent before the body had arrived (a refused upload), the rest of the body is read and thrown
 * away for a moment, so that the client gets to see the reply, and then the connection is closed: nobody sends
 * gigabytes into the void.
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
