// The upload client of a page: a queue that uses the requests of one kind of upload.

import type { RequestError } from '../lib/requests.ts';
import { canRetry, isOpen, type UploadJob } from './job.ts';
import { createQueue, type FailureDecision, type UploadQueue } from './queue.ts';
import { forgetExpired } from './resume-keys.ts';
import { discard, transfer, type UploadEndpoint } from './transfer.ts';

/** Everything that differs between kinds of uploads. */
export interface UploadAdapter<Target> {
  readonly endpoint: UploadEndpoint<Target>;
  isReady(): boolean;
  decide(job: UploadJob<Target>, error: RequestError): FailureDecision | Promise<FailureDecision>;
  /** The message when an upload is resumed. */
  resumed(bytes: number): string;
}

interface UploadListener<Target> {
  onChange(): void;
  onSettled(job: UploadJob<Target>): void;
}

export function createUploadClient<Target>(
  adapter: UploadAdapter<Target>,
  listener: UploadListener<Target>,
): UploadQueue<Target> {
  const { endpoint } = adapter;
  const queue = createQueue<Target>({
    send: (job, signal) => transfer(job, { endpoint, signal, resumed: adapter.resumed, onProgress: listener.onChange }),
    discard: (job) => discard(job, endpoint),
    decide: (job, error) => adapter.decide(job, error),
    isReady: () => adapter.isReady(),
    onChange: listener.onChange,
    onSettled: listener.onSettled,
  });
  addEventListener('online', () => queue.wake());
  forgetExpired();
  return queue;
}

/** The action of a row's button. @param remove removes a finished job from the list */
export function pressJob<Target>(
  queue: UploadQueue<Target>,
  job: UploadJob<Target>,
  remove: () => void = () => queue.remove(job),
): void {
  if (isOpen(job)) queue.cancel(job);
  else if (canRetry(job)) queue.retry(job);
  else remove();
}

/** The name of that action. */
export function verbFor(job: UploadJob): 'cancel' | 'retry' | 'remove' {
  if (isOpen(job)) return 'cancel';
  return canRetry(job) ? 'retry' : 'remove';
}
