import type { IncomingMessage, ServerResponse } from 'node:http';
import { notFound } from '../access/access.ts';
import type { AccountCaller } from '../access/caller.ts';
import { foldUsername } from '../accounts/usernames.ts';
import { ownAddress } from '../http/connection/hosts.ts';
import { isAllowed } from '../http/connection/is-allowed.ts';
import { ApiError } from '../http/errors.ts';
import type { Protocol } from '../http/front-end.ts';
import { prefixOf } from '../http/request/at-root.ts';
import { sendError, sendJson } from '../http/response/envelope.ts';
import { sandboxReply } from '../http/response/sandbox.ts';
import { t } from '../messages/messages.ts';
import { type NextcloudTree, treeAt } from '../webdav/address.ts';
import { sendDavFailure } from '../webdav/failure.ts';
import { capabilities, statusOfServer } from './capabilities.ts';
import type { NextcloudParts } from './context.ts';
import { beginLogin, collectLogin } from './login.ts';
import { type OcsValue, type OcsVersion, sendOcs, sendOcsFailure } from './ocs.ts';
import { removeOwnPassword } from './own-password.ts';
import { sendAvatarOf } from './pictures/avatars.ts';
import { sendPreview, sendThumbnailAt, sendTrashedPreview } from './pictures/previews.ts';
import { isQuery, queriesProtocol } from './search/protocol.ts';
import { sharingMethods } from './sharing/endpoints.ts';
import { trashProtocol } from './trash/protocol.ts';
import { uploadsProtocol } from './uploads/protocol.ts';
import { userOf } from './user.ts';
import { versionsProtocol } from './versions/protocol.ts';

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
    GET: ({ householdName, basePath }, { account }, request) =>
      capabilities({ account, household: householdName(), address: `${ownAddress(request)}${basePath}` }),
  },
  '/cloud/user': { GET: userOf },
  '/core/apppassword': { DELETE: removeOwnPassword },
};

/** Pictures, for someone signed in: what answers GET, with the groups of the address. */
type Picture = (
  parts: NextcloudParts,
  caller: AccountCaller,
  groups: readonly string[],
  request: IncomingMessage,
  response: ServerResponse,
) => Promise<void>;

const PICTURES: readonly (readonly [RegExp, Picture])[] = [
  [
    /^(?:\/index\.php)?\/core\/preview(?:\.png)?$/,
    (parts, caller, _groups, request, response) => sendPreview(parts, caller, request, response),
  ],
  [
    /^(?:\/index\.php)?\/apps\/files_trashbin\/preview$/,
    (parts, caller, _groups, request, response) => sendTrashedPreview(parts, caller, request, response),
  ],
  [
    /^(?:\/index\.php)?\/apps\/files\/api\/v1\/thumbnail\/(.+)$/,
    (parts, caller, [rest = ''], request, response) => sendThumbnailAt(parts, caller, rest, request, response),
  ],
  [
    /^(?:\/index\.php)?\/avatar\/([^/]+)\/\d{1,4}(?:\/dark)?$/,
    (parts, caller, [username = ''], request, response) => sendAvatarOf(parts, caller, username, request, response),
  ],
];

/** Whether an address names the caller's own account. Others have no such address: whom one may see is told by shares. */
function isOwnUser(below: string, { account }: AccountCaller): boolean {
  const name = /^\/cloud\/users\/([^/]+)$/.exec(below)?.[1];
  const { username } = account;
  return name !== undefined && [username, encodeURIComponent(username)].map(foldUsername).includes(foldUsername(name));
}

const OCS = /^\/ocs\/v([12])\.php(\/.*)$/;

