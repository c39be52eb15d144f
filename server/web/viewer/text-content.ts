/** Text that is shown; of more, the beginning. Bytes. */
export const MAX_TEXT = 256 * 1024;

/** The beginning of a file as text, whatever letters it is written in. @returns null for what is no text at all */
export function textOf(content: Buffer): string | null {
  const [a, b] = content;
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) {
    return new TextDecoder(a === 0xff ? 'utf-16le' : 'utf-16be').decode(content);
  }
  if (content.includes(0)) return null;
  try {
    // The last letter may be cut in the middle.
    return new TextDecoder('utf-8', { fatal: true }).decode(content, { stream: true });
  } catch {
    return new TextDecoder('windows-1252').decode(content);
  }
}
