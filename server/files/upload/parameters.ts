import { z } from 'zod';
import { invalidParameter, missingParameter } from '../../http/errors.ts';
import { flag, integer, MAX_BYTES, text, virtualPath } from '../../http/request/parameters.ts';
import { t } from '../../messages/messages.ts';
import { checkUploadId, type UploadChunk } from './claim.ts';
import type { RequestDigests } from './content-digest.ts';

/** The last second of the year 9999. */
const LATEST = 253_402_300_799;

const bytes = () => integer({ min: 0, max: MAX_BYTES }).optional();

/** The fields of flow.js, which numbers its chunks from 1 and sends several side by side. */
const flowParams = {
  flowTotalSize: bytes().describe('As totalSize, of clients that use flow.js.'),
  flowChunkNumber: integer({ min: 1, max: MAX_BYTES }).optional().describe('The number of this chunk; 1 is the first.'),
  flowChunkSize: integer({ min: 1, max: MAX_BYTES }).optional().describe('Bytes of every chunk but the last.'),
  flowIdentifier: text().optional().describe('The name of the upload at its client.'),
  flowCurrentChunkSize: bytes().describe('Bytes of this chunk.'),
};

/** The fields of an older chunk protocol: chunks arrive one after the other. */
const frParams = {
  frTotalSize: bytes().describe('As totalSize, of clients that say which chunk is the first and the last.'),
  frIsFirstChunk: flag().optional().describe('Whether the chunk begins the file.'),
  frIsLastChunk: flag().optional().describe('Whether the chunk ends the file.'),
  frGetOffset: flag().default(false).describe('As getOffset.'),
};

/** Totals of other chunk protocols. They are used only to reject contradictions. */
const foreignTotals = {
  resumableTotalSize: text().optional().describe('Refused where it differs from the size of the content.'),
  resumableTotalChunks: text().optional().describe('Refused where it is more than 1.'),
  dztotalfilesize: text().optional().describe('Refused where it differs from the size of the content.'),
  dztotalchunkcount: text().optional().describe('Refused where it is more than 1.'),
  chunks: text().optional().describe('Refused where it is more than 1.'),
};

export const uploadParams = z.object({
  path: virtualPath().optional().describe('The file; its folder has to be there.'),
  filePath: virtualPath().optional().describe('In place of path: the folders that are missing are made.'),
  totalSize: bytes().describe('Of a chunked upload: bytes of the whole file.'),
  startByte: bytes().describe('Where this chunk begins.'),
  uploadId: text()
    .optional()
    .describe('Of a chunked upload: the id that the first reply told, or one that the client has chosen at random.'),
  getOffset: flag().default(false).describe('Asks where the next chunk begins, and sends none.'),
  lastModified: integer({ min: 0, max: LATEST }).optional().describe('The time of the file, in Unix seconds.'),
  sha256: text().optional().describe('The SHA-256 digest of the whole file, in hexadecimal digits.'),
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
