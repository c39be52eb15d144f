import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { tokenize } from '../../dist/server/lib/text/tokenizer.js';
import type { Values } from './reference/differences.ts';
import { compareFamily, printed } from './reference/harness.ts';
import { DIFFERENCES } from './reference/known-differences.ts';
import { pdfs } from './reference/pdf/files.ts';
import { openTextReader, type TextReading } from './text-support.ts';

const files = pdfs();

let reading: TextReading;
beforeAll(async () => {
  reading = await openTextReader();
});
afterAll(() => reading.close());

/** The words of a text, each once: their order is that of columns and lines, in which readers differ. */
const wordsOf = (text: string) => [...new Set(text.split(' '))].sort().join(' ');

const textOf = (folder: string, file: string) =>
  printed('pdftotext', ['-enc', 'UTF-8', '-nopgbrk', join(folder, file), '-']);

function readByPoppler(folder: string): Values {
  return new Map([...files.keys()].map((file) => [file, wordsOf(tokenize(textOf(folder, file)).join(' '))]));
}

async function readByLarder(folder: string): Promise<Values> {
  const values = new Map<string, unknown>();
  for (const file of files.keys()) values.set(file, wordsOf(await reading.tokenize(join(folder, file), 'pdf')));
  return values;
}

/** The predefined character maps of East Asia (`poppler-data`). */
const lacksData = (folder: string) => textOf(folder, '050-predefined-90ms-RKSJ-H.pdf').trim() === '';

compareFamily({
  name: 'pdf',
  files,
  program: { name: 'pdftotext', version: ['pdftotext', '-v'], read: readByPoppler, lacksData },
  larder: readByLarder,
  differences: DIFFERENCES.pdf,
});
