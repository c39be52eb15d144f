import type { IncomingMessage, ServerResponse } from 'node:http';
import { t } from '../../messages/messages.ts';
import { ApiError } from '../errors.ts';
import { sendFailureOf } from '../response/failure-sender.ts';

/** Milliseconds without a byte before a body is given up. */
const SILENCE = 60_000;

/**
 * Watches a body being read: when no byte arrives for a minute while we wait for one, or the total time is over, the
 * client gets `request_timeout` and the connection is closed, which ends the reading too. A slow disk of ours is
 * no fault of the client.
 * @param total milliseconds for the whole body
 * @returns the end of the watch
 */
export function bodyTimeout(
  request: IncomingMessage,
  response: ServerResponse,
  { total }: { total?: number | undefined },
): () => void {
  const giveUp = () => {
    sendFailureOf(request, response, new ApiError('request_timeout', t('api.requests.bodyTimeout')));
    response.end();
    setTimeout(() => request.destroy(), 1_000).unref();
  };
  const onSilence = () => {
    if (request.readableLength === 0 && !request.readableEnded) giveUp();
    else request.socket.setTimeout(SILENCE);
  };
  const deadline = total === undefined ? undefined : setTimeout(giveUp, total);
  request.socket.setTimeout(SILENCE);
  // Node destroys a silent socket unless there is a listener; on the response the event comes in every state.
  response.on('timeout', onSilence);
  return () => {
    clearTimeout(deadline);
    request.socket.setTimeout(0);
    response.off('timeout', onSilence);
  };
}
