import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { RequestHandler } from 'express';
import { sendWhole } from '../../http/response/send-buffer.ts';
import { once } from '../../lib/async/once.ts';

const gzipped = promisify(gzip);

/**
 * A style, script or drawing of the product itself, packed once for everybody who takes it so. Pages are not packed: there are
 * secrets in them beside words of others, which the length of a packed page would tell.
 */
export function productFile({ file, type }: { readonly file: string; readonly type: string }): RequestHandler {
  return packed(() => readFile(file), type);
}

/** A drawing of 40 × 40 with room around it, as large as pictures are shown. */
export function productTile(file: string): RequestHandler {
  const outer = '<svg xmlns="http://www.w3.org/2000/svg" width="160" height="120" viewBox="0 0 160 120">';
  return packed(async () => {
    const inner = (await readFile(file, 'utf8')).replace('<svg ', '<svg x="60" y="40" ');
    return Buffer.from(`${outer}${inner}</svg>`);
  }, 'image/svg+xml');
}

/** The same of a script that is made of words of ours. */
export function productScript(text: string): RequestHandler {
  return packed(async () => Buffer.from(text), 'text/javascript; charset=utf-8');
}

/** The same of what documents of no origin load: they get it as every other site may, which has to be said to be right. */
export function openProductFile(asset: { readonly file: string; readonly type: string }): RequestHandler {
  const send = productFile(asset);
  return (request, response, next) => {
    response.setHeader('Access-Control-Allow-Origin', '*');
    return send(request, response, next);
  };
}

/** What is in a folder of the product. */
export function namesIn(folder: string): Promise<string[]> {
  return readdir(folder);
}

function packed(read: () => Promise<Buffer>, type: string): RequestHandler {
  const content = once(async () => {
    const plain = await read();
    return { plain, packed: await gzipped(plain, { level: 9 }) };
  });
  return async (request, response) => {
    const { plain, packed } = await content();
    response.setHeader('Content-Type', type);
    response.setHeader('Cache-Control', 'public, max-age=3600');
    response.setHeader('Vary', 'Accept-Encoding');
    const takesPacked = request.acceptsEncodings('gzip') === 'gzip';
    if (takesPacked) response.setHeader('Content-Encoding', 'gzip');
    const sent = takesPacked ? packed : plain;
    await sendWhole(response, sent, { isShared: true });
  };
}
