import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough, pipeline, type Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import qs from 'qs';
import { MEGABYTE } from '../../lib/bytes.ts';
import { t } from '../../messages/messages.ts';
import { bodyTimeout } from '../connection/timeouts.ts';
import { ApiError } from '../errors.ts';
import { requestBodies } from './body-budget.ts';

export type RawParameters = Record<string, unknown>;

/** Bytes buffered between the parser and the consumer of a file part. */
const CHUNK = 256 * 1024;
const MAX_BODY = 1024 * 1024;
const MAX_PARAMETERS = 1_000;
/** Bytes of boundaries and part headers of a multipart body: some hundred for each of its parameters. */
const MAX_PART_HEADERS = 512 * 1024;
const MAX_DEPTH = 5;
/** Milliseconds for a whole form or JSON body; uploads have only a limit on silence. */
const BODY_TIME = 30_000;

/** Marks a number in brackets during parsing, because the parser would treat `a[7]` as the first entry of a list. */
const NUMBER_MARK = '\0';

/**
 * PHP-style brackets: `details[]=a` is a list, `data[username]=b` and `fields[7]=c` are objects.
 * @throws ApiError `too_many_parameters`
 */
export function parseForm(text: string): RawParameters {
  try {
    const parsed = qs.parse(text, {
      decoder: (written, decode, charset, type) => {
        const decoded = decode(written, undefined, charset);
        return type === 'key' ? decoded.replace(/\[(\d+)\]/g, `[${NUMBER_MARK}$1]`) : decoded;
      },
      parameterLimit: MAX_PARAMETERS,
      throwOnLimitExceeded: true,
      arrayLimit: MAX_PARAMETERS,
      depth: MAX_DEPTH,
      strictDepth: true,
      ignoreQueryPrefix: false,
    });
    return unmarked(parsed) as RawParameters;
  } catch (error) {
    throw new ApiError(
      'too_many_parameters',
      t('api.requests.parameterDepth', { limit: MAX_PARAMETERS, depth: MAX_DEPTH }),
      {
        cause: error,
      },
    );
  }
}

function unmarked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unmarked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key.startsWith(NUMBER_MARK) ? key.slice(1) : key, unmarked(one)]),
  );
}

export function queryParameters(request: IncomingMessage): RawParameters {
  const url = request.url ?? '';
  const start = url.indexOf('?');
  return start < 0 ? {} : parseForm(url.slice(start + 1));
}

/** The consumer of the file part of a multipart body. */
interface FileTaker<File> {
  /** Milliseconds for the whole body; only silence is limited without it. */
  readonly time?: number | undefined;
  /**
   * Called while the part streams in. Its result is passed to the operation.
   * @param filename as sent, without a path; empty when none was sent
   */
  take(content: Readable, filename: string): Promise<File>;
  /** Undoes `take` if the rest of the body cannot be read. */
  drop(file: File): Promise<void>;
}

/** A client that waits for `100 Continue` gets it only now: what was refused before was never sent. */
function acceptBody(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
}

/**
 * Reads a body that is content.
 * @param take reads it to its end
 * @param total milliseconds for the whole body
 */
export async function receiveBody<T>(
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  take: (content: Readable) => Promise<T>,
  total?: number,
): Promise<T> {
  acceptBody(request, response);
  const stop = bodyTimeout(request, response, { total });
  return take(request).finally(stop);
}

/**
 * The parameters in the body: a form, the text parts of a multipart body, or a JSON object. A body of any other type
 * carries none.
 * @param most bytes of all parameters together
 * @throws ApiError `malformed_body` (also for JSON with another content type), `too_many_parameters`,
 * `request_timeout`
 */
export async function bodyParameters<File>(
  request: IncomingMessage,
  response: ServerResponse,
  taker?: FileTaker<File>,
  most = MAX_BODY,
): Promise<{ parameters: RawParameters; file: File | null }> {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === 'multipart/form-data') return multipart(request, response, taker, most);
  if (type === 'application/x-www-form-urlencoded') {
    const text = await readText(request, response, most);
    if (isJsonObject(text)) throw jsonAs(type);
    return { parameters: parseForm(text), file: null };
  }
  // RFC 6839 §3.1.
  if (type === 'application/json' || type === 'text/json' || /^application\/[\w.-]+\+json$/.test(type)) {
    return { parameters: jsonObject(await readText(request, response, most)), file: null };
  }
  const length = Number(request.headers['content-length'] ?? 0);
  if (length > 0 && length <= most && isJsonObject(await readText(request, response, most, false))) {
    throw jsonAs(type);
  }
  return { parameters: {}, file: null };
}

/** Whether a text is a JSON object, whatever its content type says. */
export function isJsonObject(text: string): boolean {
  if (!/^\s*\{/.test(text) || !/\}\s*$/.test(text)) return false;
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

function jsonAs(type: string): ApiError {
  const message =
    type === '' ? t('api.requests.jsonWithoutType') : t('api.requests.jsonWithType', { type: type.slice(0, 100) });
  return new ApiError('malformed_body', message);
}

/**
 * A whole small body as text.
 * @param most bytes
 * @param isFatal whether anything but UTF-8 is rejected
 * @throws ApiError when it is too large, too slow or no UTF-8
 */
export async function readText(
  request: IncomingMessage,
  response: ServerResponse,
  most = MAX_BODY,
  isFatal = true,
): Promise<string> {
  if (Number(request.headers['content-length'] ?? 0) > most) throw tooLarge(most);
  acceptBody(request, response);
  const stop = bodyTimeout(request, response, { total: BODY_TIME });
  const share = requestBodies.open(request);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > most) throw tooLarge(most);
      share.add(chunk.length);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError('malformed_body', t('api.requests.bodyCutOff'), { cause: error });
  } finally {
    stop();
    share.release();
  }
  try {
    return new TextDecoder('utf-8', { fatal: isFatal }).decode(Buffer.concat(chunks));
  } catch (error) {
    throw new ApiError('malformed_body', t('api.requests.notUtf8'), { cause: error });
  }
}

