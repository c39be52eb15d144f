import { readStart } from '../inherited-file.ts';
import { JobError } from '../job-error.ts';
import { decoderOf, decodeText } from './encoding.ts';
import { HTML, writeMarkup } from './html.ts';
import type { ReadText, TextSink } from './sink.ts';

/** Longer messages consist mostly of attachments. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Nesting of parts, and number of sibling parts. */
const MAX_DEPTH = 10;
const MAX_PARTS = 1_000;
/** Headers that people search for. */
const READ_HEADERS = ['subject', 'from', 'to', 'cc', 'date'];

/** A message or a part of one (RFC 2045). Bytes are kept as Latin-1 characters, because each part has its own encoding. */
interface Part {
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** An e-mail message: sender, recipients, subject, texts, and the names of attachments. */
export const readMail: ReadText = async (fd, size, sink) => {
  const bytes = readStart(fd, size, MAX_BYTES);
  const message = partOf(bytes.toString('latin1'));
  if (message.headers.size === 0) throw new JobError('unsupported', 'no message');
  readMessage(message, sink, 0);
};

function readMessage(message: Part, sink: TextSink, depth: number): void {
  for (const name of READ_HEADERS) sink.add(`${headerText(message.headers.get(name) ?? '')}\n`);
  readPart(message, sink, depth);
}

function readPart(part: Part, sink: TextSink, depth: number): void {
  if (depth > MAX_DEPTH) return;
  const contentType = part.headers.get('content-type') ?? 'text/plain';
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const disposition = part.headers.get('content-disposition') ?? '';
  const name = parameter(disposition, 'filename') ?? parameter(contentType, 'name');
  if (name !== null) sink.add(`${headerText(name)}\n`);
  const boundary = parameter(contentType, 'boundary');
  if (type.startsWith('multipart/') && boundary !== null) {
    for (const chunk of chunksOf(part.body, boundary)) readPart(partOf(chunk), sink, depth + 1);
  } else if (type === 'message/rfc822') {
    readMessage(partOf(part.body), sink, depth + 1);
  } else if (type === 'text/plain' || type === 'text/html') {
    const text = textOf(part, parameter(contentType, 'charset'));
    if (type === 'text/html') writeMarkup(text, sink, HTML);
    else sink.add(text);
    sink.add('\n');
  }
}

function partOf(text: string): Part {
  const end = /^\r?\n|\r?\n\r?\n/.exec(text);
  const head = text.slice(0, end?.index ?? text.length).replace(/\r?\n[ \t]+/g, ' ');
  const headers = new Map<string, string>();
  for (const line of head.split(/\r?\n/)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    if (colon > 0 && /^[\w-]+$/.test(name) && !headers.has(name)) headers.set(name, line.slice(colon + 1).trim());
  }
  return { headers, body: end === null ? '' : text.slice(end.index + end[0].length) };
}

/** The parts between the boundary lines (RFC 2046 §5.1). */
function* chunksOf(body: string, boundary: string): Generator<string> {
  const mark = `--${boundary}`;
  let start = -1;
  let count = 0;
  for (let at = body.indexOf(mark); at >= 0; at = body.indexOf(mark, at + mark.length)) {
    if (at > 0 && body[at - 1] !== '\n') continue;
    if (start >= 0) yield body.slice(start, at);
    count += 1;
    if (count > MAX_PARTS || body.startsWith('--', at + mark.length)) return;
    const line = body.indexOf('\n', at);
    if (line < 0) return;
    start = line + 1;
  }
  if (start >= 0) yield body.slice(start);
}

/** A parameter of a header, quoted or not. */
function parameter(header: string, name: string): string | null {
  const found = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^\\s;]+))`, 'i').exec(header);
  return found?.[1] ?? found?.[2] ?? null;
}

/** @returns an empty text for bytes that are not text */
function textOf({ headers, body }: Part, charset: string | null): string {
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase();
  const bytes =
    encoding === 'base64'
      ? Buffer.from(body, 'base64')
      : Buffer.from(encoding === 'quoted-printable' ? unquoted(body) : body, 'latin1');
  try {
    return decodeText(bytes, charset);
  } catch (error) {
    if (error instanceof JobError) return '';
    throw error;
  }
}

/** Quoted-printable (RFC 2045 §6.7). */
function unquoted(text: string): string {
  return text
    .replace(/=[ \t]*\r?\n/g, '')
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Decodes encoded words (RFC 2047); guesses the encoding of other bytes. */
function headerText(header: string): string {
  const joined = header.replace(/\?=\s+=\?/g, '?==?');
  const parts = joined.split(/(=\?[^?\s]+\?[bq]\?[^?\s]*\?=)/i);
  return parts.map((part) => encodedWord(part) ?? Buffer.from(part, 'latin1').toString('utf8')).join('');
}

function encodedWord(text: string): string | null {
  const [, charset = '', kind = '', content = ''] = /^=\?([^?*]+)[^?]*\?([bq])\?([^?]*)\?=$/i.exec(text) ?? [];
  if (charset === '') return null;
  const bytes = /b/i.test(kind)
    ? Buffer.from(content, 'base64')
    : Buffer.from(unquoted(content.replaceAll('_', ' ')), 'latin1');
  return (decoderOf(charset) ?? new TextDecoder()).decode(bytes);
}
