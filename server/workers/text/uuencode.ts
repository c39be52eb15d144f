/** A file within a text, as mail programs sent files before MIME. */
interface Uuencoded {
  /** As it is written, with bytes as Latin-1 characters. */
  readonly name: string;
  readonly content: Buffer;
}

/** `begin`, the permissions, the name (POSIX, uuencode). */
const BEGIN = /^begin [0-7]{3,4} (\S[^\r\n]*)\r?$/gm;
/** The length of the longest line: that of 63 bytes, with a checksum that some programs add. */
const MAX_LINE = 1 + 84 + 2;
/** From so many lines on, a file is one without its last line, too. */
const MIN_LINES = 2;
const MAX_FILES = 1_000;

/**
 * Separates a text, with bytes as Latin-1 characters, from the files that are uuencoded in it (POSIX, uuencode). A line that only
 * begins like one is left in the text.
 */
export function splitUuencoded(text: string): { text: string; files: readonly Uuencoded[] } {
  const files: Uuencoded[] = [];
  const kept: string[] = [];
  let at = 0;
  for (const { index, 0: line, 1: name = '' } of text.matchAll(BEGIN)) {
    // One within the content of the last.
    if (index < at) continue;
    const found = files.length < MAX_FILES ? contentAt(text, index + line.length + 1) : null;
    if (found === null) continue;
    kept.push(text.slice(at, index));
    files.push({ name: name.trim(), content: found.content });
    at = found.end;
  }
  return { text: kept.join('') + text.slice(at), files };
}

/** The content of a part that is uuencoded as a whole; empty if it is not. */
export function uudecoded(text: string): Buffer {
  return splitUuencoded(text).files[0]?.content ?? Buffer.alloc(0);
}

/** @returns null if no encoded lines are there */
function contentAt(text: string, start: number): { content: Buffer; end: number } | null {
  const lines: Buffer[] = [];
  let at = start;
  while (at < text.length) {
    const next = text.indexOf('\n', at);
    const end = next < 0 ? text.length : next + 1;
    const line = end - at > MAX_LINE + 2 ? null : text.slice(at, end).replace(/\r?\n$/, '');
    if (line?.trimEnd() === 'end') return { content: Buffer.concat(lines), end };
    const bytes = line === null ? null : bytesOf(line);
    if (bytes === null) break;
    lines.push(bytes);
    at = end;
  }
  return lines.length < MIN_LINES ? null : { content: Buffer.concat(lines), end: at };
}

/** One line: the number of its bytes, then every three as four characters. Blanks at its end may have got lost on the way. */
function bytesOf(line: string): Buffer | null {
  if (!/^[ -`]*$/.test(line)) return null;
  const length = line === '' ? 0 : (line.charCodeAt(0) - 32) & 63;
  const characters = Math.ceil(length / 3) * 4;
  if (line.trimEnd().length > 1 + characters + 2) return null;
  const bytes = Buffer.alloc(characters);
  let [filled, bits, count] = [0, 0, 0];
  for (const char of line.slice(1, 1 + characters).padEnd(characters)) {
    bits = (bits << 6) | ((char.charCodeAt(0) - 32) & 63);
    count += 6;
    if (count < 24) continue;
    filled = bytes.writeUIntBE(bits & 0xff_ffff, filled, 3);
    [bits, count] = [0, 0];
  }
  return bytes.subarray(0, length);
}
