// Uploads of a visitor of a link: requests, and the meaning of failures.

import { t } from 'virtual:messages/public-link';
import { LINK_FAILURES } from '../../server/web/public-links/failure-keys.ts';
import { humanSize } from '../lib/human-size.ts';
import { encodeQuery, type QueryValues, type RequestError } from '../lib/requests.ts';
import { isTemporary } from '../upload/backoff.ts';
import type { ChosenFile } from '../upload/chosen-files.ts';
import type { UploadAdapter } from '../upload/client.ts';
import { createJob, modifiedSeconds, type UploadJob } from '../upload/job.ts';
import { refusalOf } from '../upload/limits.ts';
import { putContent, type UploadRequest } from '../upload/put-content.ts';
import type { FailureDecision } from '../upload/queue.ts';
import type { UploadEndpoint } from '../upload/transfer.ts';
import { address, formToken, limits } from './send-form.ts';
import { askForSenderName, refuseSenderName, senderName } from './sender-name.ts';

/** Visitors see only names: the destination path is hidden from them. */
export type SendTarget = null;
export type SendJob = UploadJob<SendTarget>;

const REFUSALS = {
  ...LINK_FAILURES,
  upload_too_large: 'links.send.list.tooLarge',
  too_many_requests: 'links.send.list.tooManyRequests',
  conflict: 'links.send.list.conflict',
} as const;

const refusalText = (code: string): string | null =>
  code in REFUSALS ? t(REFUSALS[code as keyof typeof REFUSALS]) : null;

/** Why this page accepts nothing more. */
export type End = 'ended' | 'stale';

const ENDS: Readonly<Record<string, End>> = {
  link_expired: 'ended',
  link_used_up: 'ended',
  not_found: 'ended',
  permission_denied: 'stale',
};

/** Failures that a retry does not change. */
const FINAL: ReadonlySet<string> = new Set([
  'upload_too_large',
  'type_not_allowed',
  'invalid_parameter',
  'invalid_name',
  'unreadable',
]);

let end: End | null = null;

export const endOfSending = (): End | null => end;

function put({ name, uploadId }: SendJob, values: QueryValues): UploadRequest {
  const query = encodeQuery({ name, key: uploadId, sender: senderName(), ...values });
  return { address: `${address}&${query}`, token: formToken };
}

const endpoint: UploadEndpoint<SendTarget> = {
  whole: (job) => put(job, { lastModified: modifiedSeconds(job.file) }),
  chunk: (job, start) =>
    put(job, { totalSize: job.file.size, startByte: start, lastModified: modifiedSeconds(job.file) }),
  status: (job) => put(job, { getOffset: 1 }),
  hasStatusOfWhole: true,
  discard: (job) => putContent(put(job, { giveUp: 1 }), null),
  identify: ({ name, file }) => [address, name, file.size, file.lastModified],
};

const isMissingSender = ({ code, details }: RequestError) =>
  code === 'missing_parameter' && details.parameter === 'sender';

function decide(_job: SendJob, error: RequestError): FailureDecision {
  const { status, code } = error;
  const ending = Object.hasOwn(ENDS, code) ? ENDS[code] : undefined;
  if (ending !== undefined) {
    end = ending;
    return { kind: 'close' };
  }
  if (isMissingSender(error)) {
    refuseSenderName();
    return { kind: 'requeue' };
  }
  if (code === 'unreadable') return { kind: 'fail', message: t('links.send.list.unreadable'), isFinal: true };
  if (isTemporary(status))
    return { kind: 'back-off', message: () => refusalText(code) ?? t('links.send.list.noAnswer') };
  return { kind: 'fail', message: refusalText(code) ?? t('links.send.list.failed'), isFinal: FINAL.has(code) };
}

export const adapter: UploadAdapter<SendTarget> = {
  endpoint,
  decide,
  isReady() {
    const isKnown = senderName() !== '';
    if (!isKnown) askForSenderName();
    return isKnown;
  },
  resumed: (bytes) => t('links.send.list.resumed', { size: humanSize(bytes) }),
};

export function toJob({ file, path }: ChosenFile): SendJob {
  const refusal = refusalOf(file, limits);
  const message =
    refusal === 'tooLarge'
      ? t('uploads.tooLarge', { size: humanSize(limits.maxBytes) })
      : t('links.errors.typeNotAllowed');
  return createJob({ file, name: path.join('/'), target: null }, refusal === null ? null : message);
}

/** Whether it is the same file again. */
export const isSame = (a: SendJob, b: SendJob): boolean =>
  a.name === b.name && a.file.size === b.file.size && a.file.lastModified === b.file.lastModified;
