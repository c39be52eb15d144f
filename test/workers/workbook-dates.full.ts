import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import type { Values } from './reference/differences.ts';
import { compareFamily, printed } from './reference/harness.ts';
import { DIFFERENCES } from './reference/known-differences.ts';
import { workbookDates } from './reference/office/dates.ts';
import { openTextReader, type TextReading } from './text-support.ts';

const files = workbookDates();
const PROGRAM = fileURLToPath(new URL('reference/office/dates.py', import.meta.url));

let reading: TextReading;
beforeAll(async () => {
  reading = await openTextReader();
});
afterAll(() => reading.close());

/** Formats without a time show the day only: midnight then. */
const inFull = (date: string) => (date.length > 10 ? date : `${date} 00:00`);
const valuesOf = (found: Readonly<Record<string, readonly string[]>>): Values =>
  new Map(Object.entries(found).map(([name, dates]) => [name, [...new Set(dates)].sort()]));

function readByOpenpyxl(folder: string): Values {
  return valuesOf(JSON.parse(printed('python3', [PROGRAM, folder])) as Record<string, string[]>);
}

async function readByLarder(folder: string): Promise<Values> {
  const found: Record<string, string[]> = {};
  for (const name of files.keys()) {
    const words = await reading.tokenize(join(folder, name), 'xlsx');
    // What is shown beside it may end with a year, and a time after it.
    found[name] = [
      ...words.matchAll(/(?<!\d)(\d{4}) (0[1-9]|1[0-2]) (0[1-9]|[12]\d|3[01])(?: (\d\d) (\d\d))?(?!\d)/g),
    ].map(([, year, month, day, hour, minute]) =>
      inFull(`${year}-${month}-${day}${/-times/.test(name) ? ` ${hour}:${minute}` : ''}`),
    );
  }
  return valuesOf(found);
}

compareFamily({
  name: 'dates',
  files,
  program: {
    name: 'openpyxl',
    version: ['python3', '-c', 'import openpyxl; print("openpyxl", openpyxl.__version__)'],
    read: readByOpenpyxl,
  },
  larder: readByLarder,
  differences: DIFFERENCES.dates,
});
