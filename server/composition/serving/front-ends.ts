import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiError } from '../../http/errors.ts';
import type { FrontEnd, Protocol } from '../../http/front-end.ts';
import { sendPreflight, supportCors } from '../../http/response/cors.ts';
import { sendError, sendJson } from '../../http/response/envelope.ts';
import type { AppRequest } from './checks.ts';
import { createRoutes, type RoutesParts } from './routes.ts';

export interface FrontEndParts extends RoutesParts {
  /** @param request whose `url` is relative to the API's address */
  readonly api: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  readonly openApi: () => unknown;
  /** The headers that an operation of the API supports beside those of every request. @param path below the API's address */
  readonly honouredHeaders: (path: string) => readonly string[];
  readonly nextcloud: Protocol;
  readonly webdav: Protocol;
  readonly tus: Protocol;
  /** Whether the owner allows a protocol. */
  readonly allows: (protocol: 'webdav' | 'tus') => boolean;
}

/** Sends a failure of a front end. */
type Fail = (
  frontEnd: Pick<FrontEnd, 'sendFailure'>,
  error: unknown,
  request: IncomingMessage,
  response: ServerResponse,
) => void;

const API = '/api.php';
const PANEL = /^\/panel(?:\/|$)/i;
const OAUTH = /^\/(?:oauth2\/(?:token|revoke)\/?|\.well-known\/oauth-authorization-server)$/;
const PUBLIC = /^\/(?:healthz|ca\.crt)\/?$/;

const READ = ['GET', 'HEAD'] as const;

/** Every front end in the order in which they are asked; the last one takes what no other does. */
export function createFrontEnds(parts: FrontEndParts, fail: Fail): readonly FrontEnd[] {
  const { api, openApi, honouredHeaders, nextcloud, webdav, tus, allows } = parts;
  const routes = createRoutes(parts, (error, request, response) => fail({ sendFailure }, error, request, response));
  /** What Express routes. It costs more than most operations of the API, which is therefore not among it. */
  const routed = {
    handle(request: IncomingMessage, response: ServerResponse) {
      // It looks for the prefix of the installation itself.
      request.url = (request as AppRequest).originalUrl;
      routes(request, response);
    },
    sendFailure,
    needsApi: false,
  } as const;
  const ofProtocol = (name: string, protocol: Protocol): FrontEnd => ({
    sendFailure,
    ...protocol,
    name,
    needsApi: true,
    makesRoom: true,
    matches: (path, method) => path !== null && protocol.matches(path, method),
  });
  return [
    {
      name: 'api',
      methods: ['GET', 'HEAD', 'POST', 'PUT'],
      credentials: ['bearer'],
      needsApi: true,
      makesRoom: true,
      matches: (path, method) => isApi(path) && !isDescription(path, method),
      setCommonHeaders: supportCors,
      async handle(request, response) {
        request.url = belowApi(request);
        await api(request, response);
      },
      sendFailure,
    },
    {
      name: 'api description',
      methods: [...READ, 'OPTIONS'],
      credentials: [],
      needsApi: false,
      makesRoom: true,
      matches: (path, method) => isApi(path) && isDescription(path, method),
      setCommonHeaders: supportCors,
      handle(request, response) {
        if (request.method !== 'OPTIONS') return sendJson(response, 200, openApi());
        sendPreflight(response, honouredHeaders(belowApi(request).split('?', 1)[0] ?? ''));
      },
      sendFailure,
    },
    ofProtocol('nextcloud', nextcloud),
    { ...ofProtocol('webdav', webdav), isAllowed: () => allows('webdav') },
    { ...ofProtocol('tus', tus), isAllowed: () => allows('tus') },
    {
      ...routed,
      name: 'panel',
      methods: [...READ, 'POST'],
      credentials: ['bearer', 'cookie'],
      makesRoom: false,
      matches: (path) => path !== null && PANEL.test(path),
    },
    {
      ...routed,
      name: 'oauth',
      methods: [...READ, 'POST', 'OPTIONS'],
      credentials: ['basic'],
      makesRoom: true,
      matches: (path) => path !== null && OAUTH.test(path),
    },
    {
      ...routed,
      name: 'public',
      methods: READ,
      credentials: [],
      makesRoom: true,
      matches: (path) => path !== null && PUBLIC.test(path),
    },
    {
      ...routed,
      name: 'pages',
      methods: [...READ, 'POST', 'PUT', 'OPTIONS'],
      credentials: ['cookie'],
      makesRoom: true,
      matches: () => true,
    },
  ];
}

function isApi(path: string | null): path is string {
  return path !== null && (path === API || path.startsWith(`${API}/`));
}

/** Whether a request is one that anyone may make: for the description, or whether pages of other origins may call (preflight). */
function isDescription(path: string, method: string): boolean {
  return method === 'OPTIONS' || (path === `${API}/openapi.json` && (method === 'GET' || method === 'HEAD'));
}

function belowApi({ url = '' }: IncomingMessage): string {
  const rest = url.slice(API.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function sendFailure(request: IncomingMessage, response: ServerResponse, error: ApiError): void {
  sendError(response, error, (request as AppRequest).originalUrl.split('?', 1)[0] ?? '');
}
