import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendError } from './envelope.ts';
import { ApiError } from './errors.ts';

/** Milliseconds without a byte before a body is given up. */
const SILENCE = 60_000;
/** Milliseconds that a client may take nothing of a reply before it is given up: twice, because Node sees in the first that something went. */
const UNTAKEN = 120_000;

/**
 * Watches a body being read: when no byte comes for a minute while we wait for one, or the total time is over, the
 * client is told `request_timeout` and the connection is closed, which ends the reading too. A slow disk of ours is
 * no fault of the client.
 * @param total milliseconds for the whole body
 * @returns the end of the watch
 */
export function patience(
  request: IncomingMessage,
  response: ServerResponse,
  { total }: { total?: number | undefined },
): () => void {
  const giveUp = () => {
    if (!response.headersSent)
      sendError(response, new ApiError('request_timeout', 'The request body took too long.'), request.url ?? '');
    response.end();
    setTimeout(() => request.destroy(), 1_000).unref();
  };
  const onSilence = () => {
    if (request.readableLength === 0 && !request.readableEnded) giveUp();
    else request.socket.setTimeout(SILENCE);
  };
  const deadline = total === undefined ? undefined : setTimeout(giveUp, total);
  request.socket.setTimeout(SILENCE);
  // Node destroys a silent socket unless somebody listens here; on the response it asks in every state.
  response.on('timeout', onSilence);
  return () => {
    clearTimeout(deadline);
    request.socket.setTimeout(0);
    response.off('timeout', onSilence);
  };
}

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
