import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import fresh from 'fresh';
import parseRange from 'range-parser';
import { t } from '../../messages/messages.ts';
import { giveUpOnSilence } from '../connection/idle-timeout.ts';
import { ApiError } from '../errors.ts';
import { httpDate } from '../request/http-date.ts';
import { checkPreconditions, preconditionsOf, wholeSeconds } from '../request/preconditions.ts';

/** Both ends included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** The file to send. Its opener closes it. */
interface SendableFile {
  readonly filename: string;
  readonly mimeType: string;
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly mtime: number;
  /** A strong validator, with its quotes. */
  readonly etag: string;
  /** False when the content may not be that of the tag, nor of the time: no condition is met, and all of it is sent. */
  readonly isProven?: boolean;
  readonly inline: boolean;
  /**
   * Called once it is certain that content will be sent, before the first byte.
   * @param spans in the order in which they are sent; none of an empty file @throws ApiError when it must not
   */
  admit?(spans: readonly ByteRange[]): Promise<void>;
  /** Writes the bytes `start` to `end`, inclusive, into the response and does not end it. */
  send(start: number, end: number, response: ServerResponse): Promise<void>;
}

const MAX_RANGES = 20;

/**
 * Sends a file by RFC 9110: conditions first (§13.2.2), then ranges (§14), one or several, or everything.
 * @throws ApiError `precondition_failed`, `range_not_satisfiable`, before the first byte
 */
export async function sendFile(request: IncomingMessage, response: ServerResponse, file: SendableFile): Promise<void> {
  const isGetOrHead = request.method === 'GET' || request.method === 'HEAD';
  response.setHeader('ETag', file.etag);
  response.setHeader('Last-Modified', new Date(file.mtime).toUTCString());
  response.setHeader('Accept-Ranges', 'bytes');
  response.setHeader('Cache-Control', 'private, no-cache');
  response.setHeader('Content-Disposition', contentDisposition(file.filename, file.inline));
  const ranges = await withoutContentHeaders(response, async () => {
    // RFC 9110 §13.2.2: If-None-Match of a download is no failure, but answered with 304.
    const { 'if-none-match': _, ...headers } = request.headers;
    const conditions = preconditionsOf(headers);
    const { isProven = true } = file;
    if (conditions !== null) {
      checkPreconditions(conditions, { ...file, etag: isProven ? file.etag : null, isTagVisible: true });
    }
    if (isGetOrHead && isProven && isFresh(request, response)) return 'fresh';
    const requested = isGetOrHead ? requestedRanges(request, file) : null;
    if (request.method !== 'HEAD') await file.admit?.(requested ?? wholeOf(file));
    return requested;
  });
  if (ranges === 'fresh') {
    response.statusCode = 304;
    response.end();
    return;
  }
  response.setHeader('Content-Type', file.mimeType);
  giveUpOnSilence(request, response);
  if (ranges === null) return sendWholeFile(request, response, file);
  response.statusCode = 206;
  const [first] = ranges;
  if (ranges.length === 1 && first !== undefined) return sendOneRange(request, response, file, first);
  return sendRanges(request, response, file, ranges);
}

/** Headers that describe the content of a download. */
const CONTENT_HEADERS = ['ETag', 'Last-Modified', 'Accept-Ranges', 'Cache-Control', 'Content-Disposition'];

/** Runs checks that may refuse a download: the reply to a refusal has other content, so these headers are removed from it. */
async function withoutContentHeaders<T>(response: ServerResponse, check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    for (const name of CONTENT_HEADERS) response.removeHeader(name);
    throw error;
  }
}

function wholeOf({ size }: SendableFile): ByteRange[] {
  return size === 0 ? [] : [{ start: 0, end: size - 1 }];
}

/** What is sent while it is made. */
interface SendableStream {
  readonly filename: string;
  readonly mimeType: string;
  /** Bytes, where that can be known before. */
  readonly length?: number | null;
  /** The same as of a file. */
  admit?(): Promise<void>;
  /** Writes all of it into the response, and ends it. */
  send(response: ServerResponse): Promise<void>;
}

/**
 * Sends generated content: without ranges, and not cacheable. It has no tag, so `If-Match` with tags fails (RFC 9110 §13.1.1).
 * @throws ApiError `precondition_failed`, before the first byte
 */
