// One request of an upload.

import { isRecord, RequestError } from '../lib/requests.ts';

export interface UploadRequest {
  readonly address: string;
  readonly token: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the server says to a chunk, to a whole file, and when it is asked how far an upload has come. */
export interface UploadReply {
  /** Bytes that the server has. */
  readonly offset: number;
  /** Whether the file is published. */
  readonly isComplete: boolean;
}

/**
 * Sends content. `fetch` does not say how many bytes have left.
 * @param onBytes called with the bytes of this request that have left
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

/** A chunk that is followed by others is answered with an offset; a published file with what it has become. */
export function readReply(data: unknown): UploadReply {
  if (!isRecord(data)) return { offset: 0, isComplete: true };
  const { offset, isStored, sent } = data;
  if (isStored === true || sent !== undefined || typeof offset !== 'number') return { offset: 0, isComplete: true };
  return { offset, isComplete: false };
}
