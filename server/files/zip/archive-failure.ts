import { ApiError, type ErrorCode } from '../../http/errors.ts';
import { newNameProblem } from '../../lib/names/names.ts';
import { t } from '../../messages/messages.ts';
import { type Hazard, MAX_ENTRIES, MAX_RATIO } from '../../workers/archives/archive-jobs.ts';
import { JobError, type JobFailure } from '../../workers/job-error.ts';
import { invalidNameText } from '../create-folder.ts';

type Text =
  | 'api.service.stopping'
  | 'api.archives.damaged'
  | 'api.archives.unsupported'
  | 'api.archives.tooLarge'
  | 'api.archives.timeout'
  | 'api.archives.busy';

type Refusal = readonly [code: ErrorCode, message: Text, headers?: Record<string, string>];

const DAMAGED: Refusal = ['corrupt_file', 'api.archives.damaged'];

const REFUSALS: Readonly<Record<JobFailure, Refusal>> = {
  unsupported: ['unsupported_media', 'api.archives.unsupported'],
  corrupt: DAMAGED,
  gone: DAMAGED,
  crashed: DAMAGED,
  too_large: ['unsafe_archive', 'api.archives.tooLarge'],
  timeout: ['unsafe_archive', 'api.archives.timeout'],
  busy: ['too_many_requests', 'api.archives.busy', { 'Retry-After': '10' }],
  stopped: ['shutting_down', 'api.service.stopping', { 'Retry-After': '5' }],
};

/** Converts the failure of an archive job to an ApiError; other errors are passed on. */
export function archiveFailure(error: unknown): unknown {
  if (!(error instanceof JobError)) return error;
  const [code, message, headers = {}] = REFUSALS[error.reason];
  return new ApiError(code, t(message), { headers, cause: error });
}

/** @param entry where the hazard was found; empty for the archive as a whole */
export function unsafeArchive(hazard: Hazard, entry: string): ApiError {
  const problem =
    hazard === 'name'
      ? entry
          .split('/')
          .map(newNameProblem)
          .find((one) => one !== null)
      : null;
  const message = problem
    ? t('api.archives.unsafeName', { problem: invalidNameText(problem) })
    : t('api.archives.unsafe', { hazard, maxEntries: MAX_ENTRIES, maxRatio: MAX_RATIO });
  return new ApiError('unsafe_archive', message, {
    details: { reason: hazard, ...(entry === '' ? {} : { entry }) },
  });
}
