/** The line above a signature (RFC 3676 §4.3). */
const SIGNATURE = '-- ';

/**
 * The paragraphs of a text whose lines a mail program broke (RFC 3676): lines that end in a blank continue in the next one, if it
 * is quoted to the same depth.
 * @param isDeleted whether that blank was added with the break (`DelSp`), as in texts without blanks between words
 */
export function unflowed(text: string, isDeleted: boolean): string {
  const lines: string[] = [];
  let paragraph: string[] = [];
  let quoted: string | null = null;
  const end = () => {
    if (quoted !== null) lines.push(quoted + (quoted === '' ? '' : ' ') + paragraph.join(''));
    paragraph = [];
    quoted = null;
  };
  for (const line of text.split(/\r?\n/)) {
    const depth = /^>*/.exec(line)?.[0] ?? '';
    const content = line.slice(depth.length).replace(/^ /, '');
    if (depth !== quoted || content === SIGNATURE) end();
    quoted = depth;
    const isSoft = content.endsWith(' ') && content !== SIGNATURE;
    paragraph.push(isSoft && isDeleted ? content.slice(0, -1) : content);
    if (!isSoft) end();
  }
  end();
  return lines.join('\n');
}
