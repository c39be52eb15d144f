import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { ApiError } from '../http/errors.ts';
import { readText } from '../http/request/read-parameters.ts';
import { sendJson } from '../http/response/envelope.ts';
import type { Origin } from '../lib/events.ts';
import type { Log } from '../lib/log/log.ts';
import { t } from '../messages/messages.ts';
import type { ControlFailure } from './contract/contract.ts';
import { ControlError, type Dispatcher } from './dispatcher.ts';
import { streamEvents } from './event-stream.ts';

/** Shared by the HTTP endpoints of the control side: on loopback, and for browsers elsewhere where the owner allows it. */

const STATUS: Record<ControlFailure['code'], number> = {
  unknown_method: 404,
  invalid_input: 400,
  not_allowed: 409,
  refused: 409,
  internal_error: 500,
};

/** Most bytes of an input: a file of 1 MB in base64, and its parameters. */
const MAX_INPUT = 2 * 1024 * 1024;

/** What a path calls: a method by name, or the event stream. */
type ControlCall = { readonly method: string } | 'events';

/** @param path below the root of the endpoint @returns null if it calls nothing */
export function controlCallOf(path: string): ControlCall | null {
  if (path === '/control-events') return 'events';
  const method = /^\/control\/([A-Za-z.-]+)$/.exec(path)?.[1];
  return method === undefined ? null : { method };
}

/** Reads the input of a call. */
export async function inputOf(call: ControlCall, request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  return call === 'events' ? undefined : jsonOf(request, response);
}

/** Runs a call of an authorized caller. @param origin where it comes from; this computer unless given */
export async function carryOut(
  dispatcher: Dispatcher,
  call: ControlCall,
  input: unknown,
  response: ServerResponse,
  origin?: Origin,
): Promise<void> {
  try {
    if (call === 'events') streamEvents(await dispatcher.events(), response);
    else sendJson(response, 200, await dispatcher.dispatch(call.method, input, origin));
  } catch (error) {
    if (!(error instanceof ControlError)) throw error;
    sendJson(response, STATUS[error.code], error.toFailure());
  }
}

/** The headers of all replies. */
export function setHeaders(response: ServerResponse): void {
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('X-Frame-Options', 'DENY');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
}

export function tokenOf(request: IncomingMessage): string | undefined {
  return /^Bearer ([\w-]+)$/.exec(request.headers.authorization ?? '')?.[1];
}

export async function jsonOf(request: IncomingMessage, response: ServerResponse, most = MAX_INPUT): Promise<unknown> {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) return undefined;
  const body = await readText(request, response, most);
  try {
    return JSON.parse(body || '{}');
  } catch {
    return undefined;
  }
}

export function fail(response: ServerResponse, status: number, code: ControlFailure['code'], error: string): void {
  sendJson(response, status, { error, code } satisfies ControlFailure);
}

/** Whether the same request would fail again: a slow body or a busy server says nothing about the input. */
function isInputFault({ status }: ApiError): boolean {
  return status < 500 && status !== 408;
}

/** Sends a failure as a reply. */
export function failWith(error: unknown, response: ServerResponse, log: Log): void {
  if (response.headersSent) {
    response.destroy();
  } else if (error instanceof ApiError) {
    fail(response, error.status, isInputFault(error) ? 'invalid_input' : 'refused', error.message);
  } else if (error instanceof z.ZodError) {
    fail(response, 400, 'invalid_input', t('api.control.badRequest'));
  } else {
    log.error({ err: error }, 'the control server failed');
    fail(response, 500, 'internal_error', t('api.control.internal'));
  }
}
