import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { z } from 'zod';
import { sendJson } from '../http/envelope.ts';
import { ApiError } from '../http/errors.ts';
import { hostOf, isLoopbackHost } from '../http/hosts.ts';
import { readText } from '../http/read-parameters.ts';
import type { Log } from '../lib/log.ts';
import type { ControlFailure } from './contract/contract.ts';
import { ControlError, type Dispatcher } from './dispatcher.ts';
import { streamEvents } from './event-stream.ts';
import { sendPanelFile } from './panel-files.ts';
import type { PanelSessions } from './panel-sessions.ts';

export interface LoopbackParts {
  readonly dispatcher: Dispatcher;
  readonly sessions: PanelSessions;
  readonly log: Log;
}

const STATUS: Record<ControlFailure['code'], number> = {
  unknown_method: 404,
  invalid_input: 400,
  not_allowed: 409,
  refused: 409,
  internal_error: 500,
};

/** Bytes of an input: a file of 1 MB in base64, and what goes with it. */
const MOST_INPUT = 2 * 1024 * 1024;

const linkInput = z.strictObject({ secret: z.string().max(200) });
const challengeInput = z.strictObject({ nonce: z.string().min(16).max(200) });
const answerInput = z.strictObject({ nonce: z.string().max(200), proof: z.string().max(200) });

/**
 * The control listener on loopback. Any page in any browser of this machine can send requests here, so every one is
 * held against Host and Origin first, and what does anything needs a token in a header, which no foreign page can set.
 */
export function loopbackHandler(parts: LoopbackParts): RequestListener {
  return (request, response) => {
    answer(parts, request, response).catch((error) => {
      if (response.headersSent) return response.destroy();
      if (error instanceof ApiError) return fail(response, error.status, 'invalid_input', error.message);
      if (error instanceof z.ZodError)
        return fail(response, 400, 'invalid_input', 'The request is not of the right shape.');
      parts.log.error({ err: error }, 'the control listener failed');
      fail(response, 500, 'internal_error', 'Something went wrong. The log says what.');
    });
  };
}

async function answer(parts: LoopbackParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('X-Frame-Options', 'DENY');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
  if (!isLoopback(request))
    return fail(response, 403, 'not_allowed', 'The control panel answers to loopback addresses only.');
  const path = (request.url ?? '').split('?', 1)[0] ?? '';
  if (request.method === 'GET') {
    response.setHeader('Cache-Control', 'no-store');
    if (!(await sendPanelFile(path, response)))
      fail(response, 404, 'unknown_method', 'There is nothing at this address.');
    return;
  }
  if (request.method !== 'POST') return fail(response, 405, 'not_allowed', 'Use GET or POST.');
  if (path === '/control-link') {
    const { secret } = linkInput.parse(await json(request, response));
    return sendToken(
      response,
      parts.sessions.exchange(secret),
      'This link has been used or is older than ten minutes.',
    );
  }
  if (path === '/control-challenge') {
    const { nonce } = challengeInput.parse(await json(request, response));
    return sendJson(response, 200, parts.sessions.challenge(nonce));
  }
  if (path === '/control-session') {
    const { nonce, proof } = answerInput.parse(await json(request, response));
    return sendToken(response, parts.sessions.answer(nonce, proof), 'The proof does not fit the challenge.');
  }
  const method = /^\/control\/([A-Za-z.-]+)$/.exec(path)?.[1];
  const isStream = path === '/control-events';
  if (method === undefined && !isStream)
    return fail(response, 404, 'unknown_method', 'There is nothing at this address.');
  const token = /^Bearer ([\w-]+)$/.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined || !parts.sessions.isValid(token)) {
    return fail(
      response,
      401,
      'not_allowed',
      'Open the link that "larder serve" printed, or get a new one with "larder control panel.link".',
    );
  }
  try {
    if (method === undefined) streamEvents(await parts.dispatcher.events(), response);
    else sendJson(response, 200, await parts.dispatcher.dispatch(method, await json(request, response)));
  } catch (error) {
    if (!(error instanceof ControlError)) throw error;
    sendJson(response, STATUS[error.code], error.toFailure());
  }
}

/** Any loopback name with any port (`ssh -L` changes it), and no page of another origin. */
function isLoopback(request: IncomingMessage): boolean {
  const host = hostOf(request.headers.host);
  const { origin } = request.headers;
  if (host === null || !isLoopbackHost(host)) return false;
  if (origin === undefined) return true;
  return URL.canParse(origin) && origin === `http://${request.headers.host}`;
}

async function json(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) return undefined;
  const body = await readText(request, response, MOST_INPUT);
  try {
    return JSON.parse(body || '{}');
  } catch {
    return undefined;
  }
}

function sendToken(response: ServerResponse, token: string | null, refusal: string): void {
  if (token === null) fail(response, 401, 'not_allowed', refusal);
  else sendJson(response, 200, { token });
}

function fail(response: ServerResponse, status: number, code: ControlFailure['code'], error: string): void {
  sendJson(response, status, { error, code } satisfies ControlFailure);
}
