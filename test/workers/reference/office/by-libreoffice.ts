import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tokenize } from '../../../../dist/server/lib/text/tokenizer.js';
import type { TextReading } from '../../text-support.ts';
import type { Values } from '../differences.ts';
import { printed, type ReferenceProgram } from '../harness.ts';

/** The words of a text, each once: their order is that of the page, which also has the numbers of notes. */
const wordsOf = (text: string) =>
  [...new Set(text.split(' '))]
    .filter((word) => !/^\d$/.test(word))
    .sort()
    .join(' ');

/** All sheets, each in a file of its own, as UTF-8. */
const SHEETS = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1';

/** Reads what documents show on their pages, and tables in their sheets, with their names. */
export const libreOffice = (names: readonly string[]): ReferenceProgram => ({
  name: 'LibreOffice',
  version: ['soffice', '--version'],
  read: (folder) => readAll(folder, names),
  // Pages are read by way of PDF.
  lacksData: () => spawnSync('pdftotext', ['-v']).error !== undefined,
});

function readAll(folder: string, names: readonly string[]): Values {
  const values = new Map<string, unknown>();
  const convert = (to: string, converted: readonly string[]) => {
    const out = join(folder, '..', 'converted');
    mkdirSync(out, { recursive: true });
    const profile = `-env:UserInstallation=file://${join(folder, '..', 'profile')}`;
    const paths = converted.map((name) => join(folder, name));
    printed('soffice', [profile, '--headless', '--convert-to', to, '--outdir', out, ...paths]);
    return out;
  };
  const isSheet = (name: string) => /\.(?:xlsx?|ods)$/.test(name);
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

/** What Larder reads of the same files. */
export async function readByLarder(reading: TextReading, folder: string, names: Iterable<string>): Promise<Values> {
  const values = new Map<string, unknown>();
  for (const name of names) {
    values.set(name, wordsOf(await reading.tokenize(join(folder, name), name.slice(name.lastIndexOf('.') + 1))));
  }
  return values;
}
