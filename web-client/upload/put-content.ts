// One request of an upload.

import { isRecord, RequestError } from '../lib/requests.ts';

export interface UploadRequest {
  readonly address: string;
  readonly token: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The server's reply to a chunk, to a whole file, and to a status query. */
export interface UploadReply {
  /** Bytes stored by the server. */
  readonly offset: number;
  /** Whether the file is published. */
  readonly isComplete: boolean;
}

/**
 * Sends content with XMLHttpRequest, because `fetch` does not report the bytes sent.
 * @param onBytes called with the sent bytes of this request
 * @throws RequestError, also when the signal is aborted
 */
export function putContent(
  { address, token, headers = {} }: UploadRequest,
  body: Blob | null,
  { onBytes, signal }: { onBytes?: (bytes: number) => void; signal?: AbortSignal } = {},
): Promise<UploadReply> {
  const request = new XMLHttpRequest();
  const abort = () => request.abort();
  const reply = new Promise<UploadReply>((resolve, reject) => {
    if (signal?.aborted === true) return reject(aborted());
    request.open('PUT', address);
    request.setRequestHeader('Accept', 'application/json');
    request.setRequestHeader('X-Form-Token', token);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded }) => onBytes?.(loaded);
    request.onload = () => {
      const response: unknown = request.response;
      const isSuccess = request.status >= 200 && request.status < 300 && isRecord(response);
      if (isSuccess) resolve(readReply(response.data));
      else reject(RequestError.fromBody(request.status, response));
    };
    request.onerror = () => reject(new RequestError(0, ''));
    request.onabort = () => reject(aborted());
    signal?.addEventListener('abort', abort);
    request.send(body);
  });
  return reply.finally(() => signal?.removeEventListener('abort', abort));
}

const aborted = () => new RequestError(0, '', 'aborted');

/** The reply to a chunk has the next offset; the reply to a published file has its properties. */
export function readReply(data: unknown): UploadReply {
  if (!isRecord(data)) return { offset: 0, isComplete: true };
  const { offset, isStored, sent } = data;
  if (isStored === true || sent !== undefined || typeof offset !== 'number') return { offset: 0, isComplete: true };
  return { offset, isComplete: false };
}
