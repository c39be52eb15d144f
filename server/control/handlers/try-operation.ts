import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { InMemory } from '../../http/in-memory.ts';
import { ANSWER_BYTES } from '../contract/try-operation.ts';

/** Bytes of a reply that are read to determine its length. */
const COUNTED_BYTES = 64 * 1024 * 1024;

export interface Attempt {
  readonly method: string;
  /** The full path of the operation, without its query. */
  readonly path: string;
  /** A host name of this server, with a port if needed. */
  readonly host: string;
  readonly accessToken: string;
  readonly parameters: readonly { readonly name: string; readonly value: string }[];
  readonly file: { readonly name: string; readonly content: Buffer } | null;
  readonly signal: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly milliseconds: number;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  /** The beginning of the body. */
  readonly body: Buffer;
  /** Its length; null if it is too long to count. */
  readonly bytes: number | null;
}

/**
 * Sends a request as an app would: a POST carries a form, a PUT content. @throws when the connection ends before the reply does
 */
export async function tryOperation(server: InMemory, attempt: Attempt): Promise<Answer> {
  const { method, signal } = attempt;
  const { query, headers, body } = await written(attempt);
  const begun = performance.now();
  const response = await server.send({
    method,
    path: query === '' ? attempt.path : `${attempt.path}?${query}`,
    headers: { ...headers, host: attempt.host, authorization: `Bearer ${attempt.accessToken}`, accept: '*/*' },
    body,
    signal,
  });
  const read = await beginningOf(response, method === 'HEAD');
  return {
    status: response.statusCode ?? 0,
    milliseconds: performance.now() - begun,
    headers: pairs(response.rawHeaders),
    ...read,
  };
}

interface Written {
  readonly query: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer | null;
}

async function written({ method, parameters, file }: Attempt): Promise<Written> {
  const form = new URLSearchParams();
  for (const { name, value } of parameters) form.append(name, value);
  if (method === 'PUT') {
    const content = file?.content ?? Buffer.alloc(0);
    const headers = { 'content-type': 'application/octet-stream', 'content-length': content.length };
    return { query: String(form), headers, body: content };
  }
  if (method !== 'POST') return { query: String(form), headers: {}, body: null };
  const sent = new Response(file === null ? form : withFile(parameters, file));
  const body = Buffer.from(await sent.arrayBuffer());
  const headers = { 'content-type': sent.headers.get('content-type') ?? '', 'content-length': body.length };
  return { query: '', headers, body };
}

function withFile(parameters: Attempt['parameters'], file: NonNullable<Attempt['file']>): FormData {
  const form = new FormData();
  for (const { name, value } of parameters) form.append(name, value);
  form.append('file', new Blob([new Uint8Array(file.content)]), file.name);
  return form;
}

async function beginningOf(response: IncomingMessage, isHead: boolean): Promise<Pick<Answer, 'body' | 'bytes'>> {
  const announced = response.headers['content-length'];
  const chunks: Buffer[] = [];
  let kept = 0;
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (kept < ANSWER_BYTES) {
      const part = chunk.subarray(0, ANSWER_BYTES - kept);
      chunks.push(part);
      kept += part.length;
    }
    bytes += chunk.length;
    if (bytes <= ANSWER_BYTES) continue;
    // Leaving the loop destroys the response, so gigabytes that nobody reads are not sent.
    if (announced !== undefined) return { body: Buffer.concat(chunks), bytes: Number(announced) };
    if (bytes > COUNTED_BYTES) return { body: Buffer.concat(chunks), bytes: null };
  }
  return { body: Buffer.concat(chunks), bytes: isHead ? 0 : bytes };
}

function pairs(raw: readonly string[]): Answer['headers'] {
  return Array.from({ length: raw.length / 2 }, (_, at) => ({
    name: (raw[2 * at] ?? '').toLowerCase(),
    value: raw[2 * at + 1] ?? '',
  }));
}
