import type { ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { giveUpOnSilence } from '../http/connection/idle-timeout.ts';
import { sendBody } from '../http/response/send-buffer.ts';
import { drained } from '../lib/async/drain.ts';
import { DAV, NEXTCLOUD, OWNCLOUD } from './xml/xml-tree.ts';

/** Entries from which on a reply is too long to be stored: a response element takes more than 400 bytes. */
export const MAX_ENTRIES = 10_000;
/** Characters that are gathered before they are written. */
const CHUNK = 64 * 1024;
/** Milliseconds without other work of the event loop. */
const SLICE = 5;

const HEAD = `<?xml version="1.0" encoding="utf-8"?><d:multistatus xmlns:d="${DAV}" xmlns:oc="${OWNCLOUD}" xmlns:nc="${NEXTCLOUD}">`;
const TAIL = '</d:multistatus>';

/** The parts of a `multistatus` body (RFC 4918 §13). @param write the `response` element of a resource */
export function* multistatus<Resource>(
  resources: Iterable<Resource>,
  write: (resource: Resource) => string,
): Generator<string> {
  yield HEAD;
  for (const resource of resources) yield write(resource);
  yield TAIL;
}

/** The same where the elements are written in batches. */
export async function* multistatusOfBatches(batches: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  yield HEAD;
  for await (const elements of batches) yield* elements;
  yield TAIL;
}

/** Sends a body from memory, or streams its parts with back-pressure. */
export async function sendMultistatus(
  response: ServerResponse,
  body: Buffer | Iterable<string> | AsyncIterable<string>,
): Promise<void> {
  response.statusCode = 207;
  response.setHeader('Content-Type', 'application/xml; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store');
  if (Buffer.isBuffer(body)) return sendBody(response, body, { isShared: true });
  let isLong = false;
  let since = performance.now();
  let last = '';
  for await (const chunk of Symbol.iterator in body ? joined(body) : joinedLater(body)) {
    if (last !== '') {
      if (!isLong) giveUpOnSilence(response.req, response);
      isLong = true;
      if (response.destroyed) return;
      if (!response.write(last) && !(await drained(response))) return;
    }
    last = chunk;
    if (performance.now() - since <= SLICE) continue;
    await turn();
    since = performance.now();
  }
  if (!isLong) return sendBody(response, last);
  if (!response.destroyed) response.end(last);
}

/** The same text in long pieces, none of them empty: a promise for each part would cost more than the part. */
function* joined(parts: Iterable<string>): Generator<string> {
  let text = '';
  for (const part of parts) {
    text += part;
    if (text.length < CHUNK) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

async function* joinedLater(parts: AsyncIterable<string>): AsyncGenerator<string> {
  let text = '';
  for await (const part of parts) {
    text += part;
    if (text.length < CHUNK) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}
