import { randomUUID } from 'node:crypto';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import helmet from 'helmet';
import type { TrustsProxy } from '../http/connection/client-address.ts';
import { hostOf, hostOfTarget, ownAddress } from '../http/connection/hosts.ts';
import { limitSilence } from '../http/connection/idle-timeout.ts';
import { lingerBriefly } from '../http/connection/linger.ts';
import { serializePipelined } from '../http/connection/pipelining.ts';
import { refuseAmbiguous } from '../http/connection/smuggling-guard.ts';
import { ApiError } from '../http/errors.ts';
import { cors } from '../http/response/cors.ts';
import { sendError, sendJson } from '../http/response/envelope.ts';
import { inClientTerms } from '../http/system-failure.ts';
import type { Log } from '../lib/log/log.ts';
import { t } from '../messages/messages.ts';

export interface AppParts {
  readonly log: Log;
  readonly basePath: string;
  /** Decides which proxies are trusted. */
  readonly trustsProxy: TrustsProxy;
  /** Whether a host name, without port, is one of ours. */
  readonly isKnownHost: (host: string) => boolean;
  readonly isApiEnabled: () => boolean;
  readonly isStopping: () => boolean;
  /** Called for every request: background work pauses for them. */
  readonly throttle: { begin(): () => void };
  /** Whether plain HTTP is allowed now (§1.3). */
  readonly allowsHttp: () => boolean;
  readonly openApi: () => unknown;
  /** Number of homes that are offline because their disk does not respond. */
  readonly stalledDisks: () => number;
  readonly authority: () => string;
  /** The headers that an operation of the API supports beside those of every request. @param path below the API's address */
  readonly honouredHeaders: (path: string) => readonly string[];
  readonly api: (request: express.Request, response: express.Response) => Promise<void>;
  readonly token: RequestHandler;
  readonly revoke: RequestHandler;
  /** RFC 8414, for the address used by the caller. */
  readonly discovery: (issuer: string) => unknown;
  readonly pages: RequestHandler;
  /** The control panel for browsers on the network. */
  readonly panel: (request: express.Request, response: express.Response, next: () => void) => void;
}

/** Every middleware and route, in processing order. */
export function createApp(parts: AppParts): express.Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.set('trust proxy', parts.trustsProxy);

  app.use(serializePipelined, identify, accessLog(parts.log), limitSilence, lingerBriefly, refuseAmbiguous);
  app.use(refuseWhileStopping(parts), requireHttps(parts), requireKnownHost(parts), limitUri);
  app.use(securityHeaders());
  // Before the throttle of background work, since an open panel keeps a request open for hours.
  app.use(`${parts.basePath}/panel`, parts.panel);
  app.use(makeRoom(parts.throttle));

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
  router.use('/api.php', cors(parts.honouredHeaders), requireApi(parts), (request, response) =>
    parts.api(request, response),
  );
  router.all('/oauth2/token', cors(), parts.token);
  router.all('/oauth2/revoke', cors(), parts.revoke);
  router.use(parts.pages);

  app.use(() => {
    throw new ApiError('unknown_endpoint', t('api.requests.unknownAddress'));
  });
  app.use(renderError(parts.log));
  return app;
}

const identify: RequestHandler = (_request, response, next) => {
  const id = randomUUID();
  response.locals.requestId = id;
  // Each part that handles a reply listens for its end: so many listeners are not a leak.
  response.setMaxListeners(30);
  response.setHeader('X-Request-Id', id);
  next();
};

function makeRoom(throttle: AppParts['throttle']): RequestHandler {
  return (_request, response, next) => {
    response.once('close', throttle.begin());
    next();
  };
}

/** One line per request: the path without its query, because queries may contain secrets. */
function accessLog(log: Log): RequestHandler {
  // None of its fields can contain a secret: redaction would be half of the work.
  const requests = log.child({}, { redact: [] });
  return (request, response, next) => {
    const started = performance.now();
    response.on('close', () => {
      const path = request.originalUrl.split('?', 1)[0];
      const ms = Math.round(performance.now() - started);
      const { requestId } = response.locals;
      const complete = response.writableFinished;
      requests.info({ requestId, method: request.method, path, status: response.statusCode, ms, complete }, 'request');
    });
    next();
  };
}

function refuseWhileStopping({ isStopping }: AppParts): RequestHandler {
  return (_request, response, next) => {
    if (!isStopping()) return next();
    response.setHeader('Connection', 'close');
    throw new ApiError('shutting_down', t('api.service.stopping'), {
      headers: { 'Retry-After': '5' },
    });
  };
}

/** §1.2, §7.6. The listener of the HTTPS port answers plain HTTP itself; this is for the port of the testing mode. */
function requireHttps({ allowsHttp }: AppParts): RequestHandler {
  return (request, _response, next) => {
    if (request.secure || allowsHttp()) return next();
    throw new ApiError('https_required', t('api.requests.httpsOnly'));
  };
}

/** A page of another site must not reach us through its own host name (DNS rebinding). */
function requireKnownHost({ isKnownHost }: AppParts): RequestHandler {
  return (request, _response, next) => {
    const hosts = [hostOf(request.headers.host), hostOfTarget(request.url)];
    if (hosts.every((host) => host === undefined || (host !== null && isKnownHost(host)))) return next();
    throw new ApiError('unknown_host', t('api.requests.unknownHost'));
  };
}

const MAX_URI = 16_000;

const limitUri: RequestHandler = (request, _response, next) => {
  if (request.originalUrl.length <= MAX_URI) return next();
  throw new ApiError('uri_too_long', t('api.requests.uriTooLong', { max: MAX_URI }));
};

/** Helmet without HSTS, because other services of the host use other ports. */
function securityHeaders(): RequestHandler {
  return helmet({
    strictTransportSecurity: false,
    crossOriginOpenerPolicy: false,
    crossOriginResourcePolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
  });
}

function requireApi({ isApiEnabled }: AppParts): RequestHandler {
  return (_request, _response, next) => {
    if (isApiEnabled()) return next();
    throw new ApiError('api_disabled', t('api.service.apiDisabled'));
  };
}

/** Converts failures of handlers to replies. Details of unexpected ones are only logged, with the request's id. */
function renderError(log: Log): ErrorRequestHandler {
  return (thrown: unknown, request, response, _next) => {
    const error = inClientTerms(thrown);
    const path = request.originalUrl.split('?', 1)[0] ?? '';
    if (response.headersSent) {
      const level = error instanceof ApiError ? 'debug' : 'error';
      log[level]({ err: error, requestId: response.locals.requestId }, 'failed after the reply had begun');
      response.destroy();
      return;
    }
    if (error instanceof ApiError) {
      // Problems of the machine are for its owner to see, mistakes of clients are not.
      const level = error.status >= 500 ? 'warn' : 'debug';
      if (error.cause !== undefined) log[level]({ err: error.cause, requestId: response.locals.requestId }, error.code);
      sendError(response, error, path);
      return;
    }
    log.error({ err: error, requestId: response.locals.requestId }, 'unexpected failure');
    sendError(response, new ApiError('internal_error', t('api.service.internal')), path);
  };
}

/** The server responds in either case; other problems are reported without names. */
function healthOf(stalled: number): { status: 'ok' | 'degraded'; disksNotAnswering?: number } {
  return stalled === 0 ? { status: 'ok' } : { status: 'degraded', disksNotAnswering: stalled };
}
