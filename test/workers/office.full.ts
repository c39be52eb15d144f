import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { tokenize } from '../../dist/server/lib/text/tokenizer.js';
import type { Values } from './reference/differences.ts';
import { compareFamily, printed } from './reference/harness.ts';
import { DIFFERENCES } from './reference/known-differences.ts';
import { officeFiles } from './reference/office/files.ts';
import { openTextReader, type TextReading } from './text-support.ts';

const files = officeFiles();

let reading: TextReading;
beforeAll(async () => {
  reading = await openTextReader();
});
afterAll(() => reading.close());

/** The words of a text, each once: their order is that of the page, which also has the numbers of notes. */
const wordsOf = (text: string) =>
  [...new Set(text.split(' '))]
    .filter((word) => !/^\d$/.test(word))
    .sort()
    .join(' ');

/** All sheets, each in a file of its own, as UTF-8. */
const SHEETS = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1';

/** What a document shows on its pages, and a table in its sheets, with their names. */
function readByLibreOffice(folder: string): Values {
  const values = new Map<string, unknown>();
  const convert = (to: string, names: readonly string[]) => {
    const out = join(folder, '..', 'converted');
    mkdirSync(out, { recursive: true });
    const profile = `-env:UserInstallation=file://${join(folder, '..', 'profile')}`;
    printed('soffice', [
      profile,
      '--headless',
      '--convert-to',
      to,
      '--outdir',
      out,
      ...names.map((name) => join(folder, name)),
    ]);
    return out;
  };
  const names = [...files.keys()];
  const isSheet = (name: string) => /\.(?:xlsx|ods)$/.test(name);
  const pages = names.filter((name) => !isSheet(name));
  const shown = convert('pdf', pages);
  for (const name of pages) {
    const pdf = join(shown, name.replace(/\.\w+$/, '.pdf'));
    values.set(name, wordsOf(tokenize(printed('pdftotext', ['-enc', 'UTF-8', '-nopgbrk', pdf, '-'])).join(' ')));
  }
  const sheets = names.filter(isSheet);
  const tables = readdirSync(convert(SHEETS, sheets)).filter((name) => name.endsWith('.csv'));
  for (const name of sheets) {
    const stem = `${name.replace(/\.\w+$/, '')}-`;
    const texts = tables
      .filter((table) => table.startsWith(stem))
      .map((table) => `${table.slice(stem.length, -'.csv'.length)}\n${readFileSync(join(shown, table), 'utf8')}`);
    values.set(name, wordsOf(tokenize(texts.join('\n')).join(' ')));
  }
  return values;
}

async function readByLarder(folder: string): Promise<Values> {
  const values = new Map<string, unknown>();
  for (const file of files.keys())
    values.set(file, wordsOf(await reading.tokenize(join(folder, file), file.slice(file.lastIndexOf('.') + 1))));
  return values;
}

compareFamily({
  name: 'office',
  files,
  program: { name: 'LibreOffice', version: ['soffice', '--version'], read: readByLibreOffice },
  larder: readByLarder,
  differences: DIFFERENCES.office,
});
