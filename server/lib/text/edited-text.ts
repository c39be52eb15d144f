import { utf8Text } from './utf8-text.ts';

/** Bytes of a text that people edit in a page. */
export const MAX_EDITED = 512 * 1024;

/** How the lines of a text end. */
export const LINE_ENDINGS = ['lf', 'crlf'] as const;

/** What a form does not keep of a file: browsers have their own line endings, and no byte order mark. */
export interface TextFormat {
  readonly ending: (typeof LINE_ENDINGS)[number];
  readonly hasMark: boolean;
}

interface EditedText {
  readonly text: string;
  readonly format: TextFormat;
}

const MARK = '\uFEFF';

/**
 * A text in UTF-8, with lines that end with a line feed. Lines of different endings all get the more frequent one.
 * @returns with whether there were different endings; null for other encodings, and for what is no text
 */
export function editedText(content: Buffer): (EditedText & { readonly isMixed: boolean }) | null {
  const decoded = utf8Text(content, { keepsMark: true });
  if (decoded === null) return null;
  const hasMark = decoded.startsWith(MARK);
  const own = hasMark ? decoded.slice(MARK.length) : decoded;
  const withReturn = own.match(/\r\n/g)?.length ?? 0;
  const all = own.match(/\n/g)?.length ?? 0;
  const ending = withReturn > all - withReturn ? 'crlf' : 'lf';
  const isMixed = withReturn > 0 && withReturn < all;
  return { text: withLineFeeds(own), format: { ending, hasMark }, isMixed };
}

/** The bytes of a text, in the format that its file had. */
export function contentOf(text: string, { ending, hasMark }: TextFormat): Buffer {
  const lines = withLineFeeds(text);
  return Buffer.from(`${hasMark ? MARK : ''}${ending === 'crlf' ? lines.replaceAll('\n', '\r\n') : lines}`);
}

function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
