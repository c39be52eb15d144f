import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tokenize } from '../../dist/server/lib/text/tokenizer.js';
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

it.each(cases)(`a message yields the words that ${by} reads: $what`, async ({ message, text }) => {
  expect(await reading.words('eml', Buffer.from(message, 'latin1'))).toBe(tokenize(text).join(' '));
});
