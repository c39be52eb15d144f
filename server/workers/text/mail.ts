import { readStart } from '../inherited-file.ts';
import { JobError } from '../job-error.ts';
import { addContactsAndEvents } from './contacts-and-events.ts';
import { unflowed } from './flowed.ts';
import { HTML, writeMarkup } from './html.ts';
import { bytesText, headerText, type MailHeaders, parameter, splitHeaders, unquoted } from './mail-headers.ts';
import type { ReadText, TextSink } from './sink.ts';
import { splitUuencoded, uudecoded } from './uuencode.ts';

/** Longer messages consist mostly of attachments. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Nesting of parts, and number of sibling parts. */
const MAX_DEPTH = 10;
const MAX_PARTS = 1_000;
/** Invitations and contacts: their lines are folded. */
const CONTACTS_AND_EVENTS = new Set([
  'text/calendar',
  'text/directory',
  'text/vcard',
  'text/x-vcalendar',
  'text/x-vcard',
]);
/** Messages within others (RFC 2046 §5.2.1, RFC 6532 §3.7). */
const MESSAGES = new Set(['message/rfc822', 'message/global', 'message/news']);
/** Headers that people search for. */
const READ_HEADERS = ['subject', 'from', 'to', 'cc', 'date'];

/** A message or a part of one (RFC 2045). Bytes are kept as Latin-1 characters, because each part has its own encoding. */
interface Part {
  readonly headers: MailHeaders;
  readonly body: string;
}

/** An e-mail message: sender, recipients, subject, texts, and the names of attachments. */
export const readMail: ReadText = async (fd, size, sink) => addMessage(readStart(fd, size, MAX_BYTES), sink);

/** Like `readMail`, of bytes. @throws JobError, Enough */
export function addMessage(bytes: Buffer, sink: TextSink): void {
  const text = bytes.toString('latin1').replace(/^\xef\xbb\xbf/, '');
  // Programs for old Macs end lines in another way.
  const message = splitHeaders(text.includes('\n') ? text : text.replaceAll('\r', '\n'));
  if (message.headers.size === 0) throw new JobError('unsupported', 'no message');
  readMessage(message, sink, 0);
}

function readMessage(message: Part, sink: TextSink, depth: number): void {
  const charset = charsetOf(message);
  for (const name of READ_HEADERS) sink.add(`${headerText(message.headers.get(name) ?? '', charset)}\n`);
  readPart(message, sink, { depth, charset, type: 'text/plain' });
}

/** @param charset of the headers of the message; `type` of parts that name none */
function readPart(part: Part, sink: TextSink, within: { depth: number; charset: string | null; type: string }): void {
  const { depth, charset } = within;
  if (depth > MAX_DEPTH) return;
  const contentType = part.headers.get('content-type') ?? within.type;
  const type = mediaTypeIn(contentType);
  const disposition = part.headers.get('content-disposition') ?? '';
  const name = parameter(disposition, 'filename', charset) ?? parameter(contentType, 'name', charset);
  if (name !== null) sink.add(`${name}\n`);
  const boundary = parameter(contentType, 'boundary');
  if (type.startsWith('multipart/') && boundary !== null) {
    // RFC 2046 §5.1.5.
    const inner = { depth: depth + 1, charset, type: type === 'multipart/digest' ? 'message/rfc822' : 'text/plain' };
    let isEmpty = true;
    for (const chunk of chunksOf(part.body, boundary)) {
      readPart(splitHeaders(chunk), sink, inner);
      isEmpty = false;
    }
    // Some programs lose the boundary lines on the way, or end a message before the first.
    if (isEmpty) addText(part, 'text/plain', null, sink);
  } else if (MESSAGES.has(type)) {
    readMessage(splitHeaders(bytesOf(part).toString('latin1')), sink, depth + 1);
  } else if (type.startsWith('text/') || type.startsWith('multipart/')) {
    const isFlowed = /^\s*flowed\s*$/i.test(parameter(contentType, 'format') ?? '');
    const isDeleted = /^\s*yes\s*$/i.test(parameter(contentType, 'delsp') ?? '');
    const flow = isFlowed && type === 'text/plain' ? { isDeleted } : null;
    addText(part, type, parameter(contentType, 'charset'), sink, flow);
  }
}

