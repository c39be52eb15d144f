import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { ownAddress } from '../http/connection/hosts.ts';
import { serializePipelined } from '../http/connection/pipelining.ts';
import { ApiError } from '../http/errors.ts';
import { cors, supportCors } from '../http/response/cors.ts';
import { sendError, sendJson } from '../http/response/envelope.ts';
import { inClientTerms } from '../http/system-failure.ts';
import type { Log } from '../lib/log/log.ts';
import { t } from '../messages/messages.ts';
import { type AppRequest, type AppResponse, type ChecksParts, requestChecks } from './checks.ts';

/** A protocol beside the API with addresses of its own, such as WebDAV. Express does not route it. */
export interface Protocol {
  /** @param path of the request as sent, below the prefix of the installation, without the query */
  matches(path: string, method: string): boolean;
  /**
   * @param request whose `url` is below the prefix of the installation
   * @throws ApiError; the protocol may also answer failures itself
   */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Sets headers of every reply at its addresses, also of those that refuse a request before it is handled. */
  setCommonHeaders?(response: ServerResponse): void;
}

export interface AppParts extends ChecksParts {
  readonly basePath: string;
  readonly isApiEnabled: () => boolean;
  /** Called for every request: background work pauses for them. */
  readonly throttle: { begin(): () => void };
  readonly openApi: () => unknown;
  /** Number of homes that are offline because their disk does not respond. */
  readonly stalledDisks: () => number;
  readonly authority: () => string;
  /** The headers that an operation of the API supports beside those of every request. @param path below the API's address */
  readonly honouredHeaders: (path: string) => readonly string[];
  /** @param request whose `url` is relative to the API's address */
  readonly api: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  readonly protocols: readonly Protocol[];
  readonly token: RequestHandler;
  readonly revoke: RequestHandler;
  /** RFC 8414, for the address used by the caller. */
  readonly discovery: (issuer: string) => unknown;
  readonly pages: RequestHandler;
  /** The control panel for browsers on the network. */
  readonly panel: (request: express.Request, response: express.Response, next: () => void) => void;
}

/** The handler of every request: checks it, and passes it to the API or, by way of Express, to everything else. */
export function createApp(parts: AppParts): RequestListener {
  const checks = requestChecks(parts);
  const router = createRouter(parts);
  const prefix = `${parts.basePath}/api.php/`;
  const openApi = `${prefix}openapi.json`;
  const render = renderError(parts.log);

  /**
   * Whether a request is one of the API in its usual form. Express costs more than most operations, so it routes only the
   * others: preflights, the description, and targets that are whole addresses (RFC 9112 §3.2.2).
   */
  const isForApi = ({ originalUrl, method }: AppRequest) =>
    originalUrl.startsWith(prefix) && method !== 'OPTIONS' && !originalUrl.startsWith(openApi);

  /** The protocol of a request; undefined for everything else. */
  const protocolOf = ({ originalUrl, method = '' }: AppRequest) => {
    const target = originalUrl.replace(/^https?:\/\/[^/?]*/i, '');
    if (!target.startsWith(`${parts.basePath}/`)) return undefined;
    const path = target.slice(parts.basePath.length).split('?', 1)[0] ?? '';
    const protocol = parts.protocols.find((one) => one.matches(path, method));
    return protocol && { protocol, url: target.slice(parts.basePath.length) };
  };

  function handle(request: AppRequest, response: AppResponse): void {
    try {
      for (const check of checks) check(request, response);
      const found = isForApi(request) ? undefined : protocolOf(request);
      if (found !== undefined) {
        found.protocol.setCommonHeaders?.(response);
        makeRoom(parts.throttle, response);
        requireApi(parts);
        request.url = found.url;
        found.protocol.handle(request, response).catch((error) => render(error, request, response));
        return;
      }
      if (!isForApi(request)) {
        router(request as express.Request, response as express.Response);
        return;
      }
      makeRoom(parts.throttle, response);
      supportCors(response);
      requireApi(parts);
      request.url = request.originalUrl.slice(prefix.length - 1);
      parts.api(request, response).catch((error) => render(error, request, response));
    } catch (error) {
      if (!response.headersSent) protocolOf(request)?.protocol.setCommonHeaders?.(response);
      render(error, request, response);
    }
  }

  return (request, response) =>
    serializePipelined(request, response, () => handle(request as AppRequest, response as AppResponse));
}

