import type { IncomingMessage, ServerResponse } from 'node:http';

/** Milliseconds without progress after which a reply is aborted. It takes two periods, because Node sees progress in the first. */
const UNTAKEN = 120_000;

/** Aborts a reply that the client does not read. Node sets the socket timeout for the next request once the reply is sent. */
export function giveUpOnSilence(request: IncomingMessage, response: ServerResponse): void {
  request.socket.setTimeout(UNTAKEN);
  // Once per response.
  response.off('timeout', giveUp).on('timeout', giveUp);
}

function giveUp(this: ServerResponse): void {
  this.destroy();
}

/** For every reply: a client that does not read holds memory no longer than a download would. */
export function limitSilence(request: IncomingMessage, response: ServerResponse): void {
  // When the reply is complete but not yet handed to the system.
  response.once('prefinish', () => giveUpOnSilence(request, response));
}