export async function sendMade(
  request: IncomingMessage,
  response: ServerResponse,
  made: SendableStream,
): Promise<void> {
  const ifMatch = preconditionsOf(request.headers)?.ifMatch ?? null;
  const untagged = { etag: null, mtime: 0, isTagVisible: false };
  checkPreconditions({ ifMatch, ifNoneMatch: null, ifUnmodifiedSince: null }, untagged);
  response.setHeader('Accept-Ranges', 'none');
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Disposition', contentDisposition(made.filename, false));
  if (request.method !== 'HEAD') {
    await withoutContentHeaders(response, async () => made.admit?.());
  }
  response.setHeader('Content-Type', made.mimeType);
  if (typeof made.length === 'number') response.setHeader('Content-Length', made.length);
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  giveUpOnSilence(request, response);
  await made.send(response);
}

async function sendWholeFile(request: IncomingMessage, response: ServerResponse, file: SendableFile): Promise<void> {
  response.setHeader('Content-Length', file.size);
  if (request.method !== 'HEAD' && file.size > 0) await file.send(0, file.size - 1, response);
  response.end();
}

async function sendOneRange(
  request: IncomingMessage,
  response: ServerResponse,
  file: SendableFile,
  { start, end }: parseRange.Range,
): Promise<void> {
  response.setHeader('Content-Range', `bytes ${start}-${end}/${file.size}`);
  response.setHeader('Content-Length', end - start + 1);
  if (request.method !== 'HEAD') await file.send(start, end, response);
  response.end();
}

/** RFC 9110 §14.6: one part for each range. */
async function sendRanges(
  request: IncomingMessage,
  response: ServerResponse,
  file: SendableFile,
  ranges: readonly parseRange.Range[],
): Promise<void> {
  const boundary = randomBytes(18).toString('hex');
  const heads = ranges.map(
    ({ start, end }) =>
      `\r\n--${boundary}\r\nContent-Type: ${file.mimeType}\r\nContent-Range: bytes ${start}-${end}/${file.size}\r\n\r\n`,
  );
  const tail = `\r\n--${boundary}--\r\n`;
  const bytes = ranges.reduce((sum, { start, end }) => sum + end - start + 1, 0);
  response.setHeader('Content-Type', `multipart/byteranges; boundary=${boundary}`);
  response.setHeader('Content-Length', Buffer.byteLength(heads.join('') + tail) + bytes);
  if (request.method !== 'HEAD') {
    for (const [index, { start, end }] of ranges.entries()) {
      response.write(heads[index]);
      await file.send(start, end, response);
    }
    response.write(tail);
  }
  response.end();
}

function isFresh(request: IncomingMessage, response: ServerResponse): boolean {
  return fresh(request.headers, {
    etag: response.getHeader('ETag'),
    'last-modified': response.getHeader('Last-Modified'),
  });
}

/** @returns null when everything is sent */
function requestedRanges(request: IncomingMessage, file: SendableFile): parseRange.Range[] | null {
  const header = request.headers.range;
  if (header === undefined || !isRangeFresh(request, file)) return null;
  const ranges = parseRange(file.size, header, { combine: true });
  if (ranges === -1) {
    throw new ApiError('range_not_satisfiable', t('api.requests.range', { size: file.size }), {
      headers: { 'Content-Range': `bytes */${file.size}` },
    });
  }
  // A malformed header, another unit, or so many ranges that they are an attack (RFC 9110 §14.2): all of it.
  if (ranges === -2 || ranges.type !== 'bytes' || ranges.length > MAX_RANGES) return null;
  return [...ranges];
}

/** RFC 9110 §13.1.5: a range of another version would be spliced into the wrong file. */
function isRangeFresh(request: IncomingMessage, file: SendableFile): boolean {
  const condition = request.headers['if-range'];
  if (condition === undefined) return true;
  if (file.isProven === false) return false;
  const text = String(condition).trim();
  if (text.startsWith('"')) return text === file.etag;
  return !text.startsWith('W/') && httpDate(text) === wholeSeconds(file.mtime);
}

/** RFC 6266 with RFC 8187: the name as it is in `filename*`, and plain ASCII for those who cannot read it. */
function contentDisposition(filename: string, inline: boolean): string {
  const ascii = filename.replace(/[^\x20-\x7e]/g, '?').replace(/["\\%]/g, '_');
  const encoded = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${inline ? 'inline' : 'attachment'}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
