import { ApiError, type ErrorCode } from '../http/errors.ts';
import { JobError, type JobFailure } from '../workers/job-error.ts';
import { MAX_PIXELS } from '../workers/pictures/image-jobs.ts';

type Refusal = readonly [code: ErrorCode, message: string, headers?: Record<string, string>];

const UNREADABLE: Refusal = ['corrupt_file', 'The picture is damaged and cannot be read.'];

const REFUSALS: Readonly<Record<JobFailure, Refusal>> = {
  unsupported: ['unsupported_media', 'Send a picture as JPEG, PNG, WebP, GIF, AVIF or TIFF.'],
  corrupt: UNREADABLE,
  gone: UNREADABLE,
  // An image that hangs or crashes a decoder is not a real photo.
  timeout: UNREADABLE,
  crashed: UNREADABLE,
  too_large: [
    'upload_too_large',
    `The picture is too large: ${MAX_PIXELS / 1_000_000} megapixels at most, and fewer in some kinds of files.`,
  ],
  busy: ['too_many_requests', 'Too many pictures at once. Try again in a moment.', { 'Retry-After': '10' }],
  stopped: ['shutting_down', 'Larder is stopping. Try again in a moment.', { 'Retry-After': '5' }],
};

/** Converts the failure of an image job to an ApiError; other errors are passed on. */
export function pictureFailure(error: unknown): unknown {
  if (!(error instanceof JobError)) return error;
  const [code, message, headers = {}] = REFUSALS[error.reason];
  return new ApiError(code, message, { headers, cause: error });
}
