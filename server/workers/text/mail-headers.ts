import { decodeSent, strictUtf8 } from './encoding.ts';

/** Header fields by their names in lower case: the first of each name, unfolded, with bytes as Latin-1 characters. */
export type MailHeaders = ReadonlyMap<string, string>;

/** Characters of one header field that are decoded; nobody writes longer ones. */
const MAX_HEADER = 256 * 1024;
/** Most segments of a parameter. */
const MAX_SEGMENTS = 1_000;

/** The header fields at the beginning of a message or part (RFC 5322 §2.2), and what follows the empty line after them. */
export function splitHeaders(text: string): { headers: MailHeaders; body: string } {
  const end = /^\r?\n|\r?\n\r?\n/.exec(text);
  const head = text.slice(0, end?.index ?? text.length).replace(/\r?\n(?=[ \t])/g, '');
  const headers = new Map<string, string>();
  for (const line of head.split(/\r?\n/)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trimEnd().toLowerCase();
    if (colon > 0 && /^[\w-]+$/.test(name) && !headers.has(name)) headers.set(name, line.slice(colon + 1).trim());
  }
  return { headers, body: end === null ? '' : text.slice(end.index + end[0].length) };
}

interface EncodedWord {
  readonly start: number;
  readonly end: number;
  /** In lower case, without the language (RFC 2231 §5). */
  readonly charset: string;
  readonly isBase64: boolean;
  readonly content: string;
}

/**
 * The text of a header field. Words are encoded as in RFC 2047. Adjacent ones of one charset are decoded together, because many
 * programs divide a letter between two words, although §5 forbids it. Other bytes are UTF-8 (RFC 6532), or else in `charset`.
 * @param charset of the message, or null to detect it from the bytes
 */
export function headerText(header: string, charset: string | null): string {
  const text = header.slice(0, MAX_HEADER);
  let decoded = '';
  let at = 0;
  let run: EncodedWord[] = [];
  const endRun = () => {
    decoded += wordsText(run);
    run = [];
  };
  for (const word of encodedWords(text)) {
    const between = text.slice(at, word.start);
    const isAdjacent = run.length > 0 && between.trim() === '';
    if (!isAdjacent || run.at(-1)?.charset !== word.charset) endRun();
    if (!isAdjacent) decoded += rawText(between, charset);
    run.push(word);
    at = word.end;
  }
  endRun();
  return decoded + rawText(text.slice(at), charset);
}

/** Also words that contain blanks or question marks, which careless programs leave unencoded. */
function* encodedWords(text: string): Generator<EncodedWord> {
  const pattern = /=\?([^?*\s]{1,40})(?:\*[^?\s]{0,40})?\?([bq])\?([^?]{0,2000}(?:\?(?!=)[^?]{0,200}){0,10}?)\?=/gi;
  for (const { 0: whole, 1: charset = '', 2: kind = '', 3: content = '', index } of text.matchAll(pattern)) {
    const isBase64 = kind.toLowerCase() === 'b';
    yield { start: index, end: index + whole.length, charset: charset.toLowerCase(), isBase64, content };
  }
}

/** @param words of one charset */
function wordsText(words: readonly EncodedWord[]): string {
  const [first] = words;
  if (first === undefined) return '';
  const bytes: Buffer[] = [];
  let base64 = '';
  for (const { isBase64, content } of words) {
    // Base64 that was cut between words continues in the next one.
    const isComplete = base64.endsWith('=') || base64.length % 4 === 0;
    if (!isBase64 || isComplete) {
      bytes.push(Buffer.from(base64, 'base64'));
      base64 = '';
    }
    if (isBase64) base64 += content.replace(/\s/g, '');
    else bytes.push(Buffer.from(unquoted(content.replaceAll('_', ' ')), 'latin1'));
  }
  bytes.push(Buffer.from(base64, 'base64'));
  return bytesText(Buffer.concat(bytes), first.charset);
}

function rawText(text: string, charset: string | null): string {
  if (/^[\t -~]*$/.test(text)) return text;
  const bytes = Buffer.from(text, 'latin1');
  // ISO-2022-JP is not UTF-8, although its bytes could be.
  const utf8 = text.includes('\x1b') ? null : strictUtf8(bytes);
  return utf8 ?? bytesText(bytes, charset);
}

/** @returns an empty text for bytes that are not text */
export function bytesText(bytes: Uint8Array, charset: string | null): string {
  try {
    return decodeSent(bytes, charset);
  } catch {
    return '';
  }
}

/** Quoted-printable (RFC 2045 §6.7). */
export function unquoted(text: string): string {
  return text
    .replace(/=[ \t]*\r?\n/g, '')
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

interface Segment {
  readonly value: string;
  /** Whether bytes are percent-encoded. */
  readonly isExtended: boolean;
}

/**
 * A parameter of a header field, quoted or not, also in several segments with a charset (RFC 2231). Encoded words, which RFC 2047
 * §5 forbids here, are decoded as well, as all mail programs do.
 * @param charset as for `headerText`
 * @returns null if there is no such parameter
 */
export function parameter(header: string, name: string, charset: string | null = null): string | null {
  const { plain, segments } = parametersOf(header, name);
  const [first] = segments;
  if (first === undefined) return plain === null ? null : headerText(plain, charset);
  if (segments.every(({ isExtended }) => !isExtended)) {
    return headerText(segments.map(({ value }) => value).join(''), charset);
  }
  const [, named = '', rest = first.value] = (first.isExtended && /^([^']*)'[^']*'(.*)$/s.exec(first.value)) || [];
  const values = [rest, ...segments.slice(1).map(({ value }) => value)];
  const bytes = values.map((value, index) =>
    Buffer.from(segments[index]?.isExtended === true ? percentDecoded(value) : value, 'latin1'),
  );
  return bytesText(Buffer.concat(bytes), named === '' ? charset : named);
}

/** The values of one parameter: as it is, and its segments in their order up to the first gap (RFC 2231 §3). */
function parametersOf(header: string, requested: string): { plain: string | null; segments: readonly Segment[] } {
  let plain: string | null = null;
  const byNumber = new Map<number, Segment>();
  const pattern = /;\s*([^\s=;"*]+)(?:\*(\d{1,4}))?(\*)?\s*=\s*(?:"((?:[^"\\]|\\.)*)"?|([^;]*))/gs;
  for (const [, name = '', number, star, quoted, bare] of header.slice(0, MAX_HEADER).matchAll(pattern)) {
    if (name.toLowerCase() !== requested) continue;
    const value = quoted?.replace(/\\(.)/gs, '$1') ?? (bare ?? '').trim();
    const isExtended = star !== undefined;
    const at = Number(number ?? 0);
    if (number === undefined && !isExtended) plain ??= value;
    else if (!byNumber.has(at)) byNumber.set(at, { value, isExtended });
  }
  const segments: Segment[] = [];
  for (let at = 0; at < MAX_SEGMENTS; at += 1) {
    const segment = byNumber.get(at);
    if (segment === undefined) break;
    segments.push(segment);
  }
  return { plain, segments };
}

function percentDecoded(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
