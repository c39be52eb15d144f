import type { IncomingMessage, ServerResponse } from 'node:http';
import { t } from '../../messages/messages.ts';
import { ApiError } from '../errors.ts';

/** Browsers send some twenty headers, and proxies add a few. */
const MAX_HEADERS = 200;

/**
 * Refuses what Node's parser accepts although a proxy before us could interpret it differently: disagreement about where a
 * request ends can hide another one in it. The connection is closed, and nothing after it is read.
 * @throws ApiError `malformed_body`, `headers_too_large`, `expectation_failed`
 */
export function refuseAmbiguous(request: IncomingMessage, response: ServerResponse): void {
  const problem = ambiguity(request);
  // Data sent right after an upgrade request is lost in Node's parser, so the connection cannot be used any further.
  if (problem !== null || request.headers.upgrade !== undefined) response.setHeader('Connection', 'close');
  if (problem !== null) throw problem;
}

function ambiguity({ headers, httpVersion, rawHeaders }: IncomingMessage): ApiError | null {
  if (rawHeaders.length > 2 * MAX_HEADERS)
    return new ApiError('headers_too_large', t('api.requests.tooManyHeaders', { limit: MAX_HEADERS }));
  // RFC 9112 §2.3; Node's parser takes 2.0 as well.
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return malformed(t('api.requests.httpVersion'));
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  // RFC 9112 §3.2.
  if (hosts > 1 || (hosts === 0 && httpVersion !== '1.0')) return malformed(t('api.requests.hostHeader'));
  // RFC 9110 §10.1.1.
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue')
    return new ApiError('expectation_failed', t('api.requests.expectation'));
  const coding = headers['transfer-encoding'];
  if (coding === undefined) return null;
  // RFC 9112 §6.1.
  if (coding.toLowerCase() !== 'chunked') return malformed(t('api.requests.transferCoding'));
  return httpVersion === '1.0' ? malformed(t('api.requests.transferCodingVersion')) : null;
}

const malformed = (sentence: string) => new ApiError('malformed_body', sentence);
