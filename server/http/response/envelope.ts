import type { ServerResponse } from 'node:http';
import type { ApiError } from '../errors.ts';
import { sendBody } from './send-buffer.ts';
import type { SerializedBody } from './serialized-body.ts';

interface Failure {
  success: false;
  error: string;
  code: string;
  details?: Record<string, unknown>;
}

const SUCCESS = { success: true, error: false } as const;

/** The JSON before the data of a successful reply (§4), for streamed replies. */
export const SUCCESS_HEAD = `${JSON.stringify(SUCCESS).slice(0, -1)},"data":`;

/** The body of every successful JSON reply (§4). @param isAtTop whether the fields of the data are also beside it */
export function successBody(data: unknown, isAtTop = false): object {
  return isAtTop ? { ...SUCCESS, ...(data as object), data } : { ...SUCCESS, data };
}

/** The body of every failed JSON reply (§4, §7.1). */
function failureBody(error: ApiError): Failure {
  return {
    success: false,
    error: error.message,
    code: error.code,
    ...(error.details === undefined ? {} : { details: error.details }),
  };
}

/**
 * The body of a failure at the OAuth endpoints (RFC 6749 §5.2), with the envelope's `success` and our code beside it.
 * @param error the RFC's own word for it
 */
export function oauthFailureBody(error: string, message: string, code?: string) {
  return {
    error,
    error_description: message,
    message,
    success: false as const,
    ...(code === undefined ? {} : { code }),
  };
}

/** The body that a client of this address understands. @param path of the request, without its query */
export function failureBodyFor(path: string, error: ApiError): Failure | ReturnType<typeof oauthFailureBody> {
  if (!/\/oauth2\/(?:token|revoke)\/?$/.test(path)) return failureBody(error);
  const isTemporary = error.status === 403 || error.status === 429 || error.status === 503;
  return oauthFailureBody(isTemporary ? 'temporarily_unavailable' : 'invalid_request', error.message, error.code);
}

/** Does nothing if a reply has begun: a timeout reply is sent while the body is still being read. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  if (response.headersSent) return;
  const text = JSON.stringify(body);
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (!response.hasHeader('Cache-Control')) response.setHeader('Cache-Control', 'no-store');
  void sendBody(response, text);
}

export function sendSerialized(response: ServerResponse, { bytes }: SerializedBody): void {
  if (response.headersSent) return;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (!response.hasHeader('Cache-Control')) response.setHeader('Cache-Control', 'no-store');
  void sendBody(response, bytes, { isShared: true });
}

/** @param path of the request, without its query */
export function sendError(response: ServerResponse, error: ApiError, path: string): void {
  if (response.headersSent) return;
  for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
  sendJson(response, error.status, failureBodyFor(path, error));
}
