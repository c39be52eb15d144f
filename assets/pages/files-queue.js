// The files on their way: several at a time, tried again when the server does not answer, waiting while nobody is signed in.

import { Failure, fill, humanSize, renewSession, root, texts } from './files-common.js';
import { send } from './files-send.js';
import { TEMPORARY, WAITS, whyNot } from './sending.js';

const AT_A_TIME = 3;
const MEGABYTE = 1024 * 1024;

/** Jobs: `{ file, path, folder, name, makesFolders, replaces, state, sent, said, tries }`. */
export const jobs = [];
export const queue = { isSignedOut: false, isSomebodyElse: false, changed: () => undefined, finished: () => undefined };

export const isOpen = ({ state }) => state === 'waiting' || state === 'sending' || state === 'pausing';

export function enqueue(more) {
  for (const job of more) {
    const why = refusal(job.file);
    jobs.push({
      ...job,
      state: why === null ? 'waiting' : 'failed',
      said: why ?? '',
      sent: 0,
      stored: 0,
      tries: 0,
      isHopeless: why !== null,
    });
  }
  pump();
}

/** Why a file cannot go, as far as that is known here. */
function refusal(file) {
  const { max, types } = root.dataset;
  const limit = Number(max) * MEGABYTE;
  const allowed = types
    .split(',')
    .map((type) =>
      type
        .trim()
        .toLowerCase()
        .replace(/^\*?\.+/, ''),
    )
    .filter(Boolean);
  const why = whyNot(file, limit, allowed);
  return why === null ? null : fill(texts.upload[why], humanSize(limit));
}

function pump() {
  if (!queue.isSignedOut) {
    let free = AT_A_TIME - jobs.filter(({ state }) => state === 'sending' || state === 'pausing').length;
    for (const job of jobs) {
      if (free <= 0) break;
      if (job.state !== 'waiting') continue;
      free -= 1;
      void start(job);
    }
  }
  queue.changed();
}

async function start(job) {
  job.state = 'sending';
  job.said = '';
  const sending = send(job, {
    progress(bytes) {
      job.sent = Math.min(bytes, job.file.size);
      // Bytes go: whatever was wrong is over.
      if (bytes > 0) job.tries = 0;
      queue.changed();
    },
    stored(bytes) {
      job.sent = bytes;
      job.stored = bytes;
      job.said = '';
      job.isRenewed = false;
    },
    resumed(bytes) {
      job.sent = bytes;
      job.stored = bytes;
      job.said = fill(texts.upload.resuming, humanSize(bytes));
    },
  });
  job.stop = sending.stop;
  job.giveUp = sending.giveUp;
  try {
    await sending.done;
    job.state = 'sent';
    job.sent = job.file.size;
    queue.finished(job);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    await afterFailure(job, error);
  }
  pump();
}

async function afterFailure(job, error) {
  if (error.code === 'stopped') return;
  job.sent = job.stored;
  if (error.code === 'unreadable') return fail(job, texts.upload.unreadable);
  if (error.code === 'not_found') return fail(job, texts.upload.noFolder);
  if (error.status === 401) return signedOut(job, error);
  if (error.code === 'permission_denied' && !job.isRenewed) {
    // Signed in again elsewhere: what the page has to carry is another one.
    job.isRenewed = true;
    return renewSession().then(
      () => again(job),
      (failure) => (failure.status === 401 ? signedOut(job, failure) : fail(job, error.message)),
    );
  }
  if (!TEMPORARY.has(error.status)) return fail(job, error.message);
  job.state = 'pausing';
  let left = WAITS[Math.min(job.tries, WAITS.length - 1)];
  job.tries += 1;
  await new Promise((resolve) => {
    job.stop = resolve;
    const tick = () => {
      if (left <= 0 || job.state !== 'pausing') return resolve();
      job.said =
        error.status === 0 ? fill(texts.upload.lost, left) : `${error.message} ${fill(texts.upload.trying, left)}`;
      queue.changed();
      left -= 1;
      setTimeout(tick, 1_000);
    };
    tick();
  });
  if (job.state === 'pausing') again(job);
}

function again(job) {
  job.state = 'waiting';
  job.said = '';
}

function fail(job, why) {
  job.state = 'failed';
  job.said = why;
  queue.finished(job);
}

function signedOut(job, { code }) {
  again(job);
  queue.isSignedOut = true;
  queue.isSomebodyElse = code === 'somebody_else';
}

/** @returns whether somebody is signed in again; everything goes on then */
export async function goOn() {
  if (!queue.isSignedOut) return true;
  try {
    await renewSession();
  } catch ({ status, code }) {
    if (status === 401) queue.isSomebodyElse = code === 'somebody_else';
    queue.changed();
    return false;
  }
  queue.isSignedOut = false;
  pump();
  return true;
}

export function retry(job) {
  job.tries = 0;
  job.isRenewed = false;
  again(job);
  pump();
}

function stop(job) {
  job.state = 'cancelled';
  job.said = '';
  job.stop?.();
  job.giveUp?.();
}

export function cancel(job) {
  if (isOpen(job)) stop(job);
  pump();
}

/** Nothing goes any more, and nothing is said of what went. */
export function cancelAll() {
  for (const job of jobs.splice(0)) if (isOpen(job)) stop(job);
  queue.isSignedOut = false;
  queue.changed();
}

export function forget(job) {
  jobs.splice(jobs.indexOf(job), 1);
  queue.changed();
}