function jsonObject(body: string): RawParameters {
  let value: unknown;
  try {
    value = body.trim() === '' ? {} : JSON.parse(body);
  } catch {
    // Without the parser's message: it quotes the body, and bodies carry secrets.
    throw new ApiError('malformed_body', t('api.requests.notJson'));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ApiError('malformed_body', t('api.requests.notJsonObject'));
  }
  if (Object.keys(value).length > MAX_PARAMETERS) {
    throw new ApiError('too_many_parameters', t('api.requests.parameterCount', { limit: MAX_PARAMETERS }));
  }
  return value as RawParameters;
}

async function multipart<File>(
  request: IncomingMessage,
  response: ServerResponse,
  taker: FileTaker<File> | undefined,
  most: number,
): Promise<{ parameters: RawParameters; file: File | null }> {
  if (request.destroyed) throw malformed(new Error('the client went away'));
  const parser = openParser(request, most);
  acceptBody(request, response);
  // The consumer of a file limits its size and time; here only silence is limited while a file streams in.
  let stop = bodyTimeout(request, response, { total: taker?.time ?? BODY_TIME });
  const inTime = (total: number | undefined) => {
    stop();
    stop = bodyTimeout(request, response, { total });
  };
  const share = requestBodies.open(request);
  const fields: string[] = [];
  let size = 0;
  let isInFile = false;
  let part: PassThrough | null = null;
  let file: Promise<File> | null = null;
  try {
    await new Promise<void>((resolve, reject) => {
      parser.on('field', (name, value, nameTruncated, valueTruncated) => {
        size += Buffer.byteLength(name) + Buffer.byteLength(value);
        if (nameTruncated || valueTruncated || size > most) return reject(tooLarge(most));
        // Other encodings than UTF-8 can carry half a character, which cannot be encoded again.
        fields.push(`${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`);
      });
      parser.on('file', (name, content, filename) => {
        // A part that is cut off emits an error of its own.
        content.on('error', reject);
        isInFile = true;
        content.once('end', () => {
          isInFile = false;
        });
        if (name !== 'file' || taker === undefined || file !== null) {
          content.resume();
          return;
        }
        if (taker.time === undefined) {
          inTime(undefined);
          content.once('end', () => inTime(BODY_TIME));
        }
        part = pipeline(content, new PassThrough({ highWaterMark: CHUNK }), () => undefined);
        // The rest of the body may fail before the consumer has begun to read; an unhandled error would end the process.
        part.on('error', () => undefined);
        file = taker.take(part, (filename ?? '').toWellFormed());
        // Rejected midway: the rest is not needed, and the parser must not wait for a reader.
        file.catch(reject);
      });
      parser.on('fieldsLimit', () => reject(tooMany()));
      parser.on('partsLimit', () => reject(tooMany()));
      parser.on('finish', resolve);
      parser.on('error', (error) => reject(malformed(error)));
      request.on('close', () => {
        if (!request.complete) reject(malformed(new Error('the client went away')));
      });
      // The parser buffers a field until it is complete and only then reports that it is too large.
      let outsideOfFiles = 0;
      request.on('data', (chunk: Buffer) => {
        if (isInFile) return;
        outsideOfFiles += chunk.length;
        if (outsideOfFiles > most + MAX_PART_HEADERS) return reject(tooLarge(most));
        try {
          share.add(chunk.length);
        } catch (error) {
          reject(error);
        }
      });
      request.pipe(parser);
    });
    return { parameters: parseForm(fields.join('&')), file: file === null ? null : await file };
  } catch (error) {
    request.unpipe(parser);
    parser.destroy();
    // The reader of the part gets an error; what was stored already is removed.
    (part as PassThrough | null)?.destroy(new Error('the body could not be read'));
    const taken = await (file as Promise<File> | null)?.catch(() => null);
    if (taken !== null && taken !== undefined) await taker?.drop(taken);
    throw error instanceof ApiError ? error : malformed(error);
  } finally {
    stop();
    share.release();
  }
}

function tooMany(): ApiError {
  return new ApiError('too_many_parameters', t('api.requests.parameterCount', { limit: MAX_PARAMETERS }));
}

function openParser(request: IncomingMessage, most: number) {
  try {
    return new Busboy({
      headers: request.headers as { 'content-type': string },
      limits: {
        fieldSize: most,
        fieldNameSize: 1_000,
        fields: MAX_PARAMETERS,
        parts: MAX_PARAMETERS + 10,
        headerPairs: 50,
      },
    });
  } catch (error) {
    throw malformed(error);
  }
}

function malformed(cause: unknown): ApiError {
  return new ApiError('malformed_body', t('api.requests.multipart'), { cause });
}

/** @param most bytes */
function tooLarge(most: number): ApiError {
  const size =
    most < MEGABYTE
      ? t('sizes.kilobytes', { amount: Math.floor(most / 1024) })
      : t('sizes.megabytes', { amount: Math.floor(most / MEGABYTE) });
  return new ApiError('malformed_body', t('api.requests.bodyTooLarge', { size }));
}
