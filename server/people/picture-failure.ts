import { ApiError, type ErrorCode } from '../http/errors.ts';
import { t } from '../messages/messages.ts';
import { JobError, type JobFailure } from '../workers/job-error.ts';
import { MAX_PIXELS } from '../workers/pictures/image-jobs.ts';

type Text =
  | 'api.service.stopping'
  | 'api.pictures.damaged'
  | 'api.pictures.unsupported'
  | 'api.pictures.tooLarge'
  | 'api.pictures.busy';

type Refusal = readonly [code: ErrorCode, message: Text, headers?: Record<string, string>];

const UNREADABLE: Refusal = ['corrupt_file', 'api.pictures.damaged'];

const REFUSALS: Readonly<Record<JobFailure, Refusal>> = {
  unsupported: ['unsupported_media', 'api.pictures.unsupported'],
  corrupt: UNREADABLE,
  gone: UNREADABLE,
  // An image that hangs or crashes a decoder is not a real photo.
  timeout: UNREADABLE,
  crashed: UNREADABLE,
  too_large: ['upload_too_large', 'api.pictures.tooLarge'],
  busy: ['too_many_requests', 'api.pictures.busy', { 'Retry-After': '10' }],
  stopped: ['shutting_down', 'api.service.stopping', { 'Retry-After': '5' }],
};

/** Converts the failure of an image job to an ApiError; other errors are passed on. */
export function pictureFailure(error: unknown): unknown {
  if (!(error instanceof JobError)) return error;
  const [code, message, headers = {}] = REFUSALS[error.reason];
  return new ApiError(code, t(message, { megapixels: MAX_PIXELS / 1_000_000 }), { headers, cause: error });
}
