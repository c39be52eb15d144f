// Uploads of a signed-in account: requests, and the meaning of failures.

import { t } from 'virtual:messages/files';
import { humanSize } from '../../lib/human-size.ts';
import { asRequestError, encodeQuery, type QueryValues, type RequestError } from '../../lib/requests.ts';
import { isTemporary } from '../../upload/backoff.ts';
import type { UploadAdapter } from '../../upload/client.ts';
import { modifiedSeconds, type UploadJob } from '../../upload/job.ts';
import { parseTypes, refusalOf } from '../../upload/limits.ts';
import type { UploadRequest } from '../../upload/put-content.ts';
import type { FailureDecision } from '../../upload/queue.ts';
import type { UploadEndpoint } from '../../upload/transfer.ts';
import { account, base, root, session } from '../page.ts';
import { postAction, renewSession } from '../requests.ts';

export interface FileTarget {
  readonly path: string;
  readonly folder: string;
  /** Whether parent folders may be missing. */
  readonly makesFolders: boolean;
  /** Whether the user chose to replace an existing file. */
  readonly isReplacing: boolean;
  /** Whether it is a new version of a file, which has to be there. */
  readonly isVersion?: boolean;
}

export type FileJob = UploadJob<FileTarget>;

const MEGABYTE = 1024 * 1024;

const pathOf = ({ path, makesFolders }: FileTarget): QueryValues => (makesFolders ? { filePath: path } : { path });

function put(job: FileJob, values: QueryValues, headers: Record<string, string> = {}): UploadRequest {
  const query = { ...pathOf(job.target), lastModified: modifiedSeconds(job.file), ...values };
  return { address: `${base}/upload?${encodeQuery(query)}`, token: session.token, headers };
}

const ifThere = ({ target }: FileJob): Record<string, string> => (target.isVersion === true ? { 'If-Match': '*' } : {});

const chunked = ({ uploadId, file }: FileJob): QueryValues => ({ uploadId, totalSize: file.size });

const endpoint: UploadEndpoint<FileTarget> = {
  // If its reply is lost, the file is sent again and must not conflict with itself.
  whole: (job) => put(job, {}, ifThere(job)),
  chunk(job, start) {
    // If the name was free, it is left to a file added there meanwhile.
    const headers = job.target.isReplacing ? ifThere(job) : { 'If-None-Match': '*' };
    return put(job, { ...chunked(job), startByte: start }, headers);
  },
  status: (job) => put(job, { ...chunked(job), getOffset: 1 }),
  hasStatusOfWhole: false,
  discard: ({ target, uploadId }) =>
    postAction('cancel-upload', [
      ['path[]', target.path],
      ['upload_id', uploadId ?? ''],
    ]),
  identify: ({ target, file }) => [account, target.path, file.size, file.lastModified],
};

/** Uploads wait until the user is signed in. */
export const signIn = { isMissing: false, isSomebodyElse: false };

/** The stored bytes when the session was renewed for a job: without progress it is renewed only once. */
const renewals = new WeakMap<FileJob, number>();

const fail = (message: string, isDiscarded = false): FailureDecision => ({ kind: 'fail', message, isDiscarded });

function waitForSignIn({ code }: RequestError): FailureDecision {
  signIn.isMissing = true;
  signIn.isSomebodyElse = code === 'somebody_else';
  return { kind: 'requeue' };
}

/** After signing in again elsewhere, the form token is different. */
async function renewFor(job: FileJob, refusal: RequestError): Promise<FailureDecision> {
  renewals.set(job, job.stored);
  try {
    await renewSession();
    return { kind: 'requeue' };
  } catch (error) {
    const failure = asRequestError(error);
    return failure.status === 401 ? waitForSignIn(failure) : fail(refusal.message);
  }
}

async function decide(job: FileJob, error: RequestError): Promise<FailureDecision> {
  const { status, code, message } = error;
  if (code === 'unreadable') return fail(t('uploads.unreadable'));
  if (code === 'not_found') return fail(t('uploads.noFolder'));
  if (code === 'precondition_failed') {
    return fail(t(job.target.isVersion === true ? 'uploads.versionOfNothing' : 'uploads.nameTaken'), true);
  }
  if (status === 401) return waitForSignIn(error);
  if (code === 'permission_denied' && renewals.get(job) !== job.stored) return renewFor(job, error);
  renewals.delete(job);
  if (!isTemporary(status)) return fail(message === '' ? t('uploads.conflict') : message);
  return {
    kind: 'back-off',
    message: (seconds) =>
      status === 0 ? t('uploads.noAnswer', { seconds }) : t('uploads.retrying', { reason: message, seconds }),
  };
}

export const adapter: UploadAdapter<FileTarget> = {
  endpoint,
  decide,
  isReady: () => !signIn.isMissing,
  resumed: (bytes) => t('uploads.resumed', { size: humanSize(bytes) }),
};

/** @returns why a file cannot be uploaded, as far as the page knows */
export function refusalText(file: File): string | null {
  const { max, types = '' } = root.dataset;
  const maxBytes = Number(max) * MEGABYTE;
  const refusal = refusalOf(file, { maxBytes, types: parseTypes(types) });
  if (refusal === null) return null;
  return refusal === 'tooLarge' ? t('uploads.tooLarge', { size: humanSize(maxBytes) }) : t('uploads.wrongType');
}

/** @returns whether the user is signed in again */
export async function checkSignIn(): Promise<boolean> {
  try {
    await renewSession();
  } catch (error) {
    const { status, code } = asRequestError(error);
    if (status === 401) signIn.isSomebodyElse = code === 'somebody_else';
    return false;
  }
  signIn.isMissing = false;
  return true;
}
