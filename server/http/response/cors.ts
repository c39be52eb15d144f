import type { IncomingMessage, ServerResponse } from 'node:http';

const ALWAYS = ['Authorization', 'Content-Type'];

/** Requests are authenticated by tokens, not cookies, so any origin may send them, without credentials. */
export function cors() {
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    supportCors(response);
    if (request.method === 'OPTIONS') sendPreflight(response, []);
    else next();
  };
}

/**
 * Answers what a browser asks before a request from another origin.
 * @param honoured the headers that the request may carry beside those of every one
 */
export function sendPreflight(response: ServerResponse, honoured: readonly string[]): void {
  response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT');
  response.setHeader('Access-Control-Allow-Headers', [...ALWAYS, ...honoured].join(', '));
  response.setHeader('Access-Control-Max-Age', '86400');
  response.statusCode = 204;
  response.end();
}

/** The headers of every reply to another origin. */
export function supportCors(response: ServerResponse): void {
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  response.setHeader(
    'Access-Control-Expose-Headers',
    'Accept-Ranges, Allow, Content-Disposition, Content-Length, Content-Range, ETag, Last-Modified, Retry-After, WWW-Authenticate, X-Request-Id',
  );
}
