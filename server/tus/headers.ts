import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, invalidParameter, missingParameter } from '../http/errors.ts';
import { supportCors } from '../http/response/cors.ts';
import { sandboxReply } from '../http/response/sandbox.ts';
import { t } from '../messages/messages.ts';

export const VERSION = '1.0.0';

export const EXTENSIONS = ['creation', 'creation-with-upload', 'termination', 'expiration', 'checksum'] as const;

const CONTENT_TYPE = 'application/offset+octet-stream';

/** What clients send beside the headers of every request. */
const ACCEPTED = [
  'Authorization',
  'Content-Type',
  'If-Match',
  'If-None-Match',
  'If-Unmodified-Since',
  'Tus-Resumable',
  'Upload-Length',
  'Upload-Offset',
  'Upload-Metadata',
  'Upload-Checksum',
  'X-HTTP-Method-Override',
  'X-Request-ID',
  'X-Requested-With',
];

/** What scripts of other origins may read beside the headers of the API. */
const EXPOSED = [
  'Larder-Uuid',
  'Location',
  'Tus-Checksum-Algorithm',
  'Tus-Extension',
  'Tus-Max-Size',
  'Tus-Resumable',
  'Tus-Version',
  'Upload-Expires',
  'Upload-Length',
  'Upload-Metadata',
  'Upload-Offset',
];

/** Digits of the largest number of bytes. */
const NUMBER = /^\d{1,15}$/;

/** Sets the headers of every reply, also of those that refuse a request before it is handled. */
export function setCommonHeaders(response: ServerResponse): void {
  supportCors(response);
  const exposed = String(response.getHeader('Access-Control-Expose-Headers'));
  response.setHeader('Access-Control-Expose-Headers', [exposed, ...EXPOSED].join(', '));
  sandboxReply(response);
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Tus-Resumable', VERSION);
}

/** Answers what a browser asks before a request from another origin. */
export function allowRequests(response: ServerResponse, methods: readonly string[]): void {
  response.setHeader('Access-Control-Allow-Methods', methods.join(', '));
  response.setHeader('Access-Control-Allow-Headers', ACCEPTED.join(', '));
  response.setHeader('Access-Control-Max-Age', '86400');
}

/** Core protocol, Tus-Resumable: another version must not be processed. @throws ApiError 412, with `Tus-Version` */
export function checkVersion({ headers }: IncomingMessage): void {
  if (headers['tus-resumable'] === VERSION) return;
  throw new ApiError('precondition_failed', t('api.tus.version', { version: VERSION }), {
    headers: { 'Tus-Version': VERSION },
  });
}

/** @throws ApiError `missing_parameter`, `invalid_parameter` */
export function lengthOf({ headers }: IncomingMessage): number {
  for (const [name, header] of [
    ['upload-defer-length', 'Upload-Defer-Length'],
    ['upload-concat', 'Upload-Concat'],
  ] as const) {
    if (headers[name] !== undefined) throw invalidParameter(header, t('api.tus.extension', { header }));
  }
  return numberIn(headers['upload-length'], 'Upload-Length', () => t('api.tus.length'));
}

/** @throws ApiError `missing_parameter`, `invalid_parameter` */
export function offsetOf({ headers }: IncomingMessage): number {
  return numberIn(headers['upload-offset'], 'Upload-Offset', () => t('api.tus.offset'));
}

function numberIn(value: string | string[] | undefined, name: string, describe: () => string): number {
  if (value === undefined) throw missingParameter(name);
  if (typeof value !== 'string' || !NUMBER.test(value)) throw invalidParameter(name, describe());
  return Number(value);
}

/** @returns the bytes of the content; null if their number is unknown */
export function contentLength({ headers }: IncomingMessage): number | null {
  const length = headers['content-length'];
  if (length !== undefined) return Number(length);
  return headers['transfer-encoding'] === undefined ? 0 : null;
}

/** @throws ApiError `unsupported_media` */
export function checkContentType({ headers }: IncomingMessage): void {
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== CONTENT_TYPE) throw new ApiError('unsupported_media', t('api.tus.contentType'));
}