/** @param flow how the lines of the text were broken; null if they are as they were written */
function addText(
  part: Part,
  type: string,
  charset: string | null,
  sink: TextSink,
  flow: { isDeleted: boolean } | null = null,
): void {
  const bytes = bytesOf(part);
  if (type !== 'text/plain') {
    addBytes(bytes, type, charset, sink);
    return;
  }
  const { text, files } = splitUuencoded(bytes.toString('latin1'));
  const written = bytesText(files.length === 0 ? bytes : Buffer.from(text, 'latin1'), charset);
  sink.add(`${flow === null ? written : unflowed(written, flow.isDeleted)}\n`);
  for (const { name, content } of files) {
    sink.add(`${headerText(name, charset)}\n`);
    const inner = TEXTS[/\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''];
    if (inner !== undefined) addBytes(content, inner, null, sink);
  }
}

/** Files of text before MIME, by their extensions. The content of others is not read, as that of other attachments. */
const TEXTS: Readonly<Record<string, string>> = {
  txt: 'text/plain',
  csv: 'text/csv',
  htm: 'text/html',
  html: 'text/html',
  ics: 'text/calendar',
  vcf: 'text/vcard',
};

function addBytes(bytes: Buffer, type: string, charset: string | null, sink: TextSink): void {
  if (CONTACTS_AND_EVENTS.has(type)) {
    try {
      addContactsAndEvents(bytes, charset, sink);
    } catch (error) {
      // The other parts of the message can be read nevertheless.
      if (!(error instanceof JobError)) throw error;
    }
  } else {
    const text = bytesText(bytes, charset);
    if (type === 'text/html') writeMarkup(text, sink, HTML);
    else sink.add(text);
  }
  sink.add('\n');
}

/** RFC 2045 §5.1, with white space as mail programs accept it. A value of another form counts as missing (§5.2). */
function mediaTypeIn(contentType: string): string {
  const [, type, subtype] = /^\s*([^\s/;()]+)\s*\/\s*([^\s/;()]+)/.exec(contentType) ?? [];
  return type === undefined || subtype === undefined ? 'text/plain' : `${type}/${subtype}`.toLowerCase();
}

/** The charset that a message of one text names: programs that leave bytes in headers unencoded use it there, too. */
function charsetOf({ headers }: Part): string | null {
  return parameter(headers.get('content-type') ?? '', 'charset');
}

/** The parts between the boundary lines (RFC 2046 §5.1.1). */
function* chunksOf(body: string, boundary: string): Generator<string> {
  const mark = `--${boundary}`;
  let start = -1;
  let count = 0;
  for (let at = body.indexOf(mark); at >= 0; at = body.indexOf(mark, at + mark.length)) {
    if (at > 0 && body[at - 1] !== '\n') continue;
    const [, isLast] = /^(--)?[ \t]*(?:\r|\n|$)/.exec(body.slice(at + mark.length, at + mark.length + 200)) ?? [
      null,
      null,
    ];
    // The boundary of an inner multipart may begin with that of the outer one.
    if (isLast === null) continue;
    if (start >= 0) yield body.slice(start, at);
    count += 1;
    if (count > MAX_PARTS || isLast !== undefined) return;
    const line = body.indexOf('\n', at);
    if (line < 0) return;
    start = line + 1;
  }
  if (start >= 0) yield body.slice(start);
}

/** What programs call it (RFC 2045 §6.3 registers none). */
const UUENCODED = new Set(['x-uuencode', 'uuencode', 'x-uue', 'uue']);

/** The decoded body of a part. */
function bytesOf({ headers, body }: Part): Buffer {
  const encoding = /[\w-]+/.exec(headers.get('content-transfer-encoding') ?? '')?.[0].toLowerCase();
  if (UUENCODED.has(encoding ?? '')) return uudecoded(body);
  if (encoding === 'base64') return Buffer.from(body, 'base64');
  return Buffer.from(encoding === 'quoted-printable' ? unquoted(body) : body, 'latin1');
}
