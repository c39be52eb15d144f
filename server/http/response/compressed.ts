import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import Negotiator from 'negotiator';

/** The smallest first. */
const ENCODINGS = ['br', 'gzip'] as const;

export type Encoding = (typeof ENCODINGS)[number];

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** The smallest encoding that a client accepts, of those we compress with (RFC 9110 §12.5.3); null for none. */
export function encodingFor({ headers }: Pick<IncomingMessage, 'headers'>): Encoding | null {
  // Without the header, any encoding would be allowed, but programs that cannot decode send none.
  if (headers['accept-encoding'] === undefined) return null;
  const accepted = new Negotiator({ headers }).encodings(['br', 'gzip']);
  return ENCODINGS.find((encoding) => accepted.includes(encoding)) ?? null;
}

/** Above this, the best quality would keep the first visitor waiting for seconds. */
const LARGE = 256 * 1024;

/** For bytes that are compressed once. */
export function compressFully(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'gzip') return zip(bytes, { level: 9 });
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: bytes.length > LARGE ? 9 : constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return brotli(bytes, { params });
}

/** For replies that are compressed each time: a few milliseconds for a page, in a thread of its own. */
export function compressQuickly(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'gzip') return zip(bytes, { level: 5 });
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 4,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return brotli(bytes, { params });
}
