import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { forwardedAddress, isForwardedSecurely, type TrustsProxy } from '../../http/connection/client-address.ts';
import { hostOf, hostOfTarget } from '../../http/connection/hosts.ts';
import { limitSilence } from '../../http/connection/idle-timeout.ts';
import { lingerBriefly } from '../../http/connection/linger.ts';
import { refuseAmbiguous } from '../../http/connection/smuggling-guard.ts';
import { ApiError } from '../../http/errors.ts';
import type { Log } from '../../lib/log/log.ts';
import { t } from '../../messages/messages.ts';

/** A request with what Express knows of it, also where Express does not route it. */
export interface AppRequest extends IncomingMessage {
  /** As it was sent, while `url` becomes relative to what handles it. */
  originalUrl: string;
  /** Of the client, behind trusted proxies too; undefined for a connection in memory. */
  ip: string | undefined;
  /** Whether the client uses HTTPS, behind a trusted proxy too. */
  secure: boolean;
}

export interface AppResponse extends ServerResponse {
  locals: { requestId?: string };
}

/** Looks at a request, and may set headers of its reply. @throws ApiError to refuse it */
export type Check = (request: AppRequest, response: AppResponse) => void;

export interface ChecksParts {
  readonly log: Log;
  /** Decides which proxies are trusted. */
  readonly trustsProxy: TrustsProxy;
  /** Whether a host name, without port, is one of ours. @param target of the request, as sent */
  readonly isKnownHost: (host: string, target: string) => boolean;
  readonly isStopping: () => boolean;
  /** Whether plain HTTP is allowed now (§1.3). */
  readonly allowsHttp: () => boolean;
}

/** Every check of every request, in order: for pages, panel, OAuth and API alike. */
export function requestChecks(parts: ChecksParts): readonly Check[] {
  return [
    identify(parts),
    accessLog(parts.log),
    limitSilence,
    lingerBriefly,
    refuseAmbiguous,
    refuseWhileStopping(parts),
    requireHttps(parts),
    requireKnownHost(parts),
    limitUri,
    setHeaders(SECURITY_HEADERS),
  ];
}

function identify({ trustsProxy }: ChecksParts): Check {
  return (request, response) => {
    const requestId = randomUUID();
    request.originalUrl = request.url ?? '';
    request.ip = forwardedAddress(request, trustsProxy);
    request.secure = isForwardedSecurely(request, trustsProxy);
    response.locals = { requestId };
    // Each part that handles a reply listens for its end: so many listeners are not a leak.
    response.setMaxListeners(30);
    response.setHeader('X-Request-Id', requestId);
  };
}

/** One line per request: the path without its query, because queries may contain secrets. */
function accessLog(log: Log): Check {
  // None of its fields can contain a secret: redaction would be half of the work.
  const requests = log.child({}, { redact: [] });
  return ({ originalUrl, method }, response) => {
    const started = performance.now();
    response.on('close', () => {
      const path = originalUrl.split('?', 1)[0];
      const ms = Math.round(performance.now() - started);
      const { requestId } = response.locals;
      const complete = response.writableFinished;
      requests.info({ requestId, method, path, status: response.statusCode, ms, complete }, 'request');
    });
  };
}

function refuseWhileStopping({ isStopping }: ChecksParts): Check {
  return (_request, response) => {
    if (!isStopping()) return;
    response.setHeader('Connection', 'close');
    throw new ApiError('shutting_down', t('api.service.stopping'), {
      headers: { 'Retry-After': '5' },
    });
  };
}

/** §1.2, §7.6. The listener of the HTTPS port answers plain HTTP itself; this is for the port of the testing mode. */
function requireHttps({ allowsHttp }: ChecksParts): Check {
  return ({ secure }) => {
    if (!secure && !allowsHttp()) throw new ApiError('https_required', t('api.requests.httpsOnly'));
  };
}

/** A page of another site must not reach us through its own host name (DNS rebinding). */
function requireKnownHost({ isKnownHost }: ChecksParts): Check {
  const isKnown = (host: string | null | undefined, target: string) =>
    host === undefined || (host !== null && isKnownHost(host, target));
  return ({ headers, originalUrl }) => {
    const isSent = headers.host !== undefined;
    if ((isSent && !isKnown(hostOf(headers.host), originalUrl)) || !isKnown(hostOfTarget(originalUrl), originalUrl))
      throw new ApiError('unknown_host', t('api.requests.unknownHost'));
  };
}

/**
 * What the OWASP Secure Headers Project recommends, for every reply. Pages add to their policy. Without HSTS, because other services of
 * the host use other ports, and without what only concerned Internet Explorer and filters that browsers no longer have.
 */
const SECURITY_HEADERS: readonly (readonly [name: string, value: string])[] = [
  [
    'Content-Security-Policy',
    "default-src 'none';style-src 'self';img-src 'self';base-uri 'none';form-action 'self';frame-ancestors 'none'",
  ],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Origin-Agent-Cluster', '?1'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-DNS-Prefetch-Control', 'off'],
  ['X-Frame-Options', 'DENY'],
  ['X-Permitted-Cross-Domain-Policies', 'none'],
];

const MAX_URI = 16_000;

function limitUri({ originalUrl }: AppRequest): void {
  if (originalUrl.length > MAX_URI) throw new ApiError('uri_too_long', t('api.requests.uriTooLong', { max: MAX_URI }));
}

function setHeaders(headers: readonly (readonly [name: string, value: string])[]): Check {
  return (_request, response) => {
    for (const [name, value] of headers) response.setHeader(name, value);
  };
}
