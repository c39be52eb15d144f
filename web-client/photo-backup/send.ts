// Sends photos with the upload client: each to a name that is free, and never instead of another file.

import { adapter, type FileTarget, refusalText } from '../files/uploads/upload-adapter.ts';
import { groupedBy } from '../lib/grouped-by.ts';
import { createUploadClient, type UploadAdapter } from '../upload/client.ts';
import { createJob, type UploadJob } from '../upload/job.ts';
import type { UploadRequest } from '../upload/put-content.ts';
import type { Photo } from './photo.ts';
import type { Place } from './places.ts';
import { type Asking, askAll } from './questions.ts';

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
  readonly places: ReadonlyMap<Photo, Place>;
  /** Called with every change: photos that were sent, those that could not be stored, and bytes sent. */
  readonly onProgress: (now: { readonly sent: number; readonly failed: number; readonly sentBytes: number }) => void;
}

interface Sent {
  readonly sent: readonly Photo[];
  /** Why is in their `reason`. */
  readonly failed: readonly Photo[];
  /** Those that have to be asked about again, because something else has their name by now. */
  readonly again: readonly Photo[];
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
 * Sends photos that are missing.
 * @throws RequestError, or the reason of the signal
 */
export async function send(photos: readonly Photo[], sending: Sending): Promise<Sent> {
  const { signal, onProgress } = sending;
  const cancel = () => queue.cancelAll();
  signal.addEventListener('abort', cancel);
  try {
    const jobs = await jobsFor(photos, sending);
    onChange = () =>
      onProgress({
        sent: jobs.filter(({ state }) => state === 'sent').length,
        failed: jobs.filter(hasFailed).length,
        sentBytes: jobs.reduce((sum, { sent }) => sum + sent, 0),
      });
    await untilSettled(jobs);
    signal.throwIfAborted();
    for (const job of jobs) {
      if (!conflicts.has(job)) job.target.photo.reason = job.state === 'failed' ? job.message : '';
      queue.remove(job);
    }
    const photosOf = (some: readonly PhotoJob[]) => some.map(({ target }) => target.photo);
    return {
      sent: photosOf(jobs.filter(({ state }) => state === 'sent')),
      failed: photosOf(jobs.filter(hasFailed)),
      again: photosOf(jobs.filter((job) => conflicts.has(job))),
    };
  } finally {
    signal.removeEventListener('abort', cancel);
    onChange = () => undefined;
  }
}

const hasFailed = (job: PhotoJob): boolean => job.state === 'failed' && !conflicts.has(job);

/** One for each photo, with a name that is free in its folder. */
async function jobsFor(photos: readonly Photo[], sending: Sending): Promise<PhotoJob[]> {
  const jobs: PhotoJob[] = [];
  const placed = photos.flatMap((photo) => {
    const place = sending.places.get(photo);
    return place === undefined ? [] : [{ photo, place }];
  });
  for (const [folder, some] of groupedBy(placed, ({ place }) => place.folder)) {
    const items = some.map(({ place: { name, key } }) => (key === null ? { name } : { name, key }));
    const names = await askAll('names', folder, items, 'names', sending);
    for (const [index, { photo, place }] of some.entries()) {
      jobs.push(jobOf(photo, folder, String(names[index] ?? place.name)));
    }
  }
  return jobs;
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
