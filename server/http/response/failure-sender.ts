import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiError } from '../errors.ts';
import { sendError } from './envelope.ts';

const senders = new WeakMap<ServerResponse, (error: ApiError) => void>();

/** Notes how the clients of a front end expect failures, for those that are decided before the front end gets to know of them. */
export function noteFailureSender(response: ServerResponse, send: (error: ApiError) => void): void {
  senders.set(response, send);
}

/** Sends a failure as the front end of the request does, unless a reply has begun. */
export function sendFailureOf(request: IncomingMessage, response: ServerResponse, error: ApiError): void {
  if (response.headersSent) return;
  const send = senders.get(response);
  if (send === undefined) sendError(response, error, request.url ?? '');
  else send(error);
}