/** What apps for Nextcloud ask for beside WebDAV (https://docs.nextcloud.com/server/latest/developer_manual/client_apis/). */
export function nextcloudProtocol(parts: NextcloudParts): Protocol {
  const answerQuery = queriesProtocol(parts);
  const trees: Readonly<Record<NextcloudTree, ReturnType<typeof uploadsProtocol>>> = {
    uploads: uploadsProtocol(parts),
    trashbin: trashProtocol(parts),
    versions: versionsProtocol(parts),
  };

  async function answerOcs(request: IncomingMessage, response: ServerResponse, version: OcsVersion, path: string) {
    // No page of another site can send this header without asking first, and no reply allows it.
    if (request.headers['ocs-apirequest'] !== 'true') {
      throw new ApiError('precondition_failed', t('api.nextcloud.header'));
    }
    const begunAt = parts.now();
    const caller = await parts.authenticate(request, null);
    parts.onCall(caller, response, () => isAllowed(() => parts.authenticate(request, begunAt)));
    const below = path.replace(/\/$/, '');
    const sharing = sharingMethods(below);
    if (sharing !== undefined) {
      const confirm = () => parts.authenticate(request, begunAt);
      const data = await methodOf({ [below]: sharing }, below, request)({ parts, caller, request, response, confirm });
      return sendOcs(request, response, version, data);
    }
    const handler = methodOf(FOR_CALLERS, isOwnUser(below, caller) ? '/cloud/user' : below, request);
    sendOcs(request, response, version, await handler(parts, caller, request));
  }

  async function answerPicture(request: IncomingMessage, response: ServerResponse, { send, groups }: FoundPicture) {
    requireGet(request);
    const begunAt = parts.now();
    const caller = await parts.authenticate(request, null);
    parts.onCall(caller, response, () => isAllowed(() => parts.authenticate(request, begunAt)));
    await send(parts, caller, groups, request, response);
  }

  return {
    methods: [
      ...['OPTIONS', 'GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
      ...['PROPFIND', 'MKCOL', 'MOVE', 'COPY', 'REPORT', 'SEARCH'],
    ],
    credentials: ['bearer', 'basic'],
    setCommonHeaders: sandboxReply,
    /** @param path below the prefix of the installation, without the query */
    matches: (path: string, method: string) =>
      parts.isEnabled()
        ? Object.hasOwn(OPEN, path) ||
          path.startsWith('/ocs/') ||
          treeAt(path) !== undefined ||
          isQuery(path, method) ||
          pictureAt(path) !== undefined
        : isQuery(path, method) && method !== 'OPTIONS',

    async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const path = pathOf(request);
      // Switched off: the address is one of WebDAV, but what is asked there is as unknown as other addresses of such apps.
      if (!parts.isEnabled()) throw notFound();
      if (isQuery(path, request.method ?? '')) return answerQuery(request, response, path);
      const tree = treeAt(path);
      if (tree !== undefined) return trees[tree](request, response, path);
      const picture = pictureAt(path);
      if (picture !== undefined) return answerPicture(request, response, picture);
      const [, number, rest] = OCS.exec(path) ?? [];
      if (number === undefined || rest === undefined) return methodOf(OPEN, path, request)(parts, request, response);
      return answerOcs(request, response, versionOf(number), rest);
    },

    sendFailure(request: IncomingMessage, response: ServerResponse, error: ApiError): void {
      const path = pathOf(request);
      const [, number] = OCS.exec(path) ?? [];
      if (number !== undefined) sendOcsFailure(request, response, versionOf(number), error);
      else if (treeAt(path) !== undefined || isQuery(path, request.method ?? '')) {
        sendDavFailure(response, error, `${prefixOf(request, parts.basePath)}${path}`);
      } else sendError(response, error, path);
    },
  };
}

/** Of a request whose `url` is below the prefix of the installation. */
function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '';
}

function versionOf(number: string): OcsVersion {
  return number === '1' ? 1 : 2;
}

interface FoundPicture {
  readonly send: Picture;
  readonly groups: readonly string[];
}

function pictureAt(path: string): FoundPicture | undefined {
  for (const [address, send] of PICTURES) {
    const match = address.exec(path);
    if (match !== null) return { send, groups: match.slice(1) };
  }
  return undefined;
}

/** @throws ApiError `method_not_allowed` */
function requireGet({ method }: IncomingMessage): void {
  if (method === 'GET' || method === 'HEAD') return;
  throw new ApiError('method_not_allowed', t('api.requests.wrongMethod', { methods: 'GET' }), {
    headers: { Allow: 'GET' },
  });
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
