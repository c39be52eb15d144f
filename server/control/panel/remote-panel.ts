import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { type Accounts, OWNER_ID } from '../../accounts/accounts.ts';
import { mayOpenPanel, mayOpenPanelHere } from '../../accounts/permissions/account-status.ts';
import type { SignIn } from '../../accounts/sign-in/sign-in.ts';
import type { Database } from '../../database/database.ts';
import { addressOf, isFromThisComputer } from '../../http/connection/client-address.ts';
import { sendJson } from '../../http/response/envelope.ts';
import { type Clock, SECOND } from '../../lib/clock.ts';
import type { Events, Origin } from '../../lib/events.ts';
import type { Log } from '../../lib/log/log.ts';
import { t } from '../../messages/messages.ts';
import type { Settings } from '../../settings/settings.ts';
import { signInProblem } from '../../web/auth/sign-in-problem.ts';
import { deviceOf } from '../../web/shell/browser-session.ts';
import { carryOut, controlCallOf, fail, failWith, inputOf, jsonOf, setHeaders, tokenOf } from '../answer-control.ts';
import type { Dispatcher } from '../dispatcher.ts';
import { createLocalSessions } from './local-sessions.ts';
import { sendPanelFile } from './panel-files.ts';
import { createRemoteSessions } from './remote-sessions.ts';

interface RemotePanelParts {
  readonly accounts: Accounts;
  readonly database: Pick<Database, 'get' | 'write'>;
  readonly signIn: SignIn;
  readonly settings: Settings;
  readonly events: Events;
  readonly clock: Clock;
  readonly log: Log;
}

/** Relative to the root of the panel. `secure` is also true if a trusted proxy says so. */
type PanelRequest = IncomingMessage & {
  readonly secure: boolean;
  readonly originalUrl: string;
  /** The path of that root, without a trailing slash. */
  readonly baseUrl: string;
};

/**
 * The control panel over HTTPS. On Larder's own computer the owner signs in with the password, and the code if there is one. For other
 * devices it is off unless the owner allows it, and then needs two-step sign-in.
 */
export interface RemotePanel {
  /** To be called before the first request. @param dispatcher carries out what the panel asks for */
  start(dispatcher: Dispatcher): void;
  /** Answers below the panel's root. Calls `next` for unknown paths, and for all that this client is not allowed. */
  handle(request: PanelRequest, response: ServerResponse, next: () => void): void;
  /** Closes the event streams, which would stay open as long as a client listens. */
  close(): void;
}

const signInInput = z.strictObject({
  username: z.string().max(320),
  password: z.string().max(1_000),
  otp: z.string().max(100).default(''),
});

/** Most bytes of a sign-in. */
const MAX_SIGN_IN = 8 * 1024;
/** Milliseconds after which a listener without permission stops receiving events. */
const CHECK_INTERVAL = 10 * SECOND;
const SIGN_IN_AGAIN = t('api.control.signIn');

