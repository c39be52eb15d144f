import type { IncomingMessage } from 'node:http';
import type { UploadChunk } from '../files/upload/claim.ts';
import { CHECKSUM_NAMES, checksum } from '../files/upload/content-digest.ts';
import { prepareUpload, type UploadPlan } from '../files/upload/plan.ts';
import { publishUpload } from '../files/upload/publish.ts';
import { ApiError, invalidParameter } from '../http/errors.ts';
import { preconditionsOf } from '../http/request/preconditions.ts';
import { receiveBody } from '../http/request/read-parameters.ts';
import { t } from '../messages/messages.ts';
import type { Exchange, TusContext } from './exchange.ts';
import { contentLength } from './headers.ts';
import { segmentsOf } from './metadata.ts';
import { completeRecord, keyOf, type TusUpload } from './records.ts';

const HEADER = 'Upload-Checksum';

/** The content of one request, as a chunk of its upload. @throws ApiError `upload_too_large`, `invalid_parameter` */
export function chunkOf(upload: TusUpload, startByte: number, request: IncomingMessage): UploadChunk {
  const { length, lastModified } = upload;
  if (startByte + (contentLength(request) ?? 0) > length) throw tooLong(length);
  const contentDigest = checksumOf(request);
  return {
    ...{ uploadId: keyOf(upload), totalSize: length, startByte, lastModified, digest: undefined, contentDigest },
    isCreated: true,
  };
}

/** Where the file goes. Its folder has to exist. */
export function locationOf({ path }: Pick<TusUpload, 'path'>) {
  return { path: segmentsOf(path) };
}

/** @throws ApiError when the content may not or cannot be stored */
export function planFor(
  context: TusContext,
  { principal, request }: Exchange,
  upload: TusUpload,
  chunk: UploadChunk,
): Promise<UploadPlan> {
  const { lastModified } = upload;
  const bytes = contentLength(request);
  const conditions = preconditionsOf(request.headers);
  return prepareUpload(context, principal, { location: locationOf(upload), bytes, chunk, lastModified, conditions });
}

/**
 * Receives the content of a request, and publishes the file if it is complete. What arrived before the connection was lost stays,
 * unless the content has a checksum.
 * @returns where the next chunk begins
 * @throws ApiError
 */
export async function receiveContent(
  context: TusContext,
  exchange: Exchange,
  upload: TusUpload,
  plan: UploadPlan,
): Promise<number> {
  const { response, confirm } = exchange;
  try {
    await receiveBody(exchange, (content) => plan.receive(content));
  } catch (error) {
    throw isTooLong(error) ? tooLong(upload.length) : error;
  }
  try {
    // A body may take hours to arrive. A token, permission or share that has ended meanwhile no longer counts.
    const principal = await confirm();
    const published = await publishUpload(context, principal, plan, {
      onEnd: (tx, { item }) => completeRecord(tx, upload.id, item.uuid, context.clock.now()),
    });
    if (!('file' in published)) return published.offset;
    response.setHeader('ETag', published.etag);
    response.setHeader('Larder-Uuid', published.file.uuid);
    return upload.length;
  } catch (error) {
    await plan.drop();
    throw error;
  }
}

/** Extension checksum. @returns the digest of the content, as `<algorithm>=<hex>` @throws ApiError `invalid_parameter` */
function checksumOf({ headers }: IncomingMessage): string | undefined {
  const value = headers['upload-checksum'];
  if (value === undefined) return undefined;
  const [, name = '', encoded = ''] = /^([a-z0-9]+) ([A-Za-z0-9+/]+={0,2})$/.exec(String(value)) ?? [];
  const digest = checksum(name, Buffer.from(encoded, 'base64'));
  if (digest === null) {
    throw invalidParameter(HEADER, t('api.tus.checksum', { algorithms: CHECKSUM_NAMES.join(', ') }));
  }
  return digest;
}

/** Whether more content arrived than the upload has left, without a length that said so. */
function isTooLong(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'invalid_parameter' && error.details?.parameter === 'totalSize';
}

function tooLong(length: number): ApiError {
  return new ApiError('upload_too_large', t('api.tus.tooLong'), { details: { limit: length } });
}
