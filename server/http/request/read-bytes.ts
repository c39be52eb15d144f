import type { Readable } from 'node:stream';
import { MEGABYTE } from '../../lib/bytes.ts';
import { t } from '../../messages/messages.ts';
import { ApiError } from '../errors.ts';

/**
 * A whole content in memory: for small ones only. The source is not destroyed when it is refused, so that an answer can
 * still be sent.
 * @param limit bytes
 * @throws ApiError `upload_too_large` as soon as the limit is exceeded, `malformed_body` when the body is cut off
 */
export async function readBytes(source: Readable, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limit) throw uploadTooLarge(limit);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError('malformed_body', t('api.requests.cutOff'), { cause: error });
  }
  return Buffer.concat(chunks, size);
}

/** @param limit bytes, of whole megabytes */
export function uploadTooLarge(limit: number): ApiError {
  return new ApiError('upload_too_large', t('api.requests.contentTooLarge', { megabytes: limit / MEGABYTE }), {
    details: { limit },
  });
}
