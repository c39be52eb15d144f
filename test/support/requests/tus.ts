import { connect, type TLSSocket } from 'node:tls';
import type { ApiClient, Reply } from './api-client.ts';

type Headers = Record<string, string>;

export const TUS = { 'tus-resumable': '1.0.0' };
export const OFFSET_TYPE = { 'content-type': 'application/offset+octet-stream' };

/** The header `Upload-Metadata`. */
export function metadataOf(values: Record<string, string>): string {
  return Object.entries(values)
    .map(([key, value]) => (value === '' ? key : `${key} ${Buffer.from(value).toString('base64')}`))
    .join(',');
}

/** @param metadata its values as text @param content sent with the creation, if not null */
export function createUpload(
  api: ApiClient,
  length: number,
  metadata: Record<string, string>,
  content: Buffer | null = null,
  more: Headers = {},
): Promise<Reply> {
  return api.send('POST', '/tus/', {
    headers: {
      ...TUS,
      'upload-length': String(length),
      'upload-metadata': metadataOf(metadata),
      ...(content === null ? {} : OFFSET_TYPE),
      ...more,
    },
    ...(content === null ? {} : { body: content }),
  });
}

/** Creates an upload without content. @returns its address */
export async function newUpload(api: ApiClient, length: number, metadata: Record<string, string>): Promise<string> {
  const { status, headers, text } = await createUpload(api, length, metadata);
  if (status !== 201 || headers.location === undefined) throw new Error(`not created: ${status} ${text}`);
  return headers.location;
}

export function patch(
  api: ApiClient,
  address: string,
  offset: number,
  content: Buffer | AsyncIterable<Buffer>,
  more: Headers = {},
): Promise<Reply> {
  return api.send('PATCH', address, {
    headers: { ...TUS, ...OFFSET_TYPE, 'upload-offset': String(offset), ...more },
    body: content as Buffer,
  });
}

export function head(api: ApiClient, address: string): Promise<Reply> {
  return api.send('HEAD', address, { headers: TUS });
}

/** The offset at which an upload continues, or the status of a refusal. */
export async function offsetOf(api: ApiClient, address: string): Promise<number | string> {
  const { status, headers } = await head(api, address);
  return status === 200 ? Number(headers['upload-offset']) : `status ${status}`;
}

export function terminate(api: ApiClient, address: string): Promise<Reply> {
  return api.send('DELETE', address, { headers: TUS });
}

/** A connection on which content is announced and only partly sent. */
export function beginPatch(
  { port, ca, token }: { port: number; ca: string; token: string | undefined },
  address: string,
  { offset, announced, more = '' }: { offset: number; announced: number; more?: string },
): TLSSocket {
  const socket = connect({ port, host: '127.0.0.1', ca });
  socket.on('error', () => undefined);
  socket.write(
    `PATCH ${address} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nTus-Resumable: 1.0.0\r\n` +
      `Content-Type: application/offset+octet-stream\r\nUpload-Offset: ${offset}\r\nContent-Length: ${announced}\r\n${more}\r\n`,
  );
  return socket;
}
