import { readFile } from 'node:fs/promises';
import { it } from 'vitest';
import { decoderOf } from '../../dist/server/workers/encodings/decoders.js';
import { encodingOfNames, encodingOfText } from '../../dist/server/workers/encodings/guess.js';
import { type Difference, expectSame } from './reference/differences.ts';

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

/** The same bytes are as good a text in another encoding. */
const KNOWN: readonly Difference[] = [
  { value: 'text in big5: 謝謝', larder: '좌좌', why: 'also a syllable of Korean, twice' },
  { value: 'text in koi8_r: ДЕНЬГИ', larder: 'הומרחי', why: 'also six frequent letters of Hebrew' },
  { value: 'text in cp1250: Babička', larder: 'Babièka', why: 'one letter, in the place of a French one' },
  { value: 'text in cp1250: Řehoř', larder: 'Øehoø', why: 'both letters are those of Danish' },
];

it(`short texts are read as ${by} wrote them, and the names of archives`, () => {
  const guessed = ({ kind, bytes }: Case) => {
    const buffer = Buffer.from(bytes, 'hex');
    const encoding = kind === 'text' ? encodingOfText(buffer) : encodingOfNames(buffer);
    return decoderOf(encoding)?.decode(buffer);
  };
  expectSame(
    new Map(cases.map((one) => [nameOf(one), guessed(one)])),
    new Map(cases.map((one) => [nameOf(one), one.text])),
    KNOWN,
  );
});
