import type { IncomingMessage, ServerResponse } from 'node:http';

/** Milliseconds that a client may take nothing of a reply before it is given up: twice, because Node sees in the first that something went. */
const UNTAKEN = 120_000;

/** Gives a reply up that is not taken. Node sets the socket's time for the next request once the reply is out; until then it is ours. */
export function giveUpOnSilence(request: IncomingMessage, response: ServerResponse): void {
  request.socket.setTimeout(UNTAKEN);
  // Once, however often it is asked for.
  response.off('timeout', giveUp).on('timeout', giveUp);
}

function giveUp(this: ServerResponse): void {
  this.destroy();
}

/** For every reply: who asks, and then takes none of it, holds it in our memory no longer than a download. */
export function limitSilence(request: IncomingMessage, response: ServerResponse, next: () => void): void {
  // When all of it is there, and before all of it is with the system.
  response.once('prefinish', () => giveUpOnSilence(request, response));
  next();
}
