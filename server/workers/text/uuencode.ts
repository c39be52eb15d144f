/** A file within a text, as mail programs sent files before MIME. */
interface Uuencoded {
  /** As it is written, with bytes as Latin-1 characters. */
  readonly name: string;
  readonly content: Buffer;
}

/** `begin`, the permissions, the name (POSIX, uuencode). */
const BEGIN = /(?<=^|\n)begin [0-7]{3,4} (\S[^\r\n]*)(?=\r?\n)/g;
/** The length of the longest line: that of 63 bytes, with a checksum that some programs add. */
const MAX_LINE = 1 + 84 + 2;
/** Lines of a text that are taken for the beginning of a file. */
const MAX_BEGINNINGS = 1_000;

/**
 * Separates a text, with bytes as Latin-1 characters, from the files that are uuencoded in it (POSIX, uuencode). A line that only
 * begins like one is left in the text.
 */
export function splitUuencoded(text: string): { text: string; files: readonly Uuencoded[] } {
  const files: Uuencoded[] = [];
  const kept: string[] = [];
  let at = 0;
  let beginnings = 0;
  for (const { index, 0: line, 1: name = '' } of text.matchAll(BEGIN)) {
    // One within the content of the last.
    if (index < at) continue;
    beginnings += 1;
    if (beginnings > MAX_BEGINNINGS) break;
    const found = contentAt(text, endOfLine(text, index + line.length));
    if (found === null) continue;
    kept.push(text.slice(at, index));
    files.push({ name: name.trim(), content: found.content });
    at = found.end;
  }
  return { text: kept.join('') + text.slice(at), files };
}

/** The content of a part that is uuencoded as a whole. @param text with bytes as Latin-1 characters; returned as it is if it is not */
export function uudecoded(text: string): Buffer {
  return splitUuencoded(text).files[0]?.content ?? Buffer.from(text, 'latin1');
}

/** @returns null if no encoded lines are there */
function contentAt(text: string, start: number): { content: Buffer; end: number } | null {
  const lines = linesFrom(text, start);
  if (lines === null) return null;
  // A buffer for each line would take twenty times the memory.
  const content = Buffer.alloc(lines.bytes);
  let filled = 0;
  for (let at = start; at < lines.contentEnd; ) {
    const next = endOfLine(text, at);
    filled = decodeLine(lineOf(text, at, next), content, filled);
    at = next;
  }
  return { content, end: lines.end };
}

/**
 * The encoded lines, without their content. Lines in capitals look encoded as well: without the line that ends a file, all lines but the
 * last are as long as the first, and full.
 */
function linesFrom(text: string, start: number): { bytes: number; contentEnd: number; end: number } | null {
  const lengths: number[] = [];
  let [isFull, areFull] = [true, true];
  let [at, bytes] = [start, 0];
  while (at < text.length) {
    const next = endOfLine(text, at);
    const line = next - at > MAX_LINE + 2 ? null : lineOf(text, at, next);
    if (line?.trimEnd() === 'end') return { bytes, contentEnd: at, end: next };
    const length = line === null ? null : lengthOf(line);
    // The line before the end stands for no bytes.
    if (line === null || length === null || lengths.at(-1) === 0) break;
    areFull &&= lengths.length === 0 || isFull;
    isFull = length >= MIN_FULL && line.length > charactersOf(length) - MAX_LOST;
    lengths.push(length);
    bytes += length;
    at = next;
  }
  const [first] = lengths;
  const isCut = areFull && lengths.length > 1 && lengths.slice(0, -1).every((length) => length === first);
  return isCut ? { bytes, contentEnd: at, end: at } : null;
}

/** Bytes of full lines, of which programs write 45, and blanks at their end that may have got lost on the way. */
const MIN_FULL = 30;
const MAX_LOST = 3;

/** Longer lines are none of a file: their end is not looked for, as there may be many beginnings. */
function endOfLine(text: string, at: number): number {
  const next = text.slice(at, at + MAX_LINE + 3).indexOf('\n');
  return next < 0 ? Math.min(text.length, at + MAX_LINE + 3) : at + next + 1;
}

function lineOf(text: string, at: number, end: number): string {
  return text.slice(at, end).replace(/\r?\n$/, '');
}

/** The bytes that a line stands for: its first character. @returns null for another line */
function lengthOf(line: string): number | null {
  if (!/^[ -`]*$/.test(line)) return null;
  const length = line === '' ? 0 : (line.charCodeAt(0) - 32) & 63;
  return line.trimEnd().length > 1 + charactersOf(length) + 2 ? null : length;
}

/** Every three bytes are four characters. */
function charactersOf(length: number): number {
  return Math.ceil(length / 3) * 4;
}

/** Blanks at the end of the line may have got lost on the way. @returns where the next line goes on */
function decodeLine(line: string, content: Buffer, start: number): number {
  const length = lengthOf(line) ?? 0;
  const characters = charactersOf(length);
  let [bits, count, filled] = [0, 0, start];
  for (const char of line.slice(1, 1 + characters).padEnd(characters)) {
    bits = ((bits << 6) | ((char.charCodeAt(0) - 32) & 63)) & 0x3fff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    if (filled < start + length) content[filled] = (bits >>> count) & 255;
    filled += 1;
  }
  return start + length;
}
