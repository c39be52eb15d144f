import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AccountCaller } from '../access/caller.ts';
import { ownAddress } from '../http/connection/hosts.ts';
import { isAllowed } from '../http/connection/is-allowed.ts';
import { ApiError } from '../http/errors.ts';
import { sendJson } from '../http/response/envelope.ts';
import { sandboxReply } from '../http/response/sandbox.ts';
import { inClientTerms } from '../http/system-failure.ts';
import { t } from '../messages/messages.ts';
import { isUploadsPath } from '../webdav/address.ts';
import { capabilities, statusOfServer } from './capabilities.ts';
import type { NextcloudParts } from './context.ts';
import { beginLogin, collectLogin } from './login.ts';
import { type OcsValue, type OcsVersion, sendOcs, sendOcsFailure } from './ocs.ts';
import { removeOwnPassword } from './own-password.ts';
import { uploadsProtocol } from './uploads/protocol.ts';
import { userOf } from './user.ts';

/** Endpoints without sign-in, by path below the installation: the method, and what answers it. */
type Open = (parts: NextcloudParts, request: IncomingMessage, response: ServerResponse) => Promise<void>;

const OPEN: Readonly<Record<string, Readonly<Record<string, Open>>>> = {
  '/status.php': { GET: sendStatus },
  // Clients look there for whether they are online.
  '/index.php/204': { GET: sendNothing },
  '/index.php/login/v2': { POST: beginLogin },
  '/index.php/login/v2/poll': { POST: collectLogin },
};

/** Endpoints for someone signed in, below the address of either version of OCS. */
type ForCaller = (
  parts: NextcloudParts,
  caller: AccountCaller,
  request: IncomingMessage,
) => OcsValue | Promise<OcsValue>;

const FOR_CALLERS: Readonly<Record<string, Readonly<Record<string, ForCaller>>>> = {
  '/cloud/capabilities': {
    GET: (parts, _caller, request) =>
      capabilities({ household: parts.householdName(), address: `${ownAddress(request)}${parts.basePath}` }),
  },
  '/cloud/user': { GET: userOf },
  '/core/apppassword': { DELETE: removeOwnPassword },
};

const OCS = /^\/ocs\/v([12])\.php(\/.*)$/;

/** What apps for Nextcloud ask for beside WebDAV (https://docs.nextcloud.com/server/latest/developer_manual/client_apis/). */
export function nextcloudProtocol(parts: NextcloudParts) {
  const answerUploads = uploadsProtocol(parts);

  async function answerOcs(request: IncomingMessage, response: ServerResponse, version: OcsVersion, path: string) {
    // No page of another site can send this header without asking first, and no reply allows it.
    if (request.headers['ocs-apirequest'] !== 'true') {
      throw new ApiError('precondition_failed', t('api.nextcloud.header'));
    }
    const begunAt = parts.now();
    const caller = await parts.authenticate(request, null);
    parts.onCall(caller, response, () => isAllowed(() => parts.authenticate(request, begunAt)));
    const handler = methodOf(FOR_CALLERS, path.replace(/\/$/, ''), request);
    sendOcs(request, response, version, await handler(parts, caller, request));
  }

  return {
    /** @param path below the prefix of the installation, without the query */
    matches: (path: string) =>
      parts.isEnabled() && (Object.hasOwn(OPEN, path) || path.startsWith('/ocs/') || isUploadsPath(path)),

    async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
      sandboxReply(response);
      const path = (request.url ?? '').split('?', 1)[0] ?? '';
      if (isUploadsPath(path)) return answerUploads(request, response, path);
      const [, number, rest] = OCS.exec(path) ?? [];
      if (number === undefined || rest === undefined) return methodOf(OPEN, path, request)(parts, request, response);
      const version = number === '1' ? 1 : 2;
      try {
        await answerOcs(request, response, version, rest);
      } catch (thrown) {
        const error = inClientTerms(thrown);
        if (!(error instanceof ApiError)) throw error;
        sendOcsFailure(request, response, version, error);
      }
    },
  };
}

/** @throws ApiError `unknown_endpoint`, `method_not_allowed` */
function methodOf<Handler>(
  table: Readonly<Record<string, Readonly<Record<string, Handler>>>>,
  path: string,
  { method = '' }: IncomingMessage,
): Handler {
  const methods = Object.hasOwn(table, path) ? table[path] : undefined;
  if (methods === undefined) throw new ApiError('unknown_endpoint', t('api.requests.unknownAddress'));
  const name = method === 'HEAD' ? 'GET' : method;
  const handler = Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (handler !== undefined) return handler;
  const allowed = Object.keys(methods).join(', ');
  throw new ApiError('method_not_allowed', t('api.requests.wrongMethod', { methods: allowed }), {
    headers: { Allow: allowed },
  });
}

async function sendStatus(
  { householdName }: NextcloudParts,
  _request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  sendJson(response, 200, statusOfServer(householdName()));
}

async function sendNothing(_parts: NextcloudParts, _request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.statusCode = 204;
  response.setHeader('Cache-Control', 'no-store');
  response.end();
}
