import { ApiError, invalidParameter } from '../../http/errors.ts';
import { t } from '../../messages/messages.ts';

/** A chunk that leaves a gap: the chunks before it may still arrive. */
export class ChunkGap extends ApiError {}

/** More bytes than the client announced. */
export function tooLong(): ApiError {
  return invalidParameter('totalSize', t('api.uploads.totalTooSmall'));
}

/** The client continues at this byte. */
export function continuesAt(offset: number, totalSize: number): ApiError {
  const message =
    offset > 0
      ? t('api.uploads.continuesAt', { offset, total: totalSize })
      : t('api.uploads.startsAt', { total: totalSize });
  return new ApiError('conflict', message, { details: { offset, totalSize } });
}

/** A chunk of a created upload begins elsewhere. */
export function wrongOffset(offset: number, totalSize: number): ApiError {
  return new ApiError('conflict', t('api.uploads.continuesAt', { offset, total: totalSize }), {
    details: { offset, totalSize },
  });
}

/** A created upload has expired, or was removed. */
export function uploadGone(): ApiError {
  return new ApiError('not_found', t('api.uploads.gone'), { status: 410 });
}

/** The chunk may belong to another content: only a start from the first byte is safe. */
export function ambiguous(totalSize: number): ApiError {
  return new ApiError('conflict', t('api.uploads.ambiguous'), { details: { offset: 0, totalSize } });
}
