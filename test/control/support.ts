import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type pino from 'pino';
import { openLarder } from '../../dist/server/composition/larder.js';
import { parseConfig } from '../../dist/server/config/config.js';
import { createLog } from '../../dist/server/lib/log/log.js';

/** An installation without an owner, on a folder of its own. Nothing listens. */
export async function emptyInstallation(files: readonly string[] = []) {
  const folder = await mkdtemp(join(tmpdir(), 'larder-test-'));
  for (const file of files) {
    await mkdir(dirname(join(folder, 'homes', file)), { recursive: true });
    await writeFile(join(folder, 'homes', file), 'content');
  }
  const log = createLog('debug', { write: () => undefined } as unknown as pino.DestinationStream);
  const flags = { folder, port: 0, httpPort: 0, controlPort: 0, host: '127.0.0.1' };
  const larder = await openLarder({ config: parseConfig(flags, {}), log });
  return {
    folder,
    larder,
    dispatch: (method: string, input: unknown) => larder.dispatcher.dispatch(method, input),
    async close() {
      await larder.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The code, field and sentence of a method's refusal; the result if it was not refused. */
export const refusalOf = (work: Promise<unknown>) =>
  work.then(
    (result) => ({ result }),
    ({ code, field, message }) => ({ code, field, message }),
  );

export interface PlainReply {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
  readonly body: any;
}

/** Plain HTTP with every header as the test says, `Host` too. */
export function send(
  port: number,
  method: string,
  path: string,
  { headers = {}, body }: { headers?: http.OutgoingHttpHeaders; body?: string } = {},
): Promise<PlainReply> {
  return new Promise((resolve, reject) => {
    const request = http.request({ port, host: '127.0.0.1', method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const isJson = response.headers['content-type']?.startsWith('application/json') ?? false;
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          body: isJson && text !== '' ? JSON.parse(text) : {},
        });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}
