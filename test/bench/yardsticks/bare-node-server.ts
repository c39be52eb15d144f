// The least a Node HTTPS server can do: a path is a path below the root, nobody is asked who they are, nothing is
// remembered. GET of a file streams it, GET of a folder (with a slash at its end) lists it, PUT writes a file.
import { createReadStream, createWriteStream, readFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CIPHER } from '../tls.ts';

/** What is fastest for a stream of Node's: with its own 64 KiB a download takes twice the time. */
const PIECE = 256 * 1024;

const [root = '', certificate = '', key = ''] = process.argv.slice(2);

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const place = join(root, request.url ?? '');
  if (request.method === 'PUT') {
    // `flush` is one fsync before the file is closed: it is on the disk when the reply says so.
    await pipeline(request, createWriteStream(place, { flush: true, highWaterMark: PIECE }));
    response.writeHead(201).end();
  } else if (place.endsWith('/')) {
    const body = JSON.stringify(await list(place));
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
      .end(body);
  } else {
    const { size } = await stat(place);
    response.writeHead(200, { 'content-length': size });
    await pipeline(createReadStream(place, { highWaterMark: PIECE }), response);
  }
}

async function list(folder: string) {
  const names = await readdir(folder);
  return Promise.all(
    names.map(async (name) => {
      const { size, mtime } = await stat(join(folder, name));
      return { name, size, date: mtime };
    }),
  );
}

const server = createServer(
  { cert: readFileSync(certificate), key: readFileSync(key), minVersion: 'TLSv1.3', ciphers: CIPHER },
  (request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  },
);
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
process.once('disconnect', () => process.exit());