export function createRemotePanel(parts: RemotePanelParts): RemotePanel {
  const { settings, accounts, signIn, events, log } = parts;
  const sessions = createRemoteSessions(parts);
  const local = createLocalSessions(parts);
  /** Each with the check of its session. */
  const listening = new Map<ServerResponse, () => Promise<boolean>>();
  let isClosed = false;
  let dispatcher: Dispatcher | null = null;
  const isRemoteAllowed = () => settings.values.remotePanel;
  const isAllowed = (request: IncomingMessage) => isRemoteAllowed() || isFromThisComputer(request);

  /** A session of this computer opens nothing for other devices. */
  async function isValid(request: IncomingMessage, token: string, isUse: boolean): Promise<boolean> {
    if (isFromThisComputer(request) && (await local.isValid(token, isUse))) return true;
    return isRemoteAllowed() && sessions.isValid(token, isUse);
  }

  const looking = setInterval(() => void dropListeners(), CHECK_INTERVAL).unref();
  events.on('settings.changed', ({ keys }) => {
    if (!keys.includes('remotePanel')) return;
    sessions.endAll();
    void dropListeners();
  });

  // Permissions may have changed, so all listeners are checked at once.
  for (const name of ['account.changed', 'account.deactivated', 'password.changed', 'two-step.changed'] as const) {
    events.on(name, () => void dropListeners());
  }

  async function dropListeners(): Promise<void> {
    for (const [response, isStillValid] of listening) {
      // If the check fails, the listener is closed.
      if (await isStillValid().catch(() => false)) continue;
      listening.delete(response);
      response.destroy();
    }
  }

  function keepListener(response: ServerResponse, isStillValid: () => Promise<boolean>): void {
    // A connection that has closed already emits no further close event.
    if (isClosed) response.destroy();
    if (response.destroyed) return;
    listening.set(response, isStillValid);
    response.once('close', () => listening.delete(response));
  }

  async function give(path: string, request: PanelRequest, response: ServerResponse, next: () => void): Promise<void> {
    // The page's own addresses are relative to its root, which ends with a slash.
    if (path === '/' && !request.originalUrl.split('?', 1)[0]?.endsWith('/')) {
      response.writeHead(308, { Location: `${request.baseUrl}/`, 'Cache-Control': 'no-store' }).end();
      return;
    }
    // Their names contain a hash of their content.
    const isAsset = path.startsWith('/assets/');
    response.setHeader('Cache-Control', isAsset ? 'private, max-age=31536000, immutable' : 'no-store');
    if (await sendPanelFile(path, response)) return;
    response.removeHeader('Cache-Control');
    next();
  }

  async function answer(request: PanelRequest, response: ServerResponse, next: () => void): Promise<void> {
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    if (request.method === 'GET' || request.method === 'HEAD') return give(path, request, response, next);
    setHeaders(response);
    if (request.method !== 'POST') return fail(response, 405, 'not_allowed', t('api.control.methods'));
    const { origin, host } = request.headers;
    if (origin !== undefined && origin !== `https://${host}`)
      return fail(response, 403, 'not_allowed', t('api.control.otherOrigin'));
    if (path === '/sign-in') return begin(request, response);
    const token = tokenOf(request);
    // Automatic requests of an unattended page do not extend the session.
    const isUse = request.headers['larder-attended'] !== 'no';
    if (token === undefined || !(await isValid(request, token, isUse))) {
      return fail(response, 401, 'not_allowed', SIGN_IN_AGAIN);
    }
    if (path === '/sign-out') {
      sessions.end(token);
      await local.end(token);
      await dropListeners();
      return sendJson(response, 200, {});
    }
    const call = controlCallOf(path);
    if (call === null) return fail(response, 404, 'unknown_method', t('api.requests.unknownAddress'));
    if (call === 'events') keepListener(response, () => isValid(request, token, false));
    const input = await inputOf(call, request, response);
    // The body may arrive half a minute after the headers, and the session may have ended meanwhile.
    if (!(await isValid(request, token, false))) return fail(response, 401, 'not_allowed', SIGN_IN_AGAIN);
    if (dispatcher === null) throw new Error('a request of the panel came before its start');
    await carryOut(dispatcher, call, input, response, originOf(request));
  }

  /** A reason beyond "wrong" is given only after the right password. */
  async function begin(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { username, password, otp } = signInInput.parse(await jsonOf(request, response, MAX_SIGN_IN));
    const isHere = isFromThisComputer(request);
    const shown = { password, otp, from: originOf(request), device: deviceOf(request), isHere };
    const result = await signIn.attemptWhere(isHere ? mayOpenPanelHere : mayOpenPanel, username, shown);
    switch (result.outcome) {
      case 'signed-in':
        // It may have been disabled while the password was checked.
        if (!isAllowed(request)) return fail(response, 401, 'not_allowed', SIGN_IN_AGAIN);
        return sendJson(
          response,
          200,
          // A session of this computer stays in all tabs, and when the browser is closed.
          isHere
            ? { token: await local.begin(result.account), stays: true }
            : { token: sessions.begin(result.account), stays: false },
        );
      case 'not-here':
        return fail(
          response,
          403,
          'refused',
          result.account.type === 'superuser'
            ? t('api.control.twoStep')
            : t('api.control.ownerOnly', { owner: await ownerName() }),
        );
      case 'code-needed':
        return sendJson(response, 200, { needs: 'code' });
      case 'code-wrong':
        return sendJson(response, 401, { error: t('signIn.code.wrong'), code: 'refused', field: 'otp' });
      case 'wait':
        response.setHeader('Retry-After', result.seconds);
        return fail(response, 429, 'refused', signInProblem(result, await ownerName()));
      case 'two-step-needed':
      case 'password-change-needed':
        return fail(response, 403, 'refused', t('api.control.accountFirst'));
      default:
        return fail(response, 401, 'refused', signInProblem(result, await ownerName()));
    }
  }

  const ownerName = async () => (await accounts.byId(OWNER_ID))?.name ?? '';

  return {
    start(started) {
      dispatcher = started;
    },
    handle(request, response, next) {
      // Checks both, because a proxy may claim TLS although this connection is unencrypted.
      if (!isAllowed(request) || !request.secure || !('encrypted' in request.socket)) return next();
      answer(request, response, next).catch((error) => failWith(error, response, log));
    },
    close() {
      isClosed = true;
      clearInterval(looking);
      for (const response of listening.keys()) response.destroy();
    },
  };
}

function originOf(request: IncomingMessage): Origin {
  return { channel: 'control', client: null, address: addressOf(request) };
}
