import type { RequestHandler } from 'express';

const ALWAYS = ['Authorization', 'Content-Type'];

/**
 * Tokens prove who asks, not cookies: any origin may ask, without credentials.
 * @param honouredBy the headers that a request to this path can carry beside those of every request
 */
export function cors(honouredBy: (path: string) => readonly string[] = () => []): RequestHandler {
  return (request, response, next) => {
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    response.setHeader(
      'Access-Control-Expose-Headers',
      'Accept-Ranges, Allow, Content-Disposition, Content-Length, Content-Range, ETag, Last-Modified, Retry-After, WWW-Authenticate, X-Request-Id',
    );
    if (request.method !== 'OPTIONS') return next();
    response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT');
    response.setHeader('Access-Control-Allow-Headers', [...ALWAYS, ...honouredBy(request.path)].join(', '));
    response.setHeader('Access-Control-Max-Age', '86400');
    response.statusCode = 204;
    response.end();
  };
}
