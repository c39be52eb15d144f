import { ApiError, type ErrorCode } from '../../http/errors.ts';
import { newNameProblem } from '../../lib/names/names.ts';
import { type Hazard, MAX_ENTRIES, MAX_RATIO } from '../../workers/archives/archive-jobs.ts';
import { JobError, type JobFailure } from '../../workers/job-error.ts';

type Refusal = readonly [code: ErrorCode, message: string, headers?: Record<string, string>];

const DAMAGED: Refusal = ['corrupt_file', 'The archive is damaged, and nothing of it was unpacked.'];

const REFUSALS: Readonly<Record<JobFailure, Refusal>> = {
  unsupported: ['unsupported_media', 'This is no ZIP archive, or one that is packed in an unusual way.'],
  corrupt: DAMAGED,
  gone: DAMAGED,
  crashed: DAMAGED,
  too_large: ['unsafe_archive', 'The archive is not unpacked: its directory is too large.'],
  timeout: ['unsafe_archive', 'The archive is not unpacked: that takes too long.'],
  busy: ['too_many_requests', 'Too many archives at once. Try again in a moment.', { 'Retry-After': '10' }],
  stopped: ['shutting_down', 'Larder is stopping. Try again in a moment.', { 'Retry-After': '5' }],
};

const HAZARD_TEXTS: Readonly<Record<Hazard, string>> = {
  special: 'it holds a link, a device, or something else that is neither file nor folder',
  path: 'it holds a path that leads elsewhere',
  name: 'it holds a name that no new file may have',
  too_deep: 'it holds a path that is too long for the folder it would go to',
  duplicate: 'it holds two entries that have the same name on some system',
  encrypted: 'it is encrypted',
  too_many: `it holds more than ${MAX_ENTRIES} files and folders`,
  too_large: 'unpacked it takes more than 2 GB',
  ratio: `unpacked it takes more than ${MAX_RATIO} times the room`,
  overlap: 'its entries overlap',
  contradiction: 'it says different things of one entry',
};

/** Converts the failure of an archive job to an ApiError; other errors are passed on. */
export function archiveFailure(error: unknown): unknown {
  if (!(error instanceof JobError)) return error;
  const [code, message, headers = {}] = REFUSALS[error.reason];
  return new ApiError(code, message, { headers, cause: error });
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
  const why = problem ? `${HAZARD_TEXTS.name}, because it ${problem}` : HAZARD_TEXTS[hazard];
  return new ApiError('unsafe_archive', `The archive is not unpacked: ${why}.`, {
    details: { reason: hazard, ...(entry === '' ? {} : { entry }) },
  });
}
