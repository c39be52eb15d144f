// Where curl is not installed: one request with a large body or a large reply, with which nothing is done.
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { request } from 'node:https';
import { answerJobs } from '../helper.ts';
import { CIPHER } from '../tls.ts';

export interface TransferJob {
  readonly url: string;
  /** The file of the authority that is trusted. */
  readonly authority: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The file to upload; null for a download. */
  readonly upload: string | null;
}

export interface TransferResult {
  readonly seconds: number;
  /** Bytes of content, sent or received. */
  readonly bytes: number;
}

const PIECE = 256 * 1024;

answerJobs<TransferJob, TransferResult>(async ({ url, authority, headers, upload }) => {
  const ca = readFileSync(authority);
  const size = upload === null ? 0 : statSync(upload).size;
  const begin = performance.now();
  const sent = request(url, {
    agent: false,
    ca,
    minVersion: 'TLSv1.3',
    ciphers: CIPHER,
    method: upload === null ? 'GET' : 'PUT',
    headers: { ...headers, ...(upload === null ? {} : { 'content-length': size }) },
  });
  const received = new Promise<number>((resolve, reject) => {
    sent.once('error', reject).once('response', (reply) => {
      const status = reply.statusCode ?? 0;
      let bytes = 0;
      reply.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      reply.once('error', reject).once('end', () => {
        if (status >= 200 && status <= 299) resolve(bytes);
        else reject(new Error(`status ${status} for ${url}`));
      });
    });
  });
  if (upload === null) sent.end();
  // Not a pipeline, which takes the end of a connection right after the reply for a failure.
  else createReadStream(upload, { highWaterMark: PIECE }).pipe(sent);
  const bytes = await received;
  return { seconds: (performance.now() - begin) / 1000, bytes: upload === null ? bytes : size };
});
