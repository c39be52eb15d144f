import type { ServerResponse } from 'node:http';
import { drained } from '../../lib/async/drain.ts';
import { giveUpOnSilence } from '../connection/idle-timeout.ts';
import { unsent } from '../connection/unsent-bytes.ts';

/** Bytes written to a connection at once. A client that does not read holds this much, and as much again in TLS. */
const CHUNK = 32 * 1_024;

/**
 * Sends a body from memory with back-pressure and ends the reply. Clients that receive the same body hold one chunk each. Sets the
 * length; also resolves when the client disconnects.
 * @param isShared whether the body stays in memory anyway and is not counted
 */
export async function sendBody(
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
