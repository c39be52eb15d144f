import iconv from 'iconv-lite';

/** Words, the code page that has their letters, and the number of its charset. */
const WORDS = [
  ['lake', 1252, 0],
  ['Größe', 1252, 0],
  ['café', 1252, 0],
  ['Žluťoučký', 1250, 238],
  ['Лето', 1251, 204],
  ['Ελλάδα', 1253, 161],
  ['İstanbul', 1254, 162],
  ['Rīga', 1257, 186],
] as const;

const bytes = (word: string, page: number) =>
  [...iconv.encode(word, `windows-${page}`)]
    .map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : `\\'${byte.toString(16).padStart(2, '0')}`))
    .join('');
/** UTF-16 units as signed numbers, with a question mark for programs that do not know them. */
const units = (word: string, fallback = '?') =>
  [...Array(word.length).keys()]
    .map((at) => word.charCodeAt(at))
    .map((unit) => (unit < 0x80 ? String.fromCharCode(unit) : `\\u${unit > 0x7fff ? unit - 0x10000 : unit}${fallback}`))
    .join('');

interface Word {
  readonly inBytes: string;
  readonly inUnits: string;
}

/** What programs write around a word. */
const BODIES: Readonly<Record<string, (word: Word) => string>> = {
  bytes: ({ inBytes }) => `one ${inBytes} three\\par`,
  units: ({ inUnits }) => `one ${inUnits} three\\par`,
  'no-fallback': ({ inUnits }) => `{\\uc0 one ${inUnits.replaceAll('?', ' ')}} three`,
  formats: ({ inBytes }) => `{\\b one} {\\i\\fs24 ${inBytes}} \\ul three\\ulnone\\par`,
  paragraphs: ({ inBytes }) => `\\pard one\\par\r\n\\pard ${inBytes}\\par\r\n\\pard three\\par`,
  tabs: ({ inBytes }) => `one\\tab ${inBytes} three`,
  field: ({ inBytes }) =>
    `see {\\field{\\*\\fldinst{HYPERLINK "https://example.org/secret"}}{\\fldrslt{\\ul ${inBytes}}}} there`,
  descriptions: ({ inBytes }) =>
    `{\\info{\\title secret}{\\author nobody}}{\\stylesheet{\\s0 Normal;}{\\s1 heading;}}{\\*\\generator program;}body ${inBytes}`,
  picture: ({ inBytes }) => `before {\\pict\\pngblip\\picw1\\pich1 89504e470d0a1a0a} after ${inBytes}`,
  braces: ({ inBytes }) => `a \\{${inBytes}\\} b`,
  'unknown-destination': ({ inBytes }) => `{\\*\\unheardof secret {\\b also}} body ${inBytes}`,
};

/** Small documents with the same words as bytes of code pages and as numbers. */
export function rtfFiles(): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (const [word, page, charset] of WORDS) {
    for (const [what, body] of Object.entries(BODIES)) {
      const inner = body({ inBytes: bytes(word, page), inUnits: units(word) });
      const head = `{\\rtf1\\ansi\\ansicpg${page}\\deff0{\\fonttbl{\\f0\\fswiss\\fcharset${charset} Arial;}}\\f0 `;
      files.set(`${String(files.size).padStart(3, '0')}-${what}.rtf`, Buffer.from(`${head}${inner}}`, 'latin1'));
    }
  }
  return files;
}
