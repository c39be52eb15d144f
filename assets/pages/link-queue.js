// The files on their way to a link: several at a time, tried again when the server does not answer, and all stopped with the link.

import { forget as forgetKey, keep, recall } from './link-keys.js';
import { texts } from './link-texts.js';
import { Failure, query } from './requests.js';
import {
  afterConflict,
  hashed,
  isReadable,
  newKey,
  PIECE,
  putContent,
  stopped,
  TEMPORARY,
  WAITS,
  whyNot,
} from './sending.js';
import { fill, sizeIn } from './words.js';

const words = texts.upload;
const AT_A_TIME = 3;
/** After these nothing more of this page is taken. */
const ENDS = { link_expired: 'ended', link_used_up: 'ended', not_found: 'ended', permission_denied: 'stale' };
/** What no further try changes. */
const HOPELESS = new Set(['upload_too_large', 'type_not_allowed', 'invalid_parameter', 'invalid_name', 'unreadable']);

const { upload: address, token, max, types } = document.querySelector('form.send').dataset;
const limit = Number(max);
const allowed = types.split(',').filter(Boolean);

/** Jobs: `{ file, name, state, said, sent, stored, tries, key, isBegun, isHopeless, isRefused }`. */
export const jobs = [];
/**
 * `sender()`: what the visitor is called, as far as that is said; null for somebody who is signed in.
 * `end`: why nothing more is taken, `ended` or `stale`.
 */
export const queue = {
  end: null,
  sender: () => null,
  needsName: () => undefined,
  changed: () => undefined,
  finished: () => undefined,
};

export const humanSize = (bytes) => sizeIn(texts.units, bytes);
export const isOpen = ({ state }) => state === 'waiting' || state === 'sending' || state === 'pausing';
export const canRetry = ({ state, isHopeless }) => queue.end === null && state === 'failed' && !isHopeless;

const isSame = (a, b) =>
  a.name === b.name && a.file.size === b.file.size && a.file.lastModified === b.file.lastModified;

/**
 * @param found files with the way to each
 * @returns how many of them are in the list already: they are not sent twice
 */
export function enqueue(found) {
  let known = 0;
  for (const { file, way } of found) {
    const job = { file, name: way.join('/'), state: 'waiting', said: '', sent: 0, stored: 0, tries: 0 };
    const other = jobs.find((one) => isSame(one, job));
    // Chosen once more is tried once more.
    if (other !== undefined && (isOpen(other) || other.state === 'sent')) {
      known += 1;
      continue;
    }
    if (other !== undefined) jobs.splice(jobs.indexOf(other), 1);
    const why = whyNot(file, limit, allowed);
    if (why !== null)
      Object.assign(job, { state: 'failed', said: fill(words[why], humanSize(limit)), isHopeless: true });
    jobs.push({ ...job, isRefused: why !== null });
  }
  pump();
  return known;
}

export function pump() {
  queue.changed();
  if (queue.end !== null || !jobs.some(({ state }) => state === 'waiting')) return;
  if (queue.sender() === '') {
    queue.needsName();
    return;
  }
  let free = AT_A_TIME - jobs.filter(({ state }) => state === 'sending' || state === 'pausing').length;
  for (const job of jobs) {
    if (free <= 0) break;
    if (job.state !== 'waiting') continue;
    free -= 1;
    void start(job);
  }
}

async function start(job) {
  job.state = 'sending';
  job.said = '';
  try {
    await send(job);
    if (job.state !== 'sending') return;
    job.state = 'sent';
    job.sent = job.file.size;
    queue.finished();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    await afterFailure(job, error);
  }
  pump();
}

function put(job, parameters, body, onBytes) {
  if (job.state !== 'sending') throw stopped();
  const values = { name: job.name, key: job.key, sender: queue.sender() ?? undefined, ...parameters };
  const sending = putContent(`${address}&${query(values)}`, token, body, onBytes);
  job.abort = sending.abort;
  return sending.done;
}

async function send(job) {
  if (job.file.size <= PIECE) return sendWhole(job);
  const { name, file } = job;
  job.kept ??= await hashed([address, name, file.size, file.lastModified].join('\n'));
  const hold = (work) => navigator.locks?.request(`sending ${job.kept}`, { ifAvailable: true }, work) ?? work({});
  // Where another tab sends the same file, this one begins anew: the pieces of two would hinder each other.
  return hold((lock) => sendPieces(job, lock !== null));
}

