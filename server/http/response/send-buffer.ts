import type { ServerResponse } from 'node:http';
import { drained } from '../../lib/async/drained.ts';
import { giveUpOnSilence } from '../connection/idle-timeout.ts';
import { unsent } from '../connection/unsent.ts';

/** Bytes that are given to a connection at once: what a client that does not read keeps in its buffers, once more with TLS. */
const CHUNK = 32 * 1_024;

/**
 * Ends a reply with a body that is in memory already, no faster than the client takes it. Of a body that many clients get,
 * each of them keeps one chunk only. Sets the length; resolves also when the client goes away.
 * @param isShared whether the body is in memory anyway, and counts for nobody
 */
export async function sendWhole(
  response: ServerResponse,
  body: string | Buffer,
  { isShared = false }: { readonly isShared?: boolean } = {},
): Promise<void> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  response.setHeader('Content-Length', bytes.length);
  if (bytes.length <= CHUNK || response.req.method === 'HEAD') {
    response.end(response.req.method === 'HEAD' ? undefined : bytes);
    return;
  }
  giveUpOnSilence(response.req, response);
  const { socket } = response.req;
  const counted = isShared ? 0 : bytes.length;
  unsent.hold(socket, counted);
  try {
    await sendChunks(response, bytes);
  } finally {
    unsent.hold(socket, -counted);
  }
  if (!response.destroyed) response.end();
}

/**
 * Writes bytes that are in memory, chunk by chunk, and does not end the reply.
 * @returns whether all of them were written; false when the client has gone
 */
export async function sendChunks(response: ServerResponse, bytes: Uint8Array): Promise<boolean> {
  for (let start = 0; start < bytes.length; start += CHUNK) {
    if (response.destroyed) return false;
    if (!response.write(bytes.subarray(start, start + CHUNK)) && !(await drained(response))) return false;
  }
  return true;
}
