/**
 * The code pages in which programs of Windows save tables, by what people call their letters. The names are those of the Encoding
 * Standard.
 */
const CODE_PAGES = {
  western: 'windows-1252',
  central: 'windows-1250',
  cyrillic: 'windows-1251',
  greek: 'windows-1253',
  turkish: 'windows-1254',
  baltic: 'windows-1257',
  hebrew: 'windows-1255',
  arabic: 'windows-1256',
} as const;

export type Letters = keyof typeof CODE_PAGES;

export const TABLE_LETTERS = Object.keys(CODE_PAGES) as readonly Letters[];

/** A table as a program has saved it. */
interface TableFile {
  readonly text: string;
  /** Null where the file itself says, or shows, how its letters are encoded. */
  readonly letters: Letters | null;
}

/** Languages whose computers have another code page than the western one. */
const BY_LANGUAGE: Readonly<Record<string, Letters>> = {
  ...Object.fromEntries(['cs', 'hr', 'hu', 'pl', 'ro', 'sk', 'sl', 'sq', 'bs'].map((one) => [one, 'central' as const])),
  ...Object.fromEntries(['be', 'bg', 'mk', 'ru', 'sr', 'uk'].map((one) => [one, 'cyrillic' as const])),
  ...Object.fromEntries(['et', 'lt', 'lv'].map((one) => [one, 'baltic' as const])),
  ...Object.fromEntries(['ar', 'fa', 'ur'].map((one) => [one, 'arabic' as const])),
  ...{ el: 'greek', tr: 'turkish', az: 'turkish', he: 'hebrew' },
};

/** The letters that a program of Windows uses on a computer in a language (BCP 47). */
export const lettersOf = (language: string): Letters => BY_LANGUAGE[language.slice(0, 2).toLowerCase()] ?? 'western';

/**
 * Reads a table as spreadsheets save it: UTF-8, UTF-16 with a mark ("Unicode text"), or a code page of Windows, which nothing in the
 * file names.
 * @param letters of the code page
 * @throws TypeError for what is none of them
 */
export async function readTable(file: Blob, letters: Letters): Promise<TableFile> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const [first = 0, second = 0] = bytes;
  const decode = (encoding: string) => new TextDecoder(encoding, { fatal: true }).decode(bytes);
  if (first === 0xff && second === 0xfe) return { text: decode('utf-16le'), letters: null };
  if (first === 0xfe && second === 0xff) return { text: decode('utf-16be'), letters: null };
  try {
    return { text: decode('utf-8'), letters: null };
  } catch {
    const text = decode(CODE_PAGES[letters]);
    // What has no letter in a code page is a control character, which is in no table.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    if (/[\u0000\u0080-\u009f]/.test(text)) throw new TypeError('no text');
    return { text, letters };
  }
}
