// The transfer of one file: in one request, or in chunks that can be resumed.

import { bestEffort } from '../../server/lib/async/settled.ts';
import { asRequestError, RequestError } from '../lib/requests.ts';
import { sleep } from '../lib/schedule.ts';
import { delayAfterConflict } from './backoff.ts';
import { needsChunks, nextChunk } from './chunks.ts';
import type { UploadJob } from './job.ts';
import { isReadable } from './limits.ts';
import { putContent, type UploadReply, type UploadRequest } from './put-content.ts';
import { forget, hashKey, recall, remember } from './resume-keys.ts';

/** The requests of one kind of upload. */
export interface UploadEndpoint<Target> {
  whole(job: UploadJob<Target>): UploadRequest;
  chunk(job: UploadJob<Target>, start: number): UploadRequest;
  /** Asks how much of an upload the server has. */
  status(job: UploadJob<Target>): UploadRequest;
  /** Whether that is possible for a file sent in one request, too, if its reply was lost. */
  readonly hasStatusOfWhole: boolean;
  /** Frees the space of an unfinished upload on the server. */
  discard(job: UploadJob<Target>): Promise<unknown>;
  /** What identifies the same file with the same destination. */
  identify(job: UploadJob<Target>): readonly (string | number)[];
}

interface TransferOptions<Target> {
  readonly endpoint: UploadEndpoint<Target>;
  readonly signal: AbortSignal;
  readonly onProgress: () => void;
  /** The message when an upload is resumed. */
  readonly resumed: (bytes: number) => string;
}

/**
 * Sends a file and updates its job.
 * @throws RequestError of the server; `unreadable` when the file can no longer be read; `conflict` when it was given up
 */
export async function transfer<Target>(job: UploadJob<Target>, options: TransferOptions<Target>): Promise<void> {
  try {
    if (needsChunks(job.file.size)) await transferLocked(job, options);
    else await transferWhole(job, options);
  } catch (error) {
    const { status } = asRequestError(error);
    const wasCut = status === 0 && !options.signal.aborted;
    if (wasCut && !(await isReadable(job.file))) throw new RequestError(0, '', 'unreadable');
    throw error;
  }
}

async function transferWhole<Target>(job: UploadJob<Target>, options: TransferOptions<Target>): Promise<void> {
  const { endpoint, signal } = options;
  job.uploadId ??= newUploadId();
  if (endpoint.hasStatusOfWhole && job.isStarted) {
    // Maybe only the reply was lost.
    const { isComplete } = await putContent(endpoint.status(job), null, { signal });
    if (isComplete) return;
  }
  job.isStarted = true;
  await putContent(endpoint.whole(job), job.file, { signal, onBytes: progressOf(job, 0, options) });
}

/** If another tab sends the same file, this one begins a separate upload, so that their chunks do not mix. */
async function transferLocked<Target>(job: UploadJob<Target>, options: TransferOptions<Target>): Promise<void> {
  job.resumeKey ??= await hashKey(options.endpoint.identify(job));
  // Available only in secure contexts.
  const locks = navigator.locks as LockManager | undefined;
  if (locks === undefined) return transferChunks(job, options, true);
  await locks.request(`upload ${job.resumeKey}`, { ifAvailable: true }, (lock) =>
    transferChunks(job, options, lock !== null),
  );
}

async function transferChunks<Target>(
  job: UploadJob<Target>,
  options: TransferOptions<Target>,
  mayRemember: boolean,
): Promise<void> {
  const { endpoint, signal } = options;
  // Nothing may be remembered of an upload that was cancelled before it began.
  if (signal.aborted) return;
  const { file } = job;
  const resumeKey = mayRemember ? job.resumeKey : null;
  const known = resumeKey === null ? null : recall(resumeKey);
  job.uploadId ??= known ?? newUploadId();
  let offset = 0;
  if (job.isStarted || job.uploadId === known) {
    const reply = await putContent(endpoint.status(job), null, { signal });
    if (reply.isComplete) {
      if (resumeKey !== null) forget(resumeKey);
      return;
    }
    ({ offset } = reply);
    job.sent = offset;
    job.stored = offset;
    if (offset > 0) job.message = options.resumed(offset);
    options.onProgress();
  }
  job.isStarted = true;
  if (resumeKey !== null) remember(resumeKey, job.uploadId);
  let conflicts = 0;
  let furthest = offset;
  for (;;) {
    const { start, end } = nextChunk(offset, file.size);
    let reply: UploadReply;
    try {
      const onBytes = progressOf(job, start, options);
      reply = await putContent(endpoint.chunk(job, start), file.slice(start, end), { signal, onBytes });
      job.message = '';
    } catch (error) {
      conflicts += 1;
      reply = await afterConflict(asRequestError(error), conflicts, signal);
    }
    if (reply.isComplete) break;
    ({ offset } = reply);
    // Another client that uploads to the same path lets nobody get further; conflicts apart from each other have other causes.
    if (offset > furthest) {
      furthest = offset;
      conflicts = 0;
    }
    job.sent = offset;
    job.stored = offset;
    options.onProgress();
  }
  if (resumeKey !== null) forget(resumeKey);
}

/** Adopts the server's offset. @throws RequestError every other one, and after too many conflicts */
async function afterConflict(error: RequestError, conflicts: number, signal: AbortSignal): Promise<UploadReply> {
  const { offset } = error.details;
  if (error.code !== 'conflict' || typeof offset !== 'number') throw error;
  const delay = delayAfterConflict(conflicts);
  if (delay === null) throw new RequestError(409, '', 'conflict');
  await sleep(delay * 1_000, signal);
  return { offset, isComplete: false };
}

function progressOf<Target>(job: UploadJob<Target>, start: number, { onProgress }: TransferOptions<Target>) {
  return (bytes: number) => {
    job.sent = Math.min(start + bytes, job.file.size);
    // Bytes are being sent, so the failure is over.
    if (job.sent > job.stored) job.attempts = 0;
    onProgress();
  };
}

/** An unfinished upload would occupy space on the server until it expires. */
export function discard<Target>(job: UploadJob<Target>, endpoint: UploadEndpoint<Target>): void {
  if (job.resumeKey !== null && job.isStarted) {
    forget(job.resumeKey);
    void bestEffort(endpoint.discard(job));
  }
  job.isStarted = false;
  job.uploadId = null;
  job.sent = 0;
  job.stored = 0;
}

const newUploadId = (): string => crypto.randomUUID().replaceAll('-', '');
