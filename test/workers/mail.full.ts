import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, it } from 'vitest';
import { tokenize } from '../../dist/server/lib/text/tokenizer.js';
import { expectSame } from './reference/differences.ts';
import { DIFFERENCES } from './reference/known-differences.ts';
import { openTextReader, type TextReading } from './text-support.ts';

interface Case {
  readonly what: string;
  /** Bytes as Latin-1 characters. */
  readonly message: string;
  /** What the reference program reads. */
  readonly text: string;
}

const file = new URL('../fixtures/documents/mail.json', import.meta.url);
const { by, cases } = JSON.parse(await readFile(file, 'utf8')) as { by: string; cases: readonly Case[] };

let reading: TextReading;
beforeAll(async () => {
  reading = await openTextReader();
});
afterAll(() => reading.close());

it(`${cases.length} messages yield the words that ${by} reads, apart from known differences`, async () => {
  const larder = new Map<string, string>();
  for (const { what, message } of cases) larder.set(what, await reading.words('eml', Buffer.from(message, 'latin1')));
  const reference = new Map(cases.map(({ what, text }) => [what, tokenize(text).join(' ')]));
  expectSame(larder, reference, DIFFERENCES.mail);
});
