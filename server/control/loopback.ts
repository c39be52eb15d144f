import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { z } from 'zod';
import { hostOf } from '../http/connection/hosts.ts';
import { sendJson } from '../http/response/envelope.ts';
import type { Log } from '../lib/log/log.ts';
import { isLoopbackHost } from '../lib/loopback-host.ts';
import { larderCommand } from '../lib/process/larder-command.ts';
import { t } from '../messages/messages.ts';
import { carryOut, controlCallOf, fail, failWith, inputOf, jsonOf, setHeaders, tokenOf } from './answer-control.ts';
import type { Dispatcher } from './dispatcher.ts';
import { sendPanelFile } from './panel/panel-files.ts';
import type { PanelSessions } from './panel/panel-sessions.ts';

interface LoopbackParts {
  readonly dispatcher: Dispatcher;
  readonly sessions: PanelSessions;
  /** Where the owner signs in with the password, over HTTPS on this computer; null before there is an owner. */
  readonly signInAddress: () => Promise<string | null>;
  readonly log: Log;
}

const linkInput = z.strictObject({ secret: z.string().max(200) });
const challengeInput = z.strictObject({ nonce: z.string().min(16).max(200) });
const answerInput = z.strictObject({ nonce: z.string().max(200), proof: z.string().max(200) });

/**
 * The control listener on loopback. Any page in any browser of this machine can send requests here, so Host and Origin are
 * checked first, and every action needs a token in a header, which no foreign page can set.
 */
export function loopbackHandler(parts: LoopbackParts): RequestListener {
  return (request, response) => {
    answer(parts, request, response).catch((error) => failWith(error, response, parts.log));
  };
}

async function answer(parts: LoopbackParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  setHeaders(response);
  if (!isLoopback(request)) return fail(response, 403, 'not_allowed', t('api.control.loopbackOnly'));
  const path = (request.url ?? '').split('?', 1)[0] ?? '';
  if (request.method === 'GET') {
    response.setHeader('Cache-Control', 'no-store');
    // For the page that needs a session, before any authentication. It is no secret on this computer. A password is never typed into
    // plain HTTP, where another program of this computer could stand in for the server.
    if (path === '/control-command')
      return sendJson(response, 200, { command: larderCommand(), signIn: await parts.signInAddress() });
    if (!(await sendPanelFile(path, response))) fail(response, 404, 'unknown_method', t('api.requests.unknownAddress'));
    return;
  }
  if (request.method !== 'POST') return fail(response, 405, 'not_allowed', t('api.control.methods'));
  if (path === '/control-link') {
    const { secret } = linkInput.parse(await jsonOf(request, response));
    return sendToken(response, parts.sessions.exchange(secret), t('api.control.linkUsed'));
  }
  if (path === '/control-challenge') {
    const { nonce } = challengeInput.parse(await jsonOf(request, response));
    return sendJson(response, 200, parts.sessions.challenge(nonce));
  }
  if (path === '/control-session') {
    const { nonce, proof } = answerInput.parse(await jsonOf(request, response));
    return sendToken(response, parts.sessions.answer(nonce, proof), t('api.control.proof'));
  }
  const call = controlCallOf(path);
  if (call === null) return fail(response, 404, 'unknown_method', t('api.requests.unknownAddress'));
  const token = tokenOf(request);
  if (token === undefined || !parts.sessions.isValid(token)) {
    return fail(response, 401, 'not_allowed', t('api.control.openLink', { command: larderCommand() }));
  }
  await carryOut(parts.dispatcher, call, await inputOf(call, request, response), response);
}

/** Accepts any loopback name with any port (`ssh -L` changes it), and no page of another origin. */
function isLoopback(request: IncomingMessage): boolean {
  const host = hostOf(request.headers.host);
  const { origin } = request.headers;
  if (host === null || !isLoopbackHost(host)) return false;
  if (origin === undefined) return true;
  return URL.canParse(origin) && origin === `http://${request.headers.host}`;
}

function sendToken(response: ServerResponse, token: string | null, refusal: string): void {
  if (token === null) fail(response, 401, 'not_allowed', refusal);
  else sendJson(response, 200, { token });
}
