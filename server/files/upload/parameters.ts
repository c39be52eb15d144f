import { z } from 'zod';
import { invalidParameter, missingParameter } from '../../http/errors.ts';
import { flag, integer, MAX_BYTES, text, uuid, virtualPath } from '../../http/request/parameters.ts';
import { t } from '../../messages/messages.ts';
import { EARLIEST_TIME, LATEST_TIME } from '../../storage/disk/time-limits.ts';
import { checkUploadId, type UploadChunk } from './claim.ts';
import type { RequestDigests } from './content-digest.ts';

const bytes = () => integer({ min: 0, max: MAX_BYTES }).optional();

/** The fields of flow.js, which numbers its chunks from 1 and sends several side by side. */
const flowParams = {
  flowTotalSize: bytes().describe('Same as totalSize, for flow.js.'),
  flowChunkNumber: integer({ min: 1, max: MAX_BYTES })
    .optional()
    .describe('Number of this chunk, starting at 1 (flow.js).'),
  flowChunkSize: integer({ min: 1, max: MAX_BYTES })
    .optional()
    .describe('Size in bytes of every chunk except the last (flow.js).'),
  flowIdentifier: text().optional().describe('Identifies the upload within the client (flow.js).'),
  flowCurrentChunkSize: bytes().describe('Size of this chunk in bytes (flow.js).'),
};

/** The fields of an older chunk protocol: chunks arrive one after the other. */
const frParams = {
  frTotalSize: bytes().describe('Same as totalSize, for clients that mark the first and last chunk.'),
  frIsFirstChunk: flag().optional().describe('Whether this is the first chunk.'),
  frIsLastChunk: flag().optional().describe('Whether this is the last chunk.'),
  frGetOffset: flag().default(false).describe('Same as getOffset.'),
};

/** Totals of other chunk protocols. They are used only to reject contradictions. */
const foreignTotals = {
  resumableTotalSize: text().optional().describe('Rejected if it differs from the content size.'),
  resumableTotalChunks: text().optional().describe('Rejected if it is greater than 1.'),
  dztotalfilesize: text().optional().describe('Rejected if it differs from the content size.'),
  dztotalchunkcount: text().optional().describe('Rejected if it is greater than 1.'),
  chunks: text().optional().describe('Rejected if it is greater than 1.'),
};

export const uploadParams = z.object({
  path: virtualPath().optional().describe('Path of the file. Its folder must exist.'),
  filePath: virtualPath().optional().describe('Same as path, but creates missing folders.'),
  uuid: uuid().optional().describe('The uuid of the file to replace, instead of a path.'),
  totalSize: bytes().describe('Chunked upload: size of the complete file in bytes.'),
  startByte: bytes().describe('Chunked upload: offset of this chunk in bytes.'),
  uploadId: text()
    .optional()
    .describe('Chunked upload: the ID from the first reply, or a random one chosen by the client.'),
  getOffset: flag().default(false).describe('Returns the offset of the next chunk without sending one.'),
  lastModified: integer({ min: EARLIEST_TIME, max: LATEST_TIME })
    .optional()
    .describe('Modification time of the file in Unix seconds.'),
  sha256: text().optional().describe('SHA-256 digest of the complete file, in hexadecimal.'),
  ...frParams,
  ...flowParams,
  ...foreignTotals,
});

export type UploadParams = z.output<typeof uploadParams>;

/** Whether the request only asks for the offset. */
export function isOffsetQuery({ getOffset, frGetOffset }: UploadParams): boolean {
  return getOffset || frGetOffset;
}

/** Bytes of the whole file, by any of its names. @throws ApiError when two names have different values */
export function totalOf({ totalSize, frTotalSize, flowTotalSize }: UploadParams): number | undefined {
  const [total, ...others] = [totalSize, frTotalSize, flowTotalSize].filter((size) => size !== undefined);
  if (others.some((other) => other !== total)) throw invalidParameter('totalSize', t('api.uploads.totalTwice'));
  return total;
}

/**
 * The chunk that a request carries; null for a whole file.
 * @throws ApiError `missing_parameter`, `invalid_parameter` for contradicting values
 */
export function chunkOf(params: UploadParams, { digest, contentDigest }: RequestDigests): UploadChunk | null {
  const { startByte, frIsFirstChunk, frIsLastChunk, flowChunkNumber, flowChunkSize, uploadId, lastModified } = params;
  const totalSize = totalOf(params);
  const isFlow = flowChunkNumber !== undefined;
  if (totalSize === undefined) {
    if (startByte !== undefined || frIsFirstChunk !== undefined || frIsLastChunk !== undefined)
      throw missingParameter('totalSize');
    if (isFlow) throw missingParameter('flowTotalSize');
    return null;
  }
  if (isFlow && flowChunkSize === undefined) throw missingParameter('flowChunkSize');
  const flowStart = isFlow ? (flowChunkNumber - 1) * (flowChunkSize ?? 0) : undefined;
  if (flowStart !== undefined && flowStart > MAX_BYTES)
    throw invalidParameter('flowChunkNumber', t('api.parameters.tooLarge', { parameter: 'flowChunkNumber' }));
  if (startByte !== undefined && flowStart !== undefined && startByte !== flowStart) {
    throw invalidParameter('startByte', t('api.uploads.startByteFlow'));
  }
  const stated = startByte ?? flowStart;
  if (stated !== undefined && frIsFirstChunk !== undefined && frIsFirstChunk !== (stated === 0)) {
    throw invalidParameter('frIsFirstChunk', t('api.uploads.firstChunk'));
  }
  checkUploadId(uploadId);
  return {
    totalSize,
    startByte: stated ?? (frIsFirstChunk === false ? null : 0),
    isLast: frIsLastChunk,
    uploadId,
    lastModified,
    digest,
    contentDigest,
    parallelId: isFlow ? (params.flowIdentifier ?? '') : undefined,
  };
}

/** Checks the stated sizes of a chunk. @param size bytes that have arrived; null before that is known */
export function checkChunkSize({ flowCurrentChunkSize }: UploadParams, size: number | null): void {
  if (flowCurrentChunkSize === undefined || size === null || size === flowCurrentChunkSize) return;
  throw invalidParameter('flowCurrentChunkSize', t('api.uploads.size', { parameter: 'flowCurrentChunkSize', size }));
}

/**
 * Rejects a request whose foreign chunk parameters announce a larger whole: a part of it must not become the file.
 * @param chunk the chunk, if it is sent with the parameters of this API; it may have a total of its own
 * @param size bytes of this request that have arrived; null before that is known
 * @throws ApiError `invalid_parameter`
 */
export function checkForeignTotals(params: UploadParams, chunk: UploadChunk | null, size: number | null): void {
  const whole = chunk?.totalSize ?? size;
  for (const name of ['resumableTotalSize', 'dztotalfilesize'] as const) {
    const stated = params[name];
    if (stated === undefined || (whole !== null && /^\d{1,15}$/.test(stated) && Number(stated) === whole)) continue;
    if (whole === null && /^\d{1,15}$/.test(stated)) continue;
    const message =
      whole === null
        ? t('api.uploads.foreignTotal', { parameter: name })
        : t('api.uploads.foreignSize', { parameter: name, size: whole });
    throw invalidParameter(name, message);
  }
  if (chunk !== null) return;
  for (const name of ['resumableTotalChunks', 'dztotalchunkcount', 'chunks'] as const) {
    const stated = params[name];
    if (stated === undefined || /^0*[01]$/.test(stated)) continue;
    throw invalidParameter(name, t('api.uploads.foreignChunks', { parameter: name }));
  }
}