function onBytes(job, bytes) {
  job.sent = Math.min(bytes, job.file.size);
  // Bytes go: whatever was wrong is over.
  if (bytes > job.stored) job.tries = 0;
  queue.changed();
}

const secondsOf = ({ lastModified }) => Math.max(0, Math.floor(lastModified / 1000));

async function sendWhole(job) {
  job.key ??= newKey();
  // The answer may be all that was lost.
  if (job.isBegun && (await put(job, { getOffset: 1 }, null)).sent !== undefined) return;
  job.isBegun = true;
  await put(job, { lastModified: secondsOf(job.file) }, job.file, (bytes) => onBytes(job, bytes));
}

async function sendPieces(job, mayKeep) {
  const { file, kept } = job;
  const known = mayKeep ? recall(kept) : null;
  let offset = 0;
  job.key ??= known ?? newKey();
  if (job.isBegun || job.key === known) {
    const answer = await put(job, { getOffset: 1 }, null);
    if (answer.sent === undefined) ({ offset } = answer);
    else return forgetKey(kept);
    stored(job, offset);
    if (offset > 0) job.said = fill(words.resumed, humanSize(offset));
  }
  job.isBegun = true;
  if (mayKeep) keep(kept, job.key);
  let conflicts = 0;
  for (;;) {
    const parameters = { totalSize: file.size, startByte: offset, lastModified: secondsOf(file) };
    try {
      const from = offset;
      const piece = file.slice(from, from + PIECE);
      const answer = await put(job, parameters, piece, (bytes) => onBytes(job, from + bytes));
      if (answer.offset === undefined) break;
      offset = answer.offset;
      job.said = '';
    } catch (error) {
      conflicts += 1;
      offset = await afterConflict(error, conflicts, words.refused.conflict);
    }
    stored(job, offset);
  }
  if (mayKeep) forgetKey(kept);
}

function stored(job, bytes) {
  job.sent = bytes;
  job.stored = bytes;
  queue.changed();
}

async function afterFailure(job, error) {
  if (error.code === 'stopped' || job.state !== 'sending') return;
  job.sent = job.stored;
  const code = error.status === 0 && !(await isReadable(job.file)) ? 'unreadable' : error.code;
  if (code in ENDS) return endAll(ENDS[code]);
  if (code === 'missing_parameter' && error.details.parameter === 'sender') {
    job.state = 'waiting';
    return queue.needsName();
  }
  if (code !== 'unreadable' && TEMPORARY.has(error.status)) return pause(job, words.refused[code] ?? words.noAnswer);
  job.state = 'failed';
  job.said = code === 'unreadable' ? words.unreadable : (words.refused[code] ?? words.failed);
  job.isHopeless = HOPELESS.has(code);
  queue.finished();
}

async function pause(job, why) {
  job.state = 'pausing';
  job.said = why;
  queue.changed();
  const wait = WAITS[Math.min(job.tries, WAITS.length - 1)] * 1_000;
  job.tries += 1;
  await new Promise((resolve) => {
    job.wake = resolve;
    setTimeout(resolve, wait);
  });
  if (job.state === 'pausing') again(job);
}

/** The network is back. */
addEventListener('online', () => {
  for (const job of jobs) if (job.state === 'pausing') job.wake();
});

function again(job) {
  job.state = 'waiting';
  job.said = '';
}

/** One message says it for all of them. What has come of each stays there, for another time. */
function endAll(why) {
  queue.end = why;
  for (const job of jobs.filter(isOpen)) {
    halt(job, 'failed');
    job.isHopeless = true;
  }
  queue.finished();
}

function halt(job, state) {
  job.state = state;
  job.said = '';
  job.wake?.();
  job.abort?.();
}

export function retry(job) {
  job.tries = 0;
  again(job);
  pump();
}

export function cancel(job) {
  halt(job, 'cancelled');
  job.sent = 0;
  job.stored = 0;
  // What has come of it would take room until it is given up.
  if (job.kept !== undefined && job.isBegun) {
    forgetKey(job.kept);
    const values = { name: job.name, key: job.key, sender: queue.sender() ?? undefined, giveUp: 1 };
    void putContent(`${address}&${query(values)}`, token, null).done.catch(() => undefined);
  }
  job.isBegun = false;
  job.key = undefined;
  queue.finished();
  pump();
}

export function remove(job) {
  jobs.splice(jobs.indexOf(job), 1);
  queue.changed();
}
