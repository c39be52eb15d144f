import { connect, type TLSSocket } from 'node:tls';
import { type ApiClient, encodeQuery, type Reply } from './api-client.ts';

/** Sends the bytes `start` to `end` of a content as one chunk of its upload. */
export function sendChunk(
  api: ApiClient,
  path: string,
  content: Buffer,
  start: number,
  end = content.length,
  more: Record<string, string | number> = {},
): Promise<Reply> {
  const query = { path, totalSize: content.length, startByte: start, ...more };
  return api.put(query, content.subarray(start, end));
}

/** The offset at which a chunked upload continues. @param more what identifies it: its id, or properties of its content */
export async function offsetOf(
  api: ApiClient,
  path: string,
  more: Record<string, string | number> = {},
): Promise<unknown> {
  const reply = await api.send('PUT', `/api.php/files/upload?${encodeQuery({ path, getOffset: 1, ...more })}`);
  return reply.status === 200 ? reply.body.data.offset : [reply.status, reply.body.code];
}

/** A connection on which a chunk is announced and only partly sent. */
export function beginChunk(
  { port, ca, token }: { port: number; ca: string; token: string | undefined },
  path: string,
  { announced, ...chunk }: { startByte: number; totalSize: number; announced: number; uploadId?: string },
): TLSSocket {
  const socket = connect({ port, host: '127.0.0.1', ca });
  const query = encodeQuery({ path, ...chunk });
  socket.on('error', () => undefined);
  socket.write(
    `PUT /api.php/files/upload?${query} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${announced}\r\n\r\n`,
  );
  return socket;
}
