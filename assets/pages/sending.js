// How contents are brought to the server, and how long that will take.

import { Failure } from './requests.js';
import { fill } from './words.js';

/** Bytes of a piece. A smaller file goes in one. */
export const PIECE = 16 * 1024 * 1024;

/** Seconds until the next try. */
export const WAITS = [1, 2, 5, 10, 20, 30];
/** What passes by itself. */
export const TEMPORARY = new Set([0, 408, 429, 500, 502, 503, 504]);

export const stopped = () => new Failure(0, { error: '', code: 'stopped' });

/**
 * Sends a content, or asks about one.
 * @param onBytes told how many bytes have gone @param headers of the request, beside those of all
 * @returns `{ done, abort }`: `done` is the `data` of the answer, or rejects with a Failure, `stopped` after an abort
 */
export function putContent(address, token, body, onBytes = () => undefined, headers = {}) {
  const request = new XMLHttpRequest();
  const done = new Promise((resolve, reject) => {
    request.open('PUT', address);
    request.setRequestHeader('Accept', 'application/json');
    request.setRequestHeader('X-Form-Token', token);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded }) => onBytes(loaded);
    request.onload = () => {
      const { status, response } = request;
      if (status >= 200 && status < 300 && response !== null) resolve(response.data);
      else reject(new Failure(status, response));
    };
    request.onerror = () => reject(new Failure(0));
    request.onabort = () => reject(stopped());
    request.send(body);
  });
  return { done, abort: () => request.abort() };
}

/** How often the server may say in all that an upload continues elsewhere, before it is given up. */
const MOST_CONFLICTS = 4;

/**
 * Waits after a conflict, longer each time.
 * @param count how many there were, with this one @param why what is said in the end
 * @returns where the upload continues: the server knows better how far it has come @throws Failure of any other kind
 */
export async function afterConflict(error, count, why) {
  const { offset } = error.details ?? {};
  if (error.code !== 'conflict' || offset === undefined) throw error;
  if (count > MOST_CONFLICTS) throw new Failure(409, { error: why, code: 'conflict' });
  await new Promise((resolve) => setTimeout(resolve, WAITS[count - 1] * 1_000));
  return offset;
}

/** The id of a chunked upload. */
export const newKey = () => crypto.randomUUID().replaceAll('-', '');

/** Why a file cannot go, as far as that is known here. @param limit bytes, 0 for none @param types extensions, none for all */
export function whyNot({ name, size }, limit, types) {
  if (limit > 0 && size > limit) return 'tooLarge';
  const isAllowed = types.length === 0 || types.some((type) => name.toLowerCase().endsWith(`.${type}`));
  return isAllowed ? null : 'wrongType';
}

/** What was chosen may have been changed or taken away meanwhile. */
export async function isReadable(file) {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

/** What something is kept under that is not for the next person in this browser to read. */
export async function hashed(text) {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** How long the rest will take, by what has gone since the first question. @param words one sentence for each length */
export function estimate(words) {
  let startedAt = 0;
  let sentBefore = 0;
  return {
    reset() {
      startedAt = 0;
    },
    /** @returns nothing for the first seconds */
    left(sent, total) {
      const now = performance.now();
      if (startedAt === 0) [startedAt, sentBefore] = [now, sent];
      const seconds = (now - startedAt) / 1_000;
      const speed = (sent - sentBefore) / seconds;
      if (seconds < 3 || speed <= 0) return '';
      const left = (total - sent) / speed;
      if (left < 20) return words.seconds;
      if (left < 90) return words.minute;
      return left < 5_400 ? fill(words.minutes, Math.round(left / 60)) : fill(words.hours, Math.round(left / 3_600));
    },
  };
}
