import type { ServerResponse } from 'node:http';
import type { ApiError } from './errors.ts';

export interface Failure {
  success: false;
  error: string;
  code: string;
  details?: Record<string, unknown>;
}

/** The body of every failed JSON reply (§4, §7.1). */
export function failureBody(error: ApiError): Failure {
  return {
    success: false,
    error: error.message,
    code: error.code,
    ...(error.details === undefined ? {} : { details: error.details }),
  };
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  if (!response.hasHeader('Cache-Control')) response.setHeader('Cache-Control', 'no-store');
  response.end(text);
}

export function sendError(response: ServerResponse, error: ApiError): void {
  for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
  sendJson(response, error.status, failureBody(error));
}
