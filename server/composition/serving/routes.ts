import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { ownAddress } from '../../http/connection/hosts.ts';
import { ApiError } from '../../http/errors.ts';
import { cors } from '../../http/response/cors.ts';
import { sendJson } from '../../http/response/envelope.ts';
import { t } from '../../messages/messages.ts';

export interface RoutesParts {
  readonly basePath: string;
  /** Number of homes that are offline because their disk does not respond. */
  readonly stalledDisks: () => number;
  readonly authority: () => string;
  readonly token: RequestHandler;
  readonly revoke: RequestHandler;
  /** RFC 8414, for the address used by the caller. */
  readonly discovery: (issuer: string) => unknown;
  readonly pages: RequestHandler;
  /** The control panel for browsers on the network. */
  readonly panel: (request: express.Request, response: express.Response, next: () => void) => void;
}

/**
 * What Express routes: panel, OAuth, what is public, and pages, in processing order.
 * @returns handles requests whose `url` is as sent
 */
export function createRoutes(
  parts: RoutesParts,
  onFailure: (error: unknown, request: IncomingMessage, response: ServerResponse) => void,
): (request: IncomingMessage, response: ServerResponse) => void {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.use(`${parts.basePath}/panel`, parts.panel);

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
  router.all('/oauth2/token', cors(), parts.token);
  router.all('/oauth2/revoke', cors(), parts.revoke);
  router.use(parts.pages);

  app.use(() => {
    throw new ApiError('unknown_endpoint', t('api.requests.unknownAddress'));
  });
  // Express tells error handlers by the number of their parameters.
  const onError: ErrorRequestHandler = (error, request, response, _next) => onFailure(error, request, response);
  app.use(onError);
  return (request, response) => app(request as express.Request, response as express.Response);
}

/** The server responds in either case; other problems are reported without names. */
function healthOf(stalled: number): { status: 'ok' | 'degraded'; disksNotAnswering?: number } {
  return stalled === 0 ? { status: 'ok' } : { status: 'degraded', disksNotAnswering: stalled };
}
