import { SaxesParser } from 'saxes';
import type { Ground } from '../access/secrets.ts';
import type { MadeRequest } from './made-request.ts';

export interface SeenReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

/** Another server, for a while, and no room: what a server may answer although nothing is wrong with it. */
const FINE = [502, 503, 507];
/** What a browser may never run. */
const SANDBOXED = /^\/(?:dav|remote\.php|tus|ocs|index\.php|status\.php|core|avatar|apps)(?:[/?]|$)/;
/** What a browser may show: it runs nothing. */
const SAFE_TYPE = /^(?:image\/(?:png|jpeg|webp)|text\/plain|application\/(?:json|xml)|text\/xml)\b/;

/** @returns what must not be in a reply of a front end for apps, in a sentence, or null */
export function complaintAbout(ground: Ground, sent: MadeRequest, reply: SeenReply): string | null {
  const { status, headers, bytes } = reply;
  if (status >= 500 && !FINE.includes(status)) return 'a failure of the server';
  if (headers['set-cookie'] !== undefined) return 'sets a cookie';
  // A request whose first lines are not read has no address.
  if (SANDBOXED.test(sent.path) && status !== 431) {
    if (headers['content-security-policy'] !== "sandbox; default-src 'none'") return 'has no sandbox';
    if (headers['x-content-type-options'] !== 'nosniff') return 'lets browsers guess the type';
    const isAttachment = headers['content-disposition']?.startsWith('attachment') ?? false;
    const type = headers['content-type'];
    if (type !== undefined && !SAFE_TYPE.test(type) && !isAttachment) return `shows "${type}"`;
  }
  if (sent.method === 'HEAD' || status === 204 || status === 304) return bytes.length === 0 ? null : 'has a body';
  const isWritten = !isFile(sent, headers);
  return (isWritten ? malformed(headers['content-type'] ?? '', bytes) : null) ?? ground.tellsTooMuch(bytes.toString());
}

/** Content of a file, a picture, or the hint for people who open an address of programs. */
function isFile({ method }: MadeRequest, headers: Readonly<Record<string, string>>): boolean {
  const type = headers['content-type'] ?? '';
  return method === 'GET' && (headers['content-disposition'] !== undefined || /^(?:image\/|text\/plain)/.test(type));
}

function malformed(type: string, bytes: Buffer): string | null {
  if (bytes.length === 0) return null;
  const text = bytes.toString();
  if (!bytes.equals(Buffer.from(text))) return 'is not UTF-8';
  try {
    if (/^application\/json\b/.test(type)) JSON.parse(text);
    else if (/^(?:application|text)\/xml\b/.test(type)) parseXml(text);
    else return `is of the type "${type}"`;
  } catch (error) {
    return `is not well-formed: ${String(error)}`;
  }
  return null;
}

/** @throws Error for a document that is not well-formed, or uses a prefix that is not declared */
function parseXml(text: string): void {
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(text).close();
}
