import { connect, type TLSSocket } from 'node:tls';
import type { ApiClient, Reply } from './api-client.ts';

/** Sends the bytes `start` to `end` of a content as one piece of its upload. */
export function sendPiece(
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

/** Where an upload in pieces goes on. */
export async function offsetOf(api: ApiClient, path: string): Promise<unknown> {
  const reply = await api.send('PUT', `/api.php/files/upload?path=${encodeURIComponent(path)}&getOffset=1`);
  return reply.status === 200 ? reply.body.data.offset : [reply.status, reply.body.code];
}

/** A connection on which a piece is announced and only a part of it is sent. */
export function beginPiece(
  { port, ca, token }: { port: number; ca: string; token: string | undefined },
  path: string,
  { startByte, totalSize, announced }: { startByte: number; totalSize: number; announced: number },
): TLSSocket {
  const socket = connect({ port, host: '127.0.0.1', ca });
  const query = `path=${encodeURIComponent(path)}&totalSize=${totalSize}&startByte=${startByte}`;
  socket.on('error', () => undefined);
  socket.write(
    `PUT /api.php/files/upload?${query} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${announced}\r\n\r\n`,
  );
  return socket;
}
