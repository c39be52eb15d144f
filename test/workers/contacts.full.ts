import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import { tokenize } from '../../dist/server/lib/text/tokenizer.js';
import { contactsAndEvents } from './reference/contacts/files.ts';
import type { Values } from './reference/differences.ts';
import { compareFamily, printed } from './reference/harness.ts';
import { DIFFERENCES } from './reference/known-differences.ts';
import { openTextReader, type TextReading } from './text-support.ts';

const PROGRAM = fileURLToPath(new URL('reference/contacts/words.py', import.meta.url));
const VERSION = `
import importlib.metadata as m, icalendar, vobject
print("vobject", m.version("vobject"), "and icalendar", m.version("icalendar"))`;

let reading: TextReading;
beforeAll(async () => {
  reading = await openTextReader();
});
afterAll(() => reading.close());

/** The order of the parts of a name differs. */
const inOrder = (words: string) => words.split(' ').sort().join(' ');

function readByLibraries(folder: string): Values {
  const texts = JSON.parse(printed('python3', [PROGRAM, folder])) as Record<string, string>;
  return new Map(Object.entries(texts).map(([file, text]) => [file, inOrder(tokenize(text).join(' '))]));
}

async function readByLarder(folder: string): Promise<Values> {
  const values = new Map<string, unknown>();
  for (const file of await readdir(folder)) {
    values.set(file, inOrder(await reading.tokenize(join(folder, file), file.slice(-3))));
  }
  return values;
}

compareFamily({
  name: 'contacts',
  files: contactsAndEvents(),
  program: { name: 'vobject', version: ['python3', '-c', VERSION], read: readByLibraries },
  larder: readByLarder,
  differences: DIFFERENCES.contacts,
});
