import { readStart } from '../inherited-file.ts';
import { decodeText, encodingOfMark, encodingOfZeros, strictUtf8 } from './encoding.ts';
import { bytesText, unquoted } from './mail-headers.ts';
import type { ReadText, TextSink } from './sink.ts';

const MAX_BYTES = 16 * 1024 * 1024;
/** Properties that describe the file. */
const SKIPPED = new Set(['BEGIN', 'END', 'VERSION', 'PRODID']);
/** Values that are bytes, such as photos. */
const BASE64 = /;(?:ENCODING=)?"?(?:B|BASE64)"?(?=;|$)/i;
const BINARY = /;VALUE="?BINARY"?(?=;|$)/i;
/** Properties whose values are text although they are sent as bytes: the others are pictures, sounds, keys and files. */
const TEXTS = new Set(
  'FN N NICKNAME ADR LABEL EMAIL TITLE ROLE ORG NOTE CATEGORIES SUMMARY DESCRIPTION LOCATION COMMENT'.split(' '),
);
/** Of a text that is sent as bytes, in base64. */
const MAX_ENCODED = 1024 * 1024;
const QUOTED_PRINTABLE = /;(?:ENCODING=)?QUOTED-PRINTABLE(?=;|$)/i;
/** The versions that keep the white space of folded lines, and encode values (vCard 2.1 §2.1.3, vCalendar 1.0 §2.1.3). */
const EARLY_VERSION = /^VERSION:(?:2\.1|1\.0)\s*$/im;

/**
 * Contacts and calendars (vCard, RFC 6350; iCalendar, RFC 5545; and their earlier versions): the values of properties, and the names
 * of people in parameters. A file of another form is read as plain text.
 */
export const readContactsAndEvents: ReadText = async (fd, size, sink) => {
  addContactsAndEvents(readStart(fd, size, MAX_BYTES), null, sink);
};

/**
 * Like `readContactsAndEvents`, of bytes.
 * @param charset of values that name none, as a message states it; null if it is to be detected
 * @throws JobError `unsupported` when it is of another form, and not text
 */
export function addContactsAndEvents(bytes: Buffer, charset: string | null, sink: TextSink): void {
  // As bytes, because lines may be folded within a character, and each value may have an encoding of its own.
  const isWide = encodingOfMark(bytes) !== null || encodingOfZeros(bytes) !== null;
  const text = isWide ? latin1Of(decodeText(bytes)) : bytes.toString('latin1');
  if (!/^\s*BEGIN:/i.test(text)) {
    sink.add(decodeText(bytes, charset));
    return;
  }
  // Together, so that their encoding can be detected. Programs that append to a file leave values of both kinds.
  const undeclared: string[] = [];
  const addUndeclared = (value: string) => {
    const content = Buffer.from(value, 'latin1');
    const utf8 = charset === null && !value.includes('\x1b') ? strictUtf8(content) : null;
    if (utf8 === null) undeclared.push(value);
    else sink.add(`${unescaped(utf8)}\n`);
  };
  for (const line of linesOf(text, EARLY_VERSION.test(text))) {
    const { parameters, value } = propertyOf(line) ?? {};
    if (parameters === undefined || value === undefined) continue;
    const own = /;CHARSET="?([^;"]+)/i.exec(parameters)?.[1];
    const content = decodedValue(parameters, value);
    if (own === undefined) addUndeclared(content);
    else sink.add(`${unescaped(bytesText(Buffer.from(content, 'latin1'), own))}\n`);
    for (const [, quoted, bare] of parameters.matchAll(/;(?:CN|LABEL)=(?:"([^"]*)"|([^;"]*))/gi)) {
      addUndeclared(uncircumflexed(quoted ?? bare ?? ''));
    }
  }
  sink.add(unescaped(bytesText(Buffer.from(undeclared.join('\n'), 'latin1'), charset)));
}

function latin1Of(text: string): string {
  return Buffer.from(text.replace(/^\ufeff/, '')).toString('latin1');
}

/** Content lines, unfolded (RFC 5545 §3.1, RFC 6350 §3.2), with the soft line breaks of quoted-printable removed. */
function* linesOf(text: string, isEarly: boolean): Generator<string> {
  let line: string[] = [];
  let isSoft = false;
  let isQuoted = false;
  for (const raw of text.split(/\r?\n|\r/)) {
    const isFolded = /^[ \t]/.test(raw);
    if (!isSoft && !isFolded) {
      yield line.join('');
      line = [];
      isQuoted = QUOTED_PRINTABLE.test(raw.slice(0, Math.max(0, raw.indexOf(':'))));
    }
    const part: string = isSoft || isEarly || !isFolded ? raw : raw.slice(1);
    isSoft = isQuoted && /=[ \t]*$/.test(part);
    line.push(isSoft ? part.replace(/=[ \t]*$/, '') : part);
  }
  yield line.join('');
}

/** @returns null for a line without text */
function propertyOf(line: string): { parameters: string; value: string } | null {
  const [, name = '', parameters = '', value = ''] =
    /^(?:[\w-]+\.)?([\w-]+)((?:;(?:[^:;"]|"[^"]*")*)*):(.*)$/s.exec(line) ?? [];
  const upper = name.toUpperCase();
  const isText = name !== '' && !SKIPPED.has(upper) && !/^data:/i.test(value) && !BINARY.test(bare(parameters));
  const isSent = !BASE64.test(bare(parameters)) || (TEXTS.has(upper) && value.length <= MAX_ENCODED);
  return isText && isSent ? { parameters, value } : null;
}

/** Parameters without the texts of people in them. */
function bare(parameters: string): string {
  return parameters.replace(/;(?:CN|LABEL|SORT-AS|DIR|ALTREP)="[^"]*"/gi, '');
}

/** With bytes as Latin-1 characters, as they are sent (vCard 2.1; RFC 2426). */
function decodedValue(parameters: string, value: string): string {
  if (BASE64.test(bare(parameters))) return Buffer.from(value, 'base64').toString('latin1');
  return QUOTED_PRINTABLE.test(parameters) ? unquoted(value) : value;
}

/** Characters that a parameter cannot contain otherwise (RFC 6868 §3). */
function uncircumflexed(text: string): string {
  return text.replace(/\^([n'^])/g, (_, char: string) => ({ n: '\n', "'": '"' })[char] ?? '^');
}

/** RFC 5545 §3.3.11, RFC 6350 §3.4. */
function unescaped(text: string): string {
  return text.replace(/\\([nN,;\\])/g, (_, char: string) => (/n/i.test(char) ? '\n' : char));
}
