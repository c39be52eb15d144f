import { ApiError, type ErrorCode } from '../../http/errors.ts';
import { t } from '../../messages/messages.ts';
import { JobError, type JobFailure } from '../../workers/job-error.ts';

type Text =
  | 'api.access.notFound'
  | 'api.service.stopping'
  | 'api.thumbnails.none'
  | 'api.thumbnails.tooLarge'
  | 'api.thumbnails.busy';

type Refusal = readonly [code: ErrorCode, message: Text, headers?: Record<string, string>];

const NONE: Refusal = ['unsupported_media', 'api.thumbnails.none'];

const REFUSALS: Readonly<Record<JobFailure, Refusal>> = {
  unsupported: NONE,
  corrupt: NONE,
  gone: ['not_found', 'api.access.notFound'],
  too_large: ['unsupported_media', 'api.thumbnails.tooLarge'],
  timeout: NONE,
  crashed: NONE,
  busy: ['too_many_requests', 'api.thumbnails.busy', { 'Retry-After': '5' }],
  stopped: ['shutting_down', 'api.service.stopping', { 'Retry-After': '5' }],
};

/** Converts the failure of a thumbnail to an ApiError; other errors are passed on. */
export function thumbnailFailure(error: unknown): unknown {
  if (!(error instanceof JobError)) return error;
  const [code, message, headers = {}] = REFUSALS[error.reason];
  return new ApiError(code, t(message), { headers, cause: error });
}
