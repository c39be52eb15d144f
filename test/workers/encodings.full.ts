import { readFile } from 'node:fs/promises';
import { it } from 'vitest';
import { decoderOf } from '../../dist/server/workers/encodings/decoders.js';
import { encodingOfNames, encodingOfText } from '../../dist/server/workers/encodings/guess.js';
import { expectSame } from './reference/differences.ts';
import { DIFFERENCES } from './reference/known-differences.ts';

interface Case {
  readonly kind: 'text' | 'name';
  /** As Python names it. */
  readonly encoding: string;
  readonly text: string;
  /** In hexadecimal. */
  readonly bytes: string;
}

const file = new URL('../fixtures/reference/encodings.json', import.meta.url);
const { by, cases } = JSON.parse(await readFile(file, 'utf8')) as { by: string; cases: readonly Case[] };

const nameOf = ({ kind, encoding, text }: Case) => `${kind} in ${encoding}: ${text}`;

it(`short texts and names in archives are read as written by ${by}`, () => {
  const guessed = ({ kind, bytes }: Case) => {
    const buffer = Buffer.from(bytes, 'hex');
    const encoding = kind === 'text' ? encodingOfText(buffer) : encodingOfNames(buffer);
    return decoderOf(encoding)?.decode(buffer);
  };
  expectSame(
    new Map(cases.map((one) => [nameOf(one), guessed(one)])),
    new Map(cases.map((one) => [nameOf(one), one.text])),
    DIFFERENCES.encodings,
  );
});
