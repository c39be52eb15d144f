// Sends photos with the upload client: each to a name that is free, and never instead of another file.

import { adapter, type FileTarget, refusalText } from '../files/uploads/upload-adapter.ts';
import { createUploadClient, type UploadAdapter } from '../upload/client.ts';
import { createJob, type UploadJob } from '../upload/job.ts';
import type { UploadRequest } from '../upload/put-content.ts';
import type { Photo } from './photo.ts';
import { type Asking, askAll } from './questions.ts';

/** Photos whose names are asked for at once. */
const BATCH = 200;

interface PhotoTarget extends FileTarget {
  readonly photo: Photo;
}
type PhotoJob = UploadJob<PhotoTarget>;

/** Those whose name was taken meanwhile, or which are there already because only the reply was lost. */
const conflicts = new WeakSet<PhotoJob>();

/** The server compares what it received with the digest, and publishes nothing else. */
function checked(request: UploadRequest, { target }: PhotoJob): UploadRequest {
  return {
    ...request,
    address: `${request.address}&sha256=${target.photo.sha256}`,
    headers: { ...request.headers, 'If-None-Match': '*' },
  };
}

const { endpoint } = adapter;

const photoAdapter: UploadAdapter<PhotoTarget> = {
  ...adapter,
  endpoint: {
    ...endpoint,
    whole: (job) => checked(endpoint.whole(job), job),
    chunk: (job, start) => checked(endpoint.chunk(job, start), job),
    identify: (job) => [...endpoint.identify(job), String(job.target.photo.sha256)],
  },
  decide(job, error) {
    if (error.code !== 'precondition_failed' && error.code !== 'conflict') return adapter.decide(job, error);
    conflicts.add(job);
    return { kind: 'fail', message: '', isDiscarded: true };
  },
};

interface Sending extends Asking {
  /** The path of the destination. */
  readonly folder: string;
  /** Those of some photos that are not there yet: another device, or another window, may have sent some. */
  readonly stillMissing: (photos: readonly Photo[]) => Promise<readonly Photo[]>;
  /** Called with every change: photos that are done, and bytes sent of the others. */
  readonly onProgress: (done: number, sentBytes: number) => void;
}

let onChange: () => void = () => undefined;
let onSettled: () => void = () => undefined;

const queue = createUploadClient(photoAdapter, {
  onChange: () => onChange(),
  onSettled: () => onSettled(),
});

/** Goes on after signing in again. */
export const startSending = (): void => queue.start();

/**
 * Sends photos. Why one failed is in its `reason`.
 * @returns those that have to be asked about again, because something else has their name by now
 * @throws RequestError, or the reason of the signal
 */
export async function send(photos: readonly Photo[], sending: Sending): Promise<Photo[]> {
  const { signal, folder, onProgress } = sending;
  const again: Photo[] = [];
  let doneBytes = 0;
  const cancel = () => queue.cancelAll();
  signal.addEventListener('abort', cancel);
  try {
    for (let start = 0; start < photos.length; start += BATCH) {
      const batch = photos.slice(start, start + BATCH);
      // Of the first batch it has just been asked.
      const some = start === 0 ? batch : await sending.stillMissing(batch);
      const known = batch.length - some.length;
      const items = some.map(({ file }) => ({ name: file.name }));
      const names = await askAll('names', folder, items, 'names', sending);
      const jobs = some.map((photo, index) => jobOf(photo, folder, String(names[index] ?? photo.file.name)));
      onChange = () => {
        const ended = jobs.filter(({ state }) => state === 'sent' || state === 'failed').length;
        onProgress(start + known + ended, doneBytes + jobs.reduce((sum, { sent }) => sum + sent, 0));
      };
      await untilSettled(jobs);
      signal.throwIfAborted();
      for (const job of jobs) {
        const { photo } = job.target;
        if (conflicts.has(job)) again.push(photo);
        else photo.reason = job.state === 'failed' ? job.message : '';
        doneBytes += job.sent;
        queue.remove(job);
      }
    }
    return again;
  } finally {
    signal.removeEventListener('abort', cancel);
    onChange = () => undefined;
  }
}

function jobOf(photo: Photo, folder: string, name: string): PhotoJob {
  const { file } = photo;
  const target = { path: `${folder}/${name}`, folder, makesFolders: true, isReplacing: false, photo };
  return createJob({ file, name, target }, refusalText(file));
}

const untilSettled = (jobs: readonly PhotoJob[]): Promise<void> =>
  new Promise((resolve) => {
    onSettled = () => {
      if (!queue.isBusy()) resolve();
    };
    queue.add(jobs);
    // Jobs that this page refused are settled before they begin.
    onSettled();
  });
