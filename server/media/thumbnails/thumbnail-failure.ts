import { ApiError, type ErrorCode } from '../../http/errors.ts';
import { JobError, type JobFailure } from '../../workers/job-error.ts';

type Refusal = readonly [code: ErrorCode, message: string, headers?: Record<string, string>];

const NONE: Refusal = ['unsupported_media', 'There is no thumbnail of this file: it has no picture that can be read.'];

const REFUSALS: Readonly<Record<JobFailure, Refusal>> = {
  unsupported: NONE,
  corrupt: NONE,
  gone: ['not_found', 'There is no such file or folder.'],
  too_large: ['unsupported_media', 'There is no thumbnail of this file: the picture is too large.'],
  timeout: NONE,
  crashed: NONE,
  busy: ['too_many_requests', 'Too many thumbnails at once. Try again in a moment.', { 'Retry-After': '5' }],
  stopped: ['shutting_down', 'Larder is stopping. Try again in a moment.', { 'Retry-After': '5' }],
};

/** Converts the failure of a thumbnail to an ApiError; other errors are passed on. */
export function thumbnailFailure(error: unknown): unknown {
  if (!(error instanceof JobError)) return error;
  const [code, message, headers = {}] = REFUSALS[error.reason];
  return new ApiError(code, message, { headers, cause: error });
}