/** Every route, in processing order. */
function createRouter(parts: AppParts): express.Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);

  // Before the throttle of background work, since an open panel keeps a request open for hours.
  app.use(`${parts.basePath}/panel`, parts.panel);
  app.use((_request, response, next) => {
    makeRoom(parts.throttle, response);
    next();
  });

  const router = express.Router({ caseSensitive: true });
  app.use(parts.basePath === '' ? '/' : parts.basePath, router);
  // RFC 8414 §3.1: before the prefix of the installation, and also after it, for clients that look there.
  const wellKnown = '/.well-known/oauth-authorization-server';
  const discover: RequestHandler = (request, response) => {
    sendJson(response, 200, parts.discovery(`${ownAddress(request)}${parts.basePath}`));
  };
  app.get(`${wellKnown}${parts.basePath}`, cors(), discover);
  router.get(wellKnown, cors(), discover);
  router.get('/healthz', (_request, response) => sendJson(response, 200, healthOf(parts.stalledDisks())));
  router.get('/ca.crt', (_request, response) => {
    response.setHeader('Content-Type', 'application/x-x509-ca-cert');
    response.setHeader('Content-Disposition', 'attachment; filename="larder-ca.crt"');
    response.end(parts.authority());
  });
  router.get('/api.php/openapi.json', cors(), (_request, response) => sendJson(response, 200, parts.openApi()));
  router.use('/api.php', cors(parts.honouredHeaders), (request, response) => {
    requireApi(parts);
    return parts.api(request, response);
  });
  router.all('/oauth2/token', cors(), parts.token);
  router.all('/oauth2/revoke', cors(), parts.revoke);
  router.use(parts.pages);

  app.use(() => {
    throw new ApiError('unknown_endpoint', t('api.requests.unknownAddress'));
  });
  const render = renderError(parts.log);
  // Express tells error handlers by the number of their parameters.
  const onError: ErrorRequestHandler = (error, request, response, _next) => render(error, request, response);
  app.use(onError);
  return app;
}

function makeRoom(throttle: AppParts['throttle'], response: ServerResponse): void {
  response.once('close', throttle.begin());
}

/** @throws ApiError `api_disabled` */
function requireApi({ isApiEnabled }: AppParts): void {
  if (!isApiEnabled()) throw new ApiError('api_disabled', t('api.service.apiDisabled'));
}

/** Converts failures of handlers to replies. Details of unexpected ones are only logged, with the request's id. */
function renderError(log: Log) {
  return (thrown: unknown, request: Pick<AppRequest, 'originalUrl'>, response: ServerResponse): void => {
    const { requestId } = (response as AppResponse).locals;
    const error = inClientTerms(thrown);
    const path = request.originalUrl.split('?', 1)[0] ?? '';
    if (response.headersSent) {
      const level = error instanceof ApiError ? 'debug' : 'error';
      log[level]({ err: error, requestId }, 'failed after the reply had begun');
      response.destroy();
      return;
    }
    if (error instanceof ApiError) {
      // Problems of the machine are for its owner to see, mistakes of clients are not.
      const level = error.status >= 500 ? 'warn' : 'debug';
      if (error.cause !== undefined) log[level]({ err: error.cause, requestId }, error.code);
      sendError(response, error, path);
      return;
    }
    log.error({ err: error, requestId }, 'unexpected failure');
    sendError(response, new ApiError('internal_error', t('api.service.internal')), path);
  };
}

/** The server responds in either case; other problems are reported without names. */
function healthOf(stalled: number): { status: 'ok' | 'degraded'; disksNotAnswering?: number } {
  return stalled === 0 ? { status: 'ok' } : { status: 'degraded', disksNotAnswering: stalled };
}
