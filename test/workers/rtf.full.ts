import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { tokenize } from '../../dist/server/lib/text/tokenizer.js';
import type { Values } from './reference/differences.ts';
import { compareFamily, printed } from './reference/harness.ts';
import { DIFFERENCES } from './reference/known-differences.ts';
import { rtfFiles } from './reference/rtf/files.ts';
import { openTextReader, type TextReading } from './text-support.ts';

const files = rtfFiles();

let reading: TextReading;
beforeAll(async () => {
  reading = await openTextReader();
});
afterAll(() => reading.close());

function readByCatdoc(folder: string): Values {
  const values = new Map<string, unknown>();
  for (const name of files.keys()) {
    const text = printed('catdoc', ['-w', '-d', 'utf-8', join(folder, name)]);
    values.set(name, tokenize(text).join(' '));
  }
  return values;
}

async function readByLarder(folder: string): Promise<Values> {
  const values = new Map<string, unknown>();
  for (const name of files.keys()) values.set(name, await reading.tokenize(join(folder, name), 'rtf'));
  return values;
}

compareFamily({
  name: 'rtf',
  files,
  program: { name: 'Catdoc', version: ['catdoc', '-V'], read: readByCatdoc },
  larder: readByLarder,
  differences: DIFFERENCES.rtf,
});
