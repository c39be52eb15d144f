/** What makes bytes that are valid UTF-8 something else: UTF-16 has zeros, and ISO-2022-JP escape sequences. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const NOT_SURELY_UTF8 = /[\0-\x08\x0e-\x1f\x7f]/;

interface HowToRead {
  /** Whether the text goes on behind these bytes, which may end within a character. */
  readonly isCut?: boolean;
  /** Whether a byte order mark stays in the text. */
  readonly keepsMark?: boolean;
}

/** The text of bytes in UTF-8. @returns null if they may be in another encoding, or no text */
export function utf8Text(content: Buffer, { isCut = false, keepsMark = false }: HowToRead = {}): string | null {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: keepsMark });
    const text = decoder.decode(content, { stream: isCut });
    return NOT_SURELY_UTF8.test(text) ? null : text;
  } catch {
    return null;
  }
}
