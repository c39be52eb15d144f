/** Bytes of text that are shown; longer texts are cut. */
export const MAX_TEXT = 256 * 1024;

/** The beginning of a file as text, whatever its encoding. @returns null if it is not text */
export function textOf(content: Buffer): string | null {
  const [a, b] = content;
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) {
    return new TextDecoder(a === 0xff ? 'utf-16le' : 'utf-16be').decode(content);
  }
  if (content.includes(0)) return null;
  try {
    // The last character may be incomplete.
    return new TextDecoder('utf-8', { fatal: true }).decode(content, { stream: true });
  } catch {
    return new TextDecoder('windows-1252').decode(content);
  }
}
