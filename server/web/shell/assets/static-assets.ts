import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { RequestHandler } from 'express';
import { compressFully, type Encoding, encodingFor } from '../../../http/response/compressed.ts';
import { sendBody } from '../../../http/response/send-buffer.ts';
import { once } from '../../../lib/async/once.ts';

/** How long browsers cache what is the same for everyone: an hour, or permanently if the name changes with the content. */
const CACHED = 'public, max-age=3600';
const IMMUTABLE = 'public, max-age=31536000, immutable';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

interface ProductFile {
  readonly file: string;
  readonly type: string;
}

/** A static style, script or drawing, compressed once. */
export function productFile({ file, type }: ProductFile): RequestHandler {
  return packed(() => readFile(file), type);
}

/** A built style or script whose name contains a hash of its content. */
export function hashedFile(file: string): RequestHandler {
  const type = TYPES[extname(file)];
  if (type === undefined) throw new Error(`no type is known for ${file}`);
  return packed(() => readFile(file), type, IMMUTABLE);
}

/** A drawing of 40 × 40 with a margin, scaled to the size of thumbnails. */
export function productTile(file: string): RequestHandler {
  const outer = '<svg xmlns="http://www.w3.org/2000/svg" width="160" height="120" viewBox="0 0 160 120">';
  return packed(async () => {
    const inner = (await readFile(file, 'utf8')).replace('<svg ', '<svg x="60" y="40" ');
    return Buffer.from(`${outer}${inner}</svg>`);
  }, 'image/svg+xml');
}

/** The same for assets of documents with an opaque origin, which need cross-origin access. */
export function openToAll(send: RequestHandler): RequestHandler {
  return (request, response, next) => {
    response.setHeader('Access-Control-Allow-Origin', '*');
    return send(request, response, next);
  };
}

/** The names in a folder of static assets. */
export function namesIn(folder: string): Promise<string[]> {
  return readdir(folder);
}

/** Serves the file that a request names. Names are looked up, never made into paths. */
export function lookUp(find: () => Promise<ReadonlyMap<string, RequestHandler>>): RequestHandler {
  return async (request, response, next) => {
    const send = (await find()).get(request.path);
    if (send === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) return next();
    return send(request, response, next);
  };
}

function packed(read: () => Promise<Buffer>, type: string, caching = CACHED): RequestHandler {
  const plain = once(read);
  const packedAs = {
    br: once(async () => compressFully(await plain(), 'br')),
    gzip: once(async () => compressFully(await plain(), 'gzip')),
  } satisfies Record<Encoding, () => Promise<Buffer>>;
  return async (request, response) => {
    response.setHeader('Content-Type', type);
    response.setHeader('Cache-Control', caching);
    response.setHeader('Vary', 'Accept-Encoding');
    const encoding = encodingFor(request);
    if (encoding !== null) response.setHeader('Content-Encoding', encoding);
    const sent = encoding === null ? await plain() : await packedAs[encoding]();
    await sendBody(response, sent, { isShared: true });
  };
}
