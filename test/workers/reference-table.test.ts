import { readFile, writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { DIFFERENCES } from './reference/known-differences.ts';

interface Stored {
  readonly by: string;
  readonly files?: number;
  readonly values?: Readonly<Record<string, unknown>>;
  readonly cases?: readonly unknown[];
}

const ROOT = new URL('../../', import.meta.url);
const DOCUMENT = new URL('docs/assurance.md', ROOT);

/** What the files are, and where their values are stored. */
const FAMILIES: Readonly<Record<keyof typeof DIFFERENCES, readonly [what: string, fixture: string]>> = {
  archives: ['names, contents and times in ZIP archives', 'reference/archives.json'],
  archivesBy7zip: ['the same, apart from backslashes', 'reference/archives-7z.json'],
  archivesByBsdtar: ['the same', 'reference/archives-bsdtar.json'],
  binaryOffice: ['words of Office files before 2007', 'reference/binary-office.json'],
  contacts: ['words of contacts and calendars', 'reference/contacts.json'],
  covers: ['covers of music', 'reference/covers.json'],
  dates: ['dates in cells of workbooks', 'reference/dates.json'],
  encodings: ['short texts, and names in archives, in 27 encodings', 'reference/encodings.json'],
  films: ['metadata of films', 'reference/films.json'],
  mail: ['words of messages', 'documents/mail.json'],
  music: ['tags of music', 'reference/music.json'],
  office: ['words of Office and OpenDocument files', 'reference/office.json'],
  pdf: ['words of PDF documents', 'reference/pdf.json'],
  photos: ['metadata of photos', 'reference/photos.json'],
  rtf: ['words of Rich Text', 'reference/rtf.json'],
};

async function rows(): Promise<string[]> {
  const lines: string[] = [];
  for (const [family, [what, fixture]] of Object.entries(FAMILIES)) {
    const url = new URL(`test/fixtures/${fixture}`, ROOT);
    const { by, files, values, cases = [] } = JSON.parse(await readFile(url, 'utf8')) as Stored;
    const count = values === undefined ? cases.length : Object.keys(values).length;
    const differences = DIFFERENCES[family as keyof typeof DIFFERENCES].length;
    lines.push(
      `| ${what} | ${by} | ${files ?? cases.length} | ${count} | ${differences === 0 ? 'none' : differences} |`,
    );
  }
  return lines;
}

it('the document contains the table of comparisons with other programs', async () => {
  const text = await readFile(DOCUMENT, 'utf8');
  const head = '| What is read | As by | Files | Values | Differences |\n|---|---|---|---|---|\n';
  const table = `${head}${(await rows()).join('\n')}\n`;
  const at = text.indexOf(head);
  expect(at).toBeGreaterThan(0);
  const end = text.indexOf('\n\n', at) + 1 || text.length;
  if (process.env.LARDER_REFERENCE === 'store') {
    await writeFile(DOCUMENT, text.slice(0, at) + table + text.slice(end));
    return;
  }
  expect(text.slice(at, end)).toBe(table);
});
